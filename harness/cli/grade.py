"""`ol grade`: a class, or inside Gradescope's autograder one submission."""

from __future__ import annotations

import os
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.console import colour, print_text, progress, stoppable, width
from harness.cli.options import course_of, isolation_option, json_option, rules_option
from harness.errors import ExitCode

if TYPE_CHECKING:
    from harness.course import Course
    from harness.grading.run import Request
    from harness.records import Module


def _moment(context: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    from harness.grading.lateness import moment

    found = None if value is None else moment(value)
    if value is not None and found is None:
        message = f"{value!r} is no moment such as 2030-01-31T23:59+01:00"
        raise click.BadParameter(message)
    return found


@click.command()
@click.argument("module_id", metavar="ID")
@click.argument("submissions", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the results go (default: results-ID).",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Who is in the class: Canvas's gradebook, Moodle's grading worksheet, or any CSV with a column `student`.",
)
@click.option("--column", default="", metavar="NAME", help="The column of the roster that the points go into.")
@rules_option
@click.option(
    "--late",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Who was late: a CSV with `student` and `days` or `submitted_at`.",
)
@click.option("--due", callback=_moment, metavar="TIME", help="When it was due, such as 2030-01-31T23:59+01:00.")
@click.option("--resume", "mode", flag_value="resume", help="Go on where an earlier run stopped.")
@click.option(
    "--regrade", "mode", flag_value="regrade", help="Judge anew what has changed since, and show what it does."
)
@click.option("--only-failed", "mode", flag_value="only-failed", help="Try those again that could not be graded.")
@click.option("--student", default="", metavar="GLOB", help="Judge only students whose identifier fits.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search, for all alike (default: fixed).")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), help="Submissions judged at once (default: one for each core)."
)
@click.option("--ref-deps", is_flag=True, help="Let the reference stand in for needed modules even where handed in.")
@isolation_option
@click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Judge on a dask.distributed scheduler, or on one that is started for it: local.",
)
@click.option("--no-times", is_flag=True, help="Leave times out of all files: two runs then give the same bytes.")
@click.option(
    "--gradescope",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Grade one submission inside Gradescope's autograder and keep its results.json up to date.",
)
@click.option(
    "--metadata",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --gradescope: its submission_metadata.json.",
)
@json_option
@click.pass_context
def grade(
    context: click.Context,
    *,
    module_id: str,
    submissions: Path,
    out: Path | None,
    roster: Path | None,
    column: str,
    rules: Path | None,
    late: Path | None,
    due: datetime | None,
    mode: str | None,
    student: str,
    seed: int | None,
    jobs: int | None,
    ref_deps: bool,
    require_isolation: str | None,
    cluster: str,
    no_times: bool,
    gradescope: Path | None,
    metadata: Path | None,
    as_json: bool,
) -> ExitCode:
    """Grade a class: every submission gets a verdict, points and feedback, and nothing that one does stops the others.

    SUBMISSIONS is a file, a folder, a folder of folders, a zip or tar, an export of Canvas, Moodle or Gradescope, or a
    CSV with a column `path` of folders. Everything runs isolated; each verdict is stored as it comes.
    """
    from harness.engine.score import DEFAULT_SEED
    from harness.grading.batch import Mode
    from harness.grading.judge import Terms
    from harness.grading.run import Request, grade_class
    from harness.records import GradeStatus
    from harness.reports.grade_text import changes_text, class_text
    from harness.reports.grading_json import grading_json
    from harness.subject.sandbox import Level, require, strongest

    course = course_of(context)
    module = course.module(module_id)
    level = strongest() if require_isolation is None else require(Level[require_isolation])
    terms = Terms(
        module.id,
        DEFAULT_SEED if seed is None else seed,
        int(level),
        None if context.obj is None else str(context.obj.resolve()),
        ref_deps,
    )
    request = Request(
        source=submissions,
        out=out or Path(f"results-{module.id}"),
        terms=terms,
        mode=Mode(mode or "new"),
        student=student,
        roster=roster,
        column=column,
        rules=rules,
        late=late,
        due=due,
        cluster=cluster,
        jobs=jobs or os.cpu_count() or 1,
        times=not no_times,
    )
    if gradescope is not None:
        return _grade_one(course, module, request, gradescope, metadata)
    with stoppable(), ExitStack() as stack:
        finished = grade_class(course, module, request, lambda due: stack.enter_context(progress(module.id, total=due)))
    if as_json:
        click.echo(grading_json(finished.run, finished.summary, finished.changes, files=finished.files))
    else:
        text = class_text(
            finished.run,
            finished.summary,
            files=finished.files,
            resume=_resuming(context),
            width=width(),
            colour=colour(),
        )
        print_text(text)
        if request.mode is Mode.REGRADE:
            print_text("\n" + changes_text(finished.changes, width=width(), colour=colour()))
    if not finished.run.complete:
        raise KeyboardInterrupt
    if not finished.summary.submissions:
        return ExitCode.NOTHING
    return ExitCode.ERROR if finished.summary.number(GradeStatus.ERROR) else ExitCode.PASS


def _grade_one(course: Course, module: Module, request: Request, place: Path, metadata: Path | None) -> ExitCode:
    from harness import results
    from harness.grading.run import grade_one
    from harness.records import GradeStatus

    given = grade_one(course, module, request, metadata=metadata, write=lambda text: results.write(place, text))
    click.echo(f"{given.received.student}: {given.status}, {given.points} of {given.max_points} points")
    return ExitCode.ERROR if given.status is GradeStatus.ERROR else ExitCode.PASS


def _resuming(context: click.Context) -> str:
    """The command line that goes on with this run."""
    import shlex

    words = ["ol", *(["--course", str(context.obj)] if context.obj else []), "grade"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        source = context.get_parameter_source(parameter.name or "")
        if isinstance(parameter, click.Argument):
            words.append(str(value))
        elif source is click.core.ParameterSource.COMMANDLINE and parameter.name not in ("mode", "as_json"):
            flag = max(parameter.opts, key=len)
            words += (
                [flag] if value is True else [flag, value.isoformat() if isinstance(value, datetime) else str(value)]
            )
    return shlex.join([*words, "--resume"])
