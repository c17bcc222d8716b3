"""`ol score`: which mutants of a reference its tests let through."""

from __future__ import annotations

import difflib
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.console import colour, leave, print_text, progress, stoppable, verdict_step, width
from harness.cli.options import course_of, default_jobs, json_option, out_option
from harness.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.course import Course
    from harness.records import Module, Mutant, Report


def _finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN, which lies in every range because it compares with nothing."""
    if value is not None and not math.isfinite(value):
        message = f"{value} is not a percentage"
        raise click.BadParameter(message)
    return value


@click.command()
@click.argument("module_id", metavar="[ID]", required=False)
@click.option("--all", "every", is_flag=True, help="Score every module of the course.")
@click.option("--matrix", is_flag=True, help="Run every test on every mutant, a process for each pair.")
@click.option("--generated/--no-generated", default=True, help="Whether to judge generated mutants too (default: yes).")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search (default: fixed).")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 64), help="Mutants tested at once (default: one for each core, 2 at most)."
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    callback=_finite,
    metavar="PERCENT",
    help="Pass with survivors as long as the score reaches this and no required mutant survives.",
)
@click.option(
    "--mutants",
    "mutant_dirs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Further mutants: *.patch on the reference, or *.py in the place of a unit. May be repeated.",
)
@click.option(
    "--wheats",
    "wheat_dirs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Further correct implementations that every test must pass. May be repeated.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Also measure, over N seeds, how many inputs random search alone needs for each kill.",
)
@click.option(
    "--explain", is_flag=True, help="Also show each kill as a person reads it: smallest input, expected, got."
)
@click.option(
    "--only",
    multiple=True,
    metavar="MUTANT",
    help="Judge this mutant only, and leave no result unless --out names a place. May be repeated.",
)
@out_option
@json_option
@click.pass_context
def score(
    context: click.Context,
    *,
    module_id: str | None,
    every: bool,
    matrix: bool,
    generated: bool,
    seed: int | None,
    jobs: int | None,
    fail_under: float | None,
    mutant_dirs: tuple[Path, ...],
    wheat_dirs: tuple[Path, ...],
    seeds: int | None,
    explain: bool,
    only: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> ExitCode:
    """Run a module's tests against every mutant of its reference and say which mutants survive.

    The whole result is left in .ol/results/score-ID.json below the current folder, for `ol report`.
    """
    from harness.engine.score import DEFAULT_SEED, Options, Start
    from harness.engine.score import score as run_score
    from harness.scoring import exit_code

    if every and (out is not None or only):
        message = f"--all cannot be combined with {'--out' if out is not None else '--only'}"
        raise UsageError(message, remedy="name one module: each has a result of its own")
    course = course_of(context)
    options = Options(jobs=jobs or default_jobs(), seed=DEFAULT_SEED if seed is None else seed, matrix=matrix)
    again = ["ol", *(["--course", str(context.obj)] if context.obj else []), "score"]
    asked = [word for folder in mutant_dirs for word in ("--mutants", str(folder))]
    asked += [] if seed is None else ["--seed", str(seed)]
    reports, codes = [], []
    for module in _chosen(course, module_id, every=every):
        with stoppable(), Start(course, module, options) as start:
            mutants = _only(_mutants(course, module, mutant_dirs, wheat_dirs, generated=generated), only)
            with progress(module.id, total=len(mutants)) as step:
                report = run_score(course, module, mutants, options, start=start, on_verdict=verdict_step(step))
        if seeds and report.complete and report.controls.hold:
            report = _searched(course, module, report, mutants, seeds=seeds, jobs=options.jobs)
        if explain and report.complete:
            report = _explain(course, module, report, jobs=options.jobs, command=[*again, module.id, *asked])
        reports.append(report)
        codes.append(exit_code(report, fail_under_percent=fail_under))
        _leave_score(report, out, whole=not only)
        if not as_json:
            from harness.reports.terminal import score_text

            print_text(score_text(report, width=width(), colour=colour()))
            if report.search is not None:
                from harness.reports.search_report import search_text

                print_text("\n" + search_text(report.search, width=width(), colour=colour()))
    if as_json:
        from harness.reports.json_report import score_json

        click.echo(score_json(reports, several=every))
    if not all(report.complete for report in reports):
        raise KeyboardInterrupt
    return max(codes)


def _leave_score(report: Report, out: Path | None, *, whole: bool) -> None:
    """Leave the result of a whole run and a line of history below the current folder, any result where `out` says."""
    from harness import results
    from harness.reports.history import history_line
    from harness.reports.json_report import score_json

    if whole or out is not None:
        leave(out or results.FOLDER / f"score-{report.module.id}.json", score_json([report], several=False) + "\n")
    if whole:
        try:
            results.append(results.FOLDER / results.HISTORY, history_line(report))
        except OSError as error:
            click.echo(f"ol: {results.FOLDER / results.HISTORY} cannot be written: {error.strerror}", err=True)


def _only(mutants: tuple[Mutant, ...], ids: tuple[str, ...]) -> tuple[Mutant, ...]:
    """The mutants of these ids beside all wheats, or all where no id is given."""
    from harness.records import Tier

    known = [mutant.id for mutant in mutants if mutant.tier is not Tier.WHEAT]
    for id_ in ids:
        if id_ not in known:
            near = difflib.get_close_matches(id_, known, n=1)
            message = f"no mutant is called {id_!r}"
            raise UsageError(message, remedy=f"did you mean {near[0]}?" if near else "`ol score ID` lists them")
    return tuple(mutant for mutant in mutants if not ids or mutant.id in ids or mutant.tier is Tier.WHEAT)


def _explain(course: Course, module: Module, report: Report, *, jobs: int, command: Sequence[str]) -> Report:
    from harness.engine.kills import explain_kills

    with stoppable(), progress(f"{module.id}, explaining") as step:
        return explain_kills(course, module, report, jobs=jobs, command=command, on_step=step)


def _searched(
    course: Course, module: Module, report: Report, mutants: Sequence[Mutant], *, seeds: int, jobs: int
) -> Report:
    from harness.engine.search import search

    try:
        with stoppable(), progress(f"{module.id}, {seeds} seeds") as step:
            return replace(report, search=search(course, module, mutants, seeds=seeds, jobs=jobs, on_step=step))
    except KeyboardInterrupt:
        return replace(report, complete=False)


def _chosen(course: Course, module_id: str | None, *, every: bool) -> tuple[Module, ...]:
    if every == (module_id is not None):
        message = "name one module or use --all"
        raise UsageError(message, remedy=f"the modules are {', '.join(module.id for module in course.modules)}")
    return course.modules if module_id is None else (course.module(module_id),)


def _mutants(
    course: Course, module: Module, mutant_dirs: Sequence[Path], wheat_dirs: Sequence[Path], *, generated: bool
) -> tuple[Mutant, ...]:
    from harness.mutation.catalogue import load_mutants
    from harness.mutation.curated import load_folder
    from harness.records import Tier

    further = [
        mutant
        for folders, tier in ((mutant_dirs, Tier.SEMANTIC), (wheat_dirs, Tier.WHEAT))
        for folder in folders
        for mutant in load_folder(folder, course, module, tier=tier)
    ]
    found = load_mutants(course, module, further, generated=generated)
    ids = [mutant.id for mutant in found]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        message = f"two mutants are called {twice!r}"
        raise UsageError(message, remedy="a file's stem is its id: rename yours")
    return found
