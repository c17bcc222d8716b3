"""What `--seeds` found, for a person and for a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.records import Effort, Search
from harness.reports.terminal import render


def search_text(search: Search, *, width: int = 80, colour: bool = False) -> str:
    """A row for each pair of mutant and property, then what stands out."""
    table = Table(
        title=f"Random search alone, {search.seeds} seeds: inputs tried up to the kill (plain strategies in brackets)",
        title_justify="left",
        title_style="",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        expand=True,
    )
    table.add_column("mutant", no_wrap=True)
    table.add_column("property", ratio=1, overflow="ellipsis", no_wrap=True)
    for heading in ("seeds", "median", "worst"):
        table.add_column(heading, justify="right", no_wrap=True)
    for ours, plain in zip(search.efforts, search.plain, strict=True):
        table.add_row(
            ours.mutant,
            Text(ours.test, style="" if ours.claimed else "dim"),
            f"{ours.found} ({plain.found})",
            f"{_shown(ours.median_examples)} ({_shown(plain.median_examples)})",
            f"{_shown(ours.worst_examples)} ({_shown(plain.worst_examples)})",
        )
    return render(Group(table, *map(Text, search_notes(search))), width=width, colour=colour)


def search_notes(search: Search) -> list[str]:
    """The figures to look at first: the weakest claim, the slowest, what plain strategies never find, broken wheats."""
    notes = []
    claimed = [effort for effort in search.efforts if effort.claimed]
    if claimed:
        weakest = min(claimed, key=lambda effort: effort.found)
        slowest = max(claimed, key=lambda effort: _for_order(effort.median_examples))
        notes += [
            f"Weakest claim: found in {weakest.found} of {search.seeds} seeds, {weakest.mutant} by {weakest.test}.",
            f"Slowest claim: median {_shown(slowest.median_examples)} inputs, {slowest.mutant} by {slowest.test}.",
        ]
    slower = [
        ours.mutant
        for ours, plain in zip(search.efforts, search.plain, strict=True)
        if _for_order(ours.median_examples) > _for_order(plain.median_examples)
    ]
    notes.append(f"Slower than plain strategies (median): {_list(slower)}.")
    notes.append(f"Never found by plain strategies: {_list(never_found(search.efforts, search.plain))}.")
    notes.append(f"Properties that a correct implementation failed: {_list(search.wheat_failures)}.")
    return notes


def never_found(efforts: Iterable[Effort], plain: Iterable[Effort]) -> list[str]:
    """Ids of the mutants that our search finds at least once and the plain one never, by any of the pairs."""
    ours = {effort.mutant for effort in efforts if effort.found}
    theirs = {effort.mutant for effort in plain if effort.found}
    return sorted(ours - theirs)


def _shown(examples: int | None) -> str:
    return "-" if examples is None else str(examples)


def _for_order(examples: int | None) -> float:
    return float("inf") if examples is None else examples


def _list(items: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(items)) or "none"


def search_document(search: Search) -> dict[str, Any]:
    """The part of the score's JSON document under ``search``."""
    return {
        "seeds": search.seeds,
        "pairs": [
            {
                "mutant": ours.mutant,
                "test": ours.test,
                "claimed": ours.claimed,
                **_figures(ours, ""),
                **_figures(plain, "plain_"),
            }
            for ours, plain in zip(search.efforts, search.plain, strict=True)
        ],
        "never_found_by_plain": never_found(search.efforts, search.plain),
        "wheat_failures": list(search.wheat_failures),
    }


def _figures(effort: Effort, prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}examples": list(effort.examples),
        f"{prefix}found": effort.found,
        f"{prefix}median_examples": effort.median_examples,
        f"{prefix}worst_examples": effort.worst_examples,
    }
