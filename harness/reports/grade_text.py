"""What `ol grade` prints: what a class came to, what needs a person, and where it lies; and what a regrade changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.records import GradeChange, GradeStatus, GradingRun
from harness.reports.class_summary import BUCKETS, ClassSummary, Ungraded, sentence_of, warnings_of
from harness.reports.facts import seconds
from harness.reports.grade_facts import plain
from harness.reports.readable import readable, shortened
from harness.reports.terminal import render

_MOST_PITFALLS = 5
_MOST_TESTS = 6
_BAR_COLUMNS = 24
_LONGEST = 300
_STYLES = {
    GradeStatus.GRADED: "green",
    GradeStatus.INVALID: "yellow",
    GradeStatus.UNREADABLE: "yellow",
    GradeStatus.MISSING: "dim",
    GradeStatus.ERROR: "bold magenta",
}


def class_text(
    run: GradingRun,
    summary: ClassSummary,
    *,
    files: Mapping[str, str],
    resume: str = "",
    width: int = 80,
    colour: bool = False,
) -> str:
    """The class in figures, the mistakes behind them, what was not graded, and the files by what they hold.

    `resume` is the command that goes on with an interrupted run.
    """
    parts: list[RenderableType] = [Text(readable(f"{run.module.id}  {run.module.title}"), style="bold"), Text()]
    if summary.mean is not None:
        mean = f"Mean {plain(summary.mean)} of {plain(summary.max_points)}"
        parts.append(Text(mean, style="bold").append(f"  {_strip(summary.histogram)}", style="cyan"))
    parts.append(Text(sentence_of(summary)))
    parts += [Text(warning, style="bold red") for warning in warnings_of(run, summary)]
    parts += [Text(), _statuses(summary)]
    if summary.pitfalls:
        parts += [Text(), _pitfalls(summary)]
    parts += [Text(), _tests(summary)]
    if summary.ungraded:
        parts += [Text(), _ungraded(summary)]
    parts += [Text(), _files(files)]
    median = f", {seconds(summary.median_s)} a submission" if summary.median_s is not None else ""
    parts.append(Text(f"seed {run.seed}, isolation {readable(run.isolation)}{median}", style="dim"))
    if not run.complete and resume:
        parts += [Text(), Text("Go on with:  ", style="bold").append(readable(resume), style="not bold")]
    return render(Group(*parts), width=width, colour=colour)


def _strip(histogram: tuple[int, ...]) -> str:
    """A column for each tenth of the points, from none to all."""
    most, steps = max(histogram, default=0) or 1, "▁▂▃▄▅▆▇█"
    shown = "".join(steps[-(-number * (len(steps) - 1) // most)] for number in histogram)
    return f"0 {shown} {BUCKETS * 10} %"


def _statuses(summary: ClassSummary) -> RenderableType:
    most = max((number for _, number in summary.statuses), default=1)
    table = _grid()
    for status, number in summary.statuses:
        bar = "█" * max(1, round(number / most * _BAR_COLUMNS))
        table.add_row(f"  {status}", str(number), Text(bar, style=_STYLES[status]))
    return table


def _pitfalls(summary: ClassSummary) -> RenderableType:
    table = _grid()
    for one in summary.pitfalls[:_MOST_PITFALLS]:
        table.add_row(f"  {shortened(one.mutant, 12)}", str(one.count), Text(shortened(one.mistake, _LONGEST)))
    more = len(summary.pitfalls) - _MOST_PITFALLS
    rest = [f"{more} more mistakes"] if more > 0 else []
    rest += [f"{summary.unexplained} with failures and no mistake that is known"] if summary.unexplained else []
    foot = [Text(f"  {', '.join(rest)}", style="dim")] if rest else []
    return Group(Text("Most frequent mistakes", style="bold"), table, *foot)


def _tests(summary: ClassSummary) -> RenderableType:
    failed = sorted((test for test in summary.tests if test.failed), key=lambda test: -test.failed)
    ran = summary.number(GradeStatus.GRADED)
    if not failed or not ran:
        return Text("Nobody failed a test." if ran else "No test ran on any submission.")
    table = _grid()
    for test in failed[:_MOST_TESTS]:
        table.add_row("", str(test.failed), Text(readable(test.name)))
    never = len(summary.tests) - len(failed)
    foot = [Text(f"  {never} of {len(summary.tests)} tests were failed by nobody", style="dim")] if never else []
    return Group(Text("Most failed tests", style="bold"), table, *foot)


def _ungraded(summary: ClassSummary) -> RenderableType:
    table = _grid()
    for one in summary.ungraded:
        table.add_row(f"  {shortened(one.student, 24)}", str(one.status), _reason(one))
    more = summary.number(GradeStatus.UNREADABLE, GradeStatus.ERROR) - len(summary.ungraded)
    foot = [Text(f"  and {more} more", style="dim")] if more > 0 else []
    return Group(Text("Not graded", style="bold"), table, *foot)


def _reason(one: Ungraded) -> Text:
    return Text(shortened(one.reason, _LONGEST), style="" if one.status is GradeStatus.UNREADABLE else "magenta")


def _files(files: Mapping[str, str]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for what, path in files.items():
        table.add_row(f"  {readable(what)}", Text(readable(path)))
    return table


def changes_text(changes: Sequence[GradeChange], *, width: int = 80, colour: bool = False) -> str:
    """A table of what a regrade changed: the points before and after, and the tests that fail or pass anew."""
    if not changes:
        return "No grade changed.\n"
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(max_width=24, overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_row(*(Text(head, style="dim") for head in ("submission", "before", "after", "tests")))
    for change in changes:
        told = Text()
        for words, names, style in (("fails", change.newly_failed, "red"), ("passes", change.newly_passed, "green")):
            for name in names:
                told.append(f"{chr(10) if told else ''}{words} {readable(name)}", style=style)
        table.add_row(readable(change.key), change.before or "-", change.after or "-", told)
    many = f"{len(changes)} grade{'s' if len(changes) > 1 else ''} changed"
    return render(Group(Text(many, style="bold"), Text(), table), width=width, colour=colour)


def _grid() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    return table
