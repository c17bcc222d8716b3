"""The student's commands: `ol start`, `ol check`, `ol diff` and `ol status`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from harness.cli.console import colour, leave, print_text, width
from harness.cli.options import at_option, course_of, isolation_option, json_option, out_option
from harness.errors import ExitCode, UsageError


@click.command()
@click.argument("module_id", metavar="ID")
@at_option
@click.pass_context
def start(context: click.Context, *, module_id: str, at: Path) -> ExitCode:
    """Write a module's stubs into your folder; what is there already is never touched."""
    from harness.reports.student_report import start_text
    from harness.student.start import start as run_start
    from harness.student.workspace import Workspace

    course = course_of(context)
    module = course.module(module_id)
    done = run_start(course, module, Workspace(at.resolve()))
    print_text(start_text(module, done.written, done.kept, done.needs, width=width(), colour=colour()))
    return ExitCode.PASS


@click.command()
@click.argument("module_id", metavar="ID")
@at_option
@click.option("--kind", help="Run only the tests of this kind: unit, golden, property, boundary or cost.")
@click.option("--test", metavar="NAME", help="Run only this test, exactly as in a whole check.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search (default: fixed).")
@click.option("--ref-deps", is_flag=True, help="Let the reference stand in for modules that you have not built.")
@isolation_option
@out_option
@json_option
@click.pass_context
def check(
    context: click.Context,
    *,
    module_id: str,
    at: Path,
    kind: str | None,
    test: str | None,
    seed: int | None,
    ref_deps: bool,
    require_isolation: str | None,
    out: Path | None,
    as_json: bool,
) -> ExitCode:
    """Check your code; the exit code is the verdict."""
    from harness import results
    from harness.engine.score import DEFAULT_SEED
    from harness.records import Kind
    from harness.reports.check_report import check_json, check_text
    from harness.student.check import Request
    from harness.student.check import check as run_check
    from harness.student.workspace import Workspace
    from harness.subject.sandbox import Level, require

    course = course_of(context)
    if kind is not None and kind not in list(Kind):
        message = f"no kind of test is called {kind!r}"
        raise UsageError(message, remedy=f"one of {', '.join(Kind)}")
    request = Request(
        kind=None if kind is None else Kind(kind),
        test=test,
        seed=DEFAULT_SEED if seed is None else seed,
        ref_deps=ref_deps,
        isolation=None if require_isolation is None else require(Level[require_isolation]),
        at=str(at),
    )
    report = run_check(course, course.module(module_id), Workspace(at.resolve()), request)
    leave(out or at / results.FOLDER / f"check-{report.module.id}.json", check_json(report) + "\n")
    if as_json:
        click.echo(check_json(report))
    else:
        print_text(check_text(report, width=width(), colour=colour()))
    return _CHECK_CODES[report.verdict]


_CHECK_CODES = {
    "pass": ExitCode.PASS,
    "fail": ExitCode.FAIL,
    "not_started": ExitCode.NOTHING,
    "blocked": ExitCode.BLOCKED,
    "drift": ExitCode.DRIFT,
    "error": ExitCode.ERROR,
}


@click.command()
@click.argument("module_id", metavar="ID")
@at_option
@click.option("--spoil", is_flag=True, help="Show it before a pass; that is recorded in your folder.")
@click.pass_context
def diff(context: click.Context, *, module_id: str, at: Path, spoil: bool) -> ExitCode:
    """Compare your code with the reference, function by function, once it has passed."""
    from harness.course import read_text
    from harness.reports.student_report import diff_text
    from harness.student.compare import compare
    from harness.student.source import Unreadable
    from harness.student.workspace import Progress, Workspace

    course = course_of(context)
    module = course.module(module_id)
    workspace = Workspace(at.resolve())
    passed = workspace.progress(course, module) is Progress.PASS
    if not passed and not spoil:
        click.echo(f"ol: {module.id} has not passed yet, as it is now: `ol check {module.id}`", err=True)
        click.echo("    --spoil shows the reference all the same, and is recorded in your folder", err=True)
        return ExitCode.FAIL
    if not passed:
        workspace.remember(module, replace(workspace.record(module), spoiled=True))
    differences = []
    for unit in module.units:
        try:
            yours = workspace.read(unit) if workspace.unit_path(unit).is_file() else ""
        except Unreadable:
            yours = ""
        differences += [(one.name, one.diff) for one in compare(yours, read_text(course.unit_path(unit)))]
    print_text(diff_text(module, differences, passed=passed, width=width(), colour=colour()))
    return ExitCode.PASS


@click.command()
@at_option
@click.pass_context
def status(context: click.Context, *, at: Path) -> ExitCode:
    """Show how far every module is in your folder."""
    from harness.reports.student_report import StatusRow, status_text
    from harness.student.workspace import Workspace

    course = course_of(context)
    workspace = Workspace(at.resolve())
    rows = []
    for module in course.modules:
        record = workspace.record(module)
        rows.append(StatusRow(module, workspace.progress(course, module), record.assisted, record.spoiled))
    print_text(status_text(rows, width=width(), colour=colour()))
    return ExitCode.PASS
