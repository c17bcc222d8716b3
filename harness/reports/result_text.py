"""A result document as a terminal shows it: what `ol report` prints alone, in a log of CI as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from harness.records import PastRun, Report, Verdict
from harness.reports.against import Against, changes
from harness.reports.facts import (
    bucket_names,
    bucket_of,
    mutants_of,
    score_words,
    seconds,
    sentence,
    survivors_of,
    tests_of,
    warnings_of,
    wheats_of,
)
from harness.reports.readable import readable, readable_lines
from harness.reports.terminal import render
from harness.scoring import count

_MOST_SURVIVORS = 10
_MOST_TESTS = 8
_MOST_IDS = 12
_BAR_COLUMNS = 24
_STEPS = "▁▂▃▄▅▆▇█"
_COLOURS = {
    "killed": "green",
    "survived": "bold red",
    "timeout": "yellow",
    "crashed": "yellow",
    "invalid": "magenta",
    "equivalent": "cyan",
    "error": "bold magenta",
}


def result_text(
    report: Report,
    *,
    history: Sequence[PastRun] = (),
    compared: Against | None = None,
    width: int = 80,
    colour: bool = False,
) -> str:
    """The score first, then what to look at: warnings, changes, survivors, broken claims, the tests, the times."""
    counts = count(report.verdicts)
    parts: list[RenderableType] = [
        Text(f"{readable(report.module.id)}  {readable(report.module.title)}", style="bold"),
        Text(),
        _headline(report, history),
        Text(sentence(counts)),
    ]
    parts += [Text(readable(warning), style="bold red") for warning in warnings_of(report)]
    parts += [Text(), _counts(report)]
    if compared is not None:
        parts += [Text(), _changes(compared)]
    survivors = survivors_of(report)
    for verdict in survivors[:_MOST_SURVIVORS]:
        parts += [Text(), _survivor(verdict)]
    if len(survivors) > _MOST_SURVIVORS:
        parts += [Text(), Text(f"{len(survivors) - _MOST_SURVIVORS} more survivors: --html shows them all", "red")]
    missed = [(test.name, test.missed) for test in tests_of(report) if test.missed]
    if missed:
        parts += [Text(), Text("Claims that did not hold: these tests let pass what they claim", style="bold red")]
        parts += [Text(f"  {readable(name)}: {_ids(ids)}") for name, ids in missed]
    parts += [Text(), _tests(report), Text(), _times(report), Text(), _foot(report)]
    return render(Group(*parts), width=width, colour=colour)


def _headline(report: Report, history: Sequence[PastRun]) -> Text:
    counts = count(report.verdicts)
    score = counts.score_percent
    text = Text("Mutation score  ")
    style = "red" if score is None or survivors_of(report) or warnings_of(report) else "green"
    text.append(score_words(counts), style=f"bold {style}")
    if score is not None:
        text.append("  ").append(_bar(score / 100), style=style)
    if len(history) > 1:
        text.append(f"  last {len(history)} runs ").append(_trend([run.score_percent for run in history]), style="cyan")
    return text


def _bar(share: float) -> str:
    full = int(share * _BAR_COLUMNS)
    return "█" * full + "░" * (_BAR_COLUMNS - full)


def _trend(scores: Sequence[float]) -> str:
    """A column a run, over the range that the runs have: what changed is to be seen, not how near to 100 it is."""
    low, high = min(scores), max(scores)
    if low == high:
        return _STEPS[-1] * len(scores)
    return "".join(_STEPS[round((score - low) / (high - low) * (len(_STEPS) - 1))] for score in scores)


def _counts(report: Report) -> RenderableType:
    counts = asdict(count(report.verdicts))
    most = max(counts.values())
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for word, number in counts.items():
        if number:
            bar = "█" * max(1, round(number / most * _BAR_COLUMNS))
            table.add_row(f"  {word}", str(number), Text(bar, style=_COLOURS[word]))
    return table


def _changes(compared: Against) -> Text:
    text = Text(readable(compared.heading), style="bold")
    for heading, ids in changes(compared):
        style = {"Newly surviving": "bold red", "Newly killed": "green", "Newly flaky": "yellow"}.get(heading, "")
        text.append(f"\n  {heading}: ", style=f"not bold {style}").append(_ids(ids), style="not bold")
    if compared.is_empty:
        text.append("\n  Nothing changed.", style="not bold")
    return text


def _survivor(verdict: Verdict) -> RenderableType:
    mutant = verdict.mutant
    diff = Syntax(readable_lines(mutant.diff), "diff", theme="ansi_dark", background_color="default", word_wrap=True)
    return Group(
        Text(readable(f"{mutant.id} survived at {mutant.unit}:{mutant.line}"), style="bold red"),
        Text(readable(mutant.description)),
        Padding(diff, (0, 2)),
        Text(f"{len(verdict.tests)} tests ran and passed", style="dim"),
    )


def _tests(report: Report) -> RenderableType:
    found = sorted(tests_of(report), key=lambda test: -test.kills)
    idle = [test.name for test in found if not test.kills and not (test.entry and test.entry.stays)]
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(ratio=1, overflow="fold")
    for _ in range(3):
        table.add_column(justify="right", no_wrap=True)
    table.add_row(Text("Tests that kill most", style="bold"), *(Text(head, style="dim") for head in _headings(report)))
    for test in found[:_MOST_TESTS]:
        alone = [str(test.alone)] if report.matrix else []
        table.add_row(f"  {readable(test.name)}", str(test.ran), str(test.kills), *alone)
    rest = []
    if report.matrix and idle:
        rest.append(Text(f"Kill nothing: {', '.join(map(readable, idle))}", style="dim"))
    if not report.matrix:
        rest.append(Text("Each mutant's run stopped at its first kill; --matrix tells every killer.", style="dim"))
    return Group(table, *rest)


def _headings(report: Report) -> tuple[str, ...]:
    return ("ran on", "kills", "alone") if report.matrix else ("ran on", "kills")


def _times(report: Report) -> RenderableType:
    buckets = [bucket for one in mutants_of(report) if (bucket := bucket_of(one)) is not None]
    most = max(map(buckets.count, buckets), default=1)
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    table.add_row(Text("Time to the kill", style="bold"))
    for index, name in enumerate(bucket_names()):
        if number := buckets.count(index):
            bar = "█" * max(1, round(number / most * _BAR_COLUMNS))
            table.add_row(f"  {name}", str(number), Text(bar, style="red" if name == "unsolved" else "blue"))
    return table


def _foot(report: Report) -> Text:
    flaky = [one.mutant.id for one in mutants_of(report) if one.flaky]
    text = Text(style="dim")
    if flaky:
        text.append(f"Flaky, since the kill did not happen again alone: {_ids(tuple(flaky))}\n", style="yellow")
    text.append(
        f"{len(report.tests)} tests, {len(wheats_of(report))} wheats, seed {report.seed}, {seconds(report.elapsed_s)}, "
        f"{readable(report.began_at)}"
    )
    versions = ", ".join(f"{readable(name)} {readable(version)}" for name, version in report.versions.items())
    return text.append(f"\n{versions}")


def _ids(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    return ", ".join(map(readable, ids[:_MOST_IDS])) + more
