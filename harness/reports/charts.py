"""Charts as inline SVG: pure functions of figures, coloured by the page's style sheet.

Each has a name for who cannot see it, and the page puts the figures beside it in a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from harness.records import Effort, PastRun, Search
from harness.reports.readable import readable, shortened

MOST_PAIRS = 40
_ROW = 24
_LABEL = 92


def kill_times(buckets: Sequence[tuple[str, int]]) -> Markup:
    """Bars with the number of mutants for each bucket of time; each is a link to these mutants."""
    most = max((number for _, number in buckets), default=0) or 1
    rows = []
    for index, (name, number) in enumerate(buckets):
        top, width = index * _ROW, round(200 * number / most, 1)
        rows.append(
            Markup(
                '<a href="#mutants" data-bucket="{index}">'
                '<rect class="hit" x="0" y="{top}" width="360" height="{height}"/>'
                '<text x="{label}" y="{base}" text-anchor="end">{name}</text>'
                '<rect class="{kind}" x="{left}" y="{bar}" width="{width}" height="14" rx="2"/>'
                '<text class="n" x="{end}" y="{base}">{number}</text></a>'
            ).format(
                index=index,
                name=name,
                number=number,
                top=top,
                height=_ROW,
                label=_LABEL,
                base=top + 16,
                kind="bad" if index == len(buckets) - 1 else "bar",
                left=_LABEL + 8,
                bar=top + 5,
                width=width,
                end=_LABEL + 14 + width,
            )
        )
    return _svg("Mutants by the time to their kill", 360, len(buckets) * _ROW, rows, role="group")


def columns(name: str, buckets: Sequence[tuple[str, int]]) -> Markup:
    """Upright bars with a number above each and the bucket's name below."""
    most = max((number for _, number in buckets), default=0) or 1
    full, high, base = 440, 130, 150
    width = full / max(1, len(buckets))
    rows = [Markup('<line class="grid" x1="0" x2="{x}" y1="{y}" y2="{y}"/>').format(x=full, y=base)]
    for index, (label, number) in enumerate(buckets):
        tall = round(high * number / most, 1)
        rows.append(
            Markup(
                '<rect class="bar" x="{left}" y="{top}" width="{bar}" height="{tall}" rx="2"/>'
                '<text class="n" x="{middle}" y="{above}" text-anchor="middle">{number}</text>'
                '<text x="{middle}" y="{below}" text-anchor="middle">{label}</text>'
            ).format(
                left=index * width + 5,
                top=base - tall,
                bar=width - 10,
                tall=tall,
                middle=index * width + width / 2,
                above=base - tall - 5,
                below=base + 15,
                number=number or "",
                label=label,
            )
        )
    return _svg(name, full, base + 22, rows)


def mistakes(rows: Sequence[tuple[str, str, int, int]]) -> Markup:
    """Bars below the words that they count: name, words, how many are sure, and behind these how many are likely."""
    most = max((sure + likely for _, _, sure, likely in rows), default=0) or 1
    full, tall = 400, 36
    drawn = []
    for index, (name, words, sure, likely) in enumerate(rows):
        top, solid = index * tall, round(full * sure / most, 1)
        drawn.append(
            Markup(
                '<text x="0" y="{base}"><tspan class="name">{name}</tspan> {words}</text>'
                '<rect class="bar" x="0" y="{bar}" width="{solid}" height="12" rx="2"/>'
                '<rect class="dot" x="{solid}" y="{bar}" width="{rest}" height="12" rx="2"/>'
                '<text class="n" x="{end}" y="{foot}">{number}</text>'
            ).format(
                name=shortened(name, 8),
                words=shortened(words, 66),
                base=top + 12,
                bar=top + 17,
                foot=top + 27,
                solid=solid,
                rest=round(full * likely / most, 1),
                end=round(full * (sure + likely) / most, 1) + 6,
                number=sure + likely,
            )
        )
    return _svg("Submissions by the mistake that explains their failures", 440, len(rows) * tall, drawn)


