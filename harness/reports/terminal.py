"""The score report and the catalog as a person reads them in a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from harness.records import CatalogEntry, Controls, Module, Report, Status, Tier, Verdict
from harness.reports.facts import interruption, is_before_controls, sentence
from harness.scoring import count

_STYLES = {
    Status.KILLED: "green",
    Status.SURVIVED: "bold red",
    Status.TIMEOUT: "yellow",
    Status.CRASHED: "yellow",
    Status.INVALID: "magenta",
    Status.EQUIVALENT: "cyan",
    Status.ERROR: "bold magenta",
}
_TIER_TITLES = {
    Tier.SEMANTIC: "Mistakes that people make",
    Tier.PINNED: "Pinned mechanical mutants",
    Tier.GENERATED: "Generated mutants",
    Tier.WHEAT: "Wheats: correct, and every test must pass",
}


def render(content: RenderableType, *, width: int, colour: bool) -> str:
    """Text of `width` columns, with ANSI colours or without any escape."""
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colour, no_color=not colour, highlight=False, emoji=False
    )
    with console.capture() as captured:
        console.print(content)
    return "".join(line.rstrip() + "\n" for line in captured.get().splitlines())


def score_text(report: Report, *, width: int = 80, colour: bool = False) -> str:
    """The whole report: a table for each tier, survivors with their diff, the controls and the score."""
    parts: list[RenderableType] = [Text(f"{report.module.id}  {report.module.title}", style="bold"), Text()]
    for tier, verdicts in groupby(report.verdicts, key=lambda verdict: verdict.mutant.tier):
        parts += [_table(tier, list(verdicts), matrix=report.matrix), Text()]
    for verdict in report.verdicts:
        if verdict.status is Status.SURVIVED and verdict.mutant.tier is not Tier.WHEAT:
            parts += [_survivor(verdict), Text()]
    parts += [] if is_before_controls(report) else [_controls(report.controls)]
    parts.append(_summary(report))
    return render(Group(*parts), width=width, colour=colour)


def _table(tier: Tier, verdicts: Sequence[Verdict], *, matrix: bool) -> Table:
    table = Table(
        title=_TIER_TITLES[tier], title_justify="left", title_style="", box=box.SIMPLE_HEAD, pad_edge=False, expand=True
    )
    table.add_column("id", max_width=18, overflow="fold")
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    table.add_column("what it does" if tier is Tier.WHEAT else "what is wrong, and what killed it", ratio=1)
    for verdict in verdicts:
        word = "passed" if tier is Tier.WHEAT and verdict.status is Status.SURVIVED else str(verdict.status)
        style = "green" if word == "passed" else _STYLES[verdict.status]
        table.add_row(
            verdict.mutant.id,
            str(verdict.mutant.line),
            Text(word, style=style),
            f"{verdict.elapsed_s * 1000:.0f}",
            _what(verdict, matrix=matrix),
        )
    return table


def _what(verdict: Verdict, *, matrix: bool) -> Text:
    text = Text(verdict.mutant.description)
    if verdict.killed_by:
        first, others = verdict.killed_by[0], len(verdict.killed_by) - 1
        more = f" and {others} more of {len(verdict.tests)}" if matrix and others else ""
        text.append(f"\n{first}{more}", style="dim")
        if (seen := verdict.counterexample) is not None:
            shown = (("input", seen.input), ("expected", seen.expected), ("got", seen.got), ("again", seen.replay))
            text.append("".join(f"\n{label:8}  {value}" for label, value in shown if value))
        if verdict.flaky:
            text.append("\nflaky: it passed when it ran again alone", style="yellow")
    elif verdict.reason:
        text.append(f"\n{verdict.reason}", style="dim")
    return text


def _survivor(verdict: Verdict) -> RenderableType:
    mutant = verdict.mutant
    ran = ", ".join(verdict.tests)
    return Group(
        Text(f"{mutant.id} survived at {mutant.unit}:{mutant.line}", style="bold red"),
        Text(mutant.description),
        Padding(Syntax(mutant.diff, "diff", theme="ansi_dark", background_color="default", word_wrap=True), (0, 2)),
        Text(f"{len(verdict.tests)} tests ran and passed: {ran}", style="dim"),
    )


def _controls(controls: Controls) -> Text:
    if controls.hold:
        return Text(
            "Controls hold: the reference passes, a subject that raises fails every test,\n"
            "an unchanged copy survives, and every wheat passes.",
            style="dim",
        )
    text = Text("No verdict on any mutant: a control failed.\n", style="bold red")
    text.append("\n".join(f"  {note}" for note in controls.notes))
    return text


def _summary(report: Report) -> Text:
    counts = count(report.verdicts)
    text = Text("\n" + sentence(counts), style="bold")
    if not report.complete:
        text.append(f"\n{interruption(report)}", style="bold red")
    if counts.inconclusive:
        text.append(f"\nInconclusive: {counts.inconclusive}.", style="bold red")
    text.append(f"\n{len(report.tests)} tests, seed {report.seed}, {report.elapsed_s:.1f} s", style="not bold dim")
    return text


def catalog_text(module: Module, catalog: Iterable[CatalogEntry], *, width: int = 80, colour: bool = False) -> str:
    """What `ol tests` prints: every test with what it checks, why, and what it catches."""
    parts: list[RenderableType] = [Text(f"{module.id}  {module.title}", style="bold")]
    for entry in catalog:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column()
        grid.add_row("  checks", Text(entry.checks))
        grid.add_row("  why", Text(entry.why))
        if entry.catches:
            grid.add_row("  catches", Text(" ".join(entry.catches)))
        heading = Text(entry.name, style="bold").append(f"  {entry.kind}", style="not bold cyan")
        parts += [Text(), heading, Text(f"  {entry.law}"), grid]
    return render(Group(*parts), width=width, colour=colour)
