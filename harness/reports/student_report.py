"""What `ol start`, `ol status` and `ol diff` print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from harness.records import Module
from harness.reports.terminal import render

_STYLES = {"pass": "green", "stale": "yellow", "started": "cyan", "todo": "dim"}


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One module in a student's folder."""

    module: Module
    progress: str
    assisted: bool
    spoiled: bool


def start_text(
    module: Module,
    written: Sequence[Path],
    kept: Sequence[Path],
    needs: Sequence[tuple[Module, bool]],
    *,
    width: int = 80,
    colour: bool = False,
) -> str:
    """What was written, what was there, what is needed, and what to do next."""
    parts: list[RenderableType] = [Text(f"{module.id}  {module.title}", style="bold"), Text()]
    parts += [Text(f"  wrote  {path}", style="green") for path in written]
    parts += [Text(f"  kept   {path} as it is", style="dim") for path in kept]
    for needed, built in needs:
        state = "built" if built else f"not built yet: `ol start {needed.id}`, or check with --ref-deps"
        parts.append(Text(f"  needs  {needed.id}, {state}", style="" if built else "yellow"))
    steps = (
        ("read the tests", f"ol tests {module.id}"),
        ("write the code", "the docstrings in the stub are the contract"),
        ("check it", f"ol check {module.id}"),
        ("after a pass", f"ol diff {module.id}"),
    )
    table = Table.grid(padding=(0, 2))
    for label, step in steps:
        table.add_row(f"  {label}", step)
    return render(Group(*parts, Text(), Text("Next:"), table), width=width, colour=colour)


def status_text(rows: Sequence[StatusRow], *, width: int = 80, colour: bool = False) -> str:
    """A line for each module."""
    table = Table.grid(padding=(0, 2))
    for row in rows:
        marks = [word for word, present in (("assisted", row.assisted), ("spoiled", row.spoiled)) if present]
        state = Text(row.progress, style=_STYLES.get(row.progress, ""))
        note = "the code changed since it passed" if row.progress == "stale" else ""
        table.add_row(row.module.id, state, Text(", ".join(marks), style="yellow"), row.module.title, Text(note, "dim"))
    return render(table, width=width, colour=colour)


def diff_text(
    module: Module,
    differences: Sequence[tuple[str, str]],
    *,
    passed: bool,
    width: int = 80,
    colour: bool = False,
) -> str:
    """Pairs of name and diff from the student's code to the reference's, then what that means for the contract."""
    parts: list[RenderableType] = [Text(f"{module.id}  {module.title}", style="bold")]
    for name, diff in differences:
        parts += [Text(), Text(name, style="bold")]
        if diff:
            parts.append(Syntax(diff, "diff", theme="ansi_dark", background_color="default", word_wrap=True))
        else:
            parts.append(Text("  the same", style="dim"))
    end = (
        "What differs in behaviour, from the contract's point of view: nothing."
        if passed
        else "Spoiled: this was recorded. What differs in behaviour is what `ol check` shows."
    )
    return render(Group(*parts, Text(), Text(end, style="green" if passed else "yellow")), width=width, colour=colour)