def efforts(search: Search) -> Markup:
    """For each pair of mutant and test, hardest first, a dot for each search that killed, on a logarithmic scale."""
    pairs = hardest(search)
    most = max((number for ours, plain in pairs for number in (*ours.examples, *plain.examples)), default=10)
    decades = max(1, math.ceil(math.log10(max(most, 2))))
    left, width, top = 250, 330, 24

    def at(number: int) -> float:
        return round(left + width * math.log10(max(number, 1)) / decades, 1)

    rows = [
        Markup(
            '<line class="grid" x1="{x}" x2="{x}" y1="16" y2="{y}"/>'
            '<text x="{x}" y="11" text-anchor="middle">{n}</text>'
        ).format(x=at(10**power), y=top + len(pairs) * _ROW, n=10**power)
        for power in range(decades + 1)
    ]
    for index, (ours, plain) in enumerate(pairs):
        middle = top + index * _ROW + 12
        rows.append(
            Markup('<text x="{x}" y="{y}" text-anchor="end">{name}</text>').format(
                x=left - 10, y=middle + 4, name=shortened(f"{ours.mutant} {ours.test.removeprefix('test_')}", 40)
            )
        )
        rows += [
            Markup('<circle class="plain" cx="{x}" cy="{y}" r="3.5"/>').format(x=at(number), y=middle + 4)
            for number in plain.examples
        ]
        rows += [
            Markup('<circle class="dot" cx="{x}" cy="{y}" r="3.5"/>').format(x=at(number), y=middle - 3)
            for number in ours.examples
        ]
        rows.append(
            Markup('<text class="n" x="{x}" y="{y}">{found} of {seeds} ({plain})</text>').format(
                x=left + width + 10, y=middle + 4, found=ours.found, seeds=search.seeds, plain=plain.found
            )
        )
    return _svg("Inputs tried up to the kill, over seeds", 690, top + len(pairs) * _ROW, rows)


def hardest(search: Search) -> list[tuple[Effort, Effort]]:
    """The pairs that random search found least often or latest, with their plain counterparts."""

    def hardness(pair: tuple[Effort, Effort]) -> tuple[int, int]:
        ours = pair[0]
        return ours.found, -(ours.median_examples or 0)

    return sorted(zip(search.efforts, search.plain, strict=True), key=hardness)[:MOST_PAIRS]


def scores(runs: Sequence[PastRun]) -> Markup:
    """The score of each of the last runs, oldest left; a run that was interrupted is a hollow dot."""
    low = min(80.0, *(run.score_percent for run in runs)) if runs else 0.0
    low = math.floor(low / 10) * 10
    left, width, top, height = 40, 300, 14, 120

    def place(index: int, run: PastRun) -> tuple[float, float]:
        across = width / 2 if len(runs) == 1 else width * index / (len(runs) - 1)
        return round(left + across, 1), round(top + height * (100 - run.score_percent) / (100 - low), 1)

    dots = [place(index, run) for index, run in enumerate(runs)]
    rows = [
        Markup(
            '<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
            '<text x="{label}" y="{base}" text-anchor="end">{value:.0f}</text>'
        ).format(left=left, right=left + width, y=y, label=left - 8, base=y + 4, value=value)
        for value, y in ((100, top), ((100 + low) / 2, top + height / 2), (low, top + height))
    ]
    rows.append(Markup('<polyline class="trend" points="{}"/>').format(" ".join(f"{x},{y}" for x, y in dots)))
    rows += [
        Markup('<circle class="{kind}" cx="{x}" cy="{y}" r="4"><title>{title}</title></circle>').format(
            kind="dot" if run.complete else "plain",
            x=x,
            y=y,
            title=readable(f"{run.began_at}: {run.score_percent:.1f} %"),
        )
        for run, (x, y) in zip(runs, dots, strict=True)
    ]
    return _svg("Score of the last runs, in percent", 360, top + height + 12, rows)


def _svg(name: str, width: int, height: int, rows: Iterable[Markup], *, role: str = "img") -> Markup:
    return Markup(
        '<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="{role}" aria-label="{name}">'
        "{rows}</svg>"
    ).format(width=width, height=height, role=role, name=name, rows=Markup("").join(rows))
