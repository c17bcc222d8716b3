"""The command line: parse, call, print, exit code. Nothing is decided here.

Heavy libraries are imported by the command that needs them, so that `ol --help` answers at once.
"""

from __future__ import annotations

import difflib
import itertools
import math
import os
import shutil
import signal
import sys
import time
import traceback
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import __version__
from harness.errors import ExitCode, HarnessError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.course import Course
    from harness.grading.run import Request
    from harness.records import CheckReport, Module, Mutant, PastRun, Report, Verdict
    from harness.reports.against import Against

_EXIT_CODES = "\n".join(f"  {code:>2}  {code.meaning}" for code in ExitCode)
_WIDEST = 100


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nExit codes:\n{_EXIT_CODES}",
)
@click.version_option(__version__, prog_name="tokproof", message="%(prog)s %(version)s")
@click.option(
    "--course",
    "course_dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A course directory to use in the place of the built-in one.",
)
@click.pass_context
def ol(context: click.Context, course_dir: Path | None) -> None:
    """Prove a byte-level tokenizer right, or see the smallest input on which it is wrong."""
    context.obj = course_dir


def _course(context: click.Context) -> Course:
    from harness.course import load_course

    return load_course(context.obj)


def _finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN, which lies in every range because it compares with nothing."""
    if value is not None and not math.isfinite(value):
        message = f"{value} is not a percentage"
        raise click.BadParameter(message)
    return value


_out = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Leave the result document in FILE and not below .ol/results.",
)


# --- ol score ------------------------------------------------------------------------------------------------------


@ol.command()
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
@_out
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
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
    course = _course(context)
    options = Options(jobs=jobs or _default_jobs(), seed=DEFAULT_SEED if seed is None else seed, matrix=matrix)
    again = ["ol", *(["--course", str(context.obj)] if context.obj else []), "score"]
    asked = [word for folder in mutant_dirs for word in ("--mutants", str(folder))]
    asked += [] if seed is None else ["--seed", str(seed)]
    reports, codes = [], []
    for module in _chosen(course, module_id, every=every):
        with _stoppable(), Start(course, module, options) as start:
            mutants = _only(_mutants(course, module, mutant_dirs, wheat_dirs, generated=generated), only)
            with _progress(module.id, total=len(mutants)) as step:
                report = run_score(course, module, mutants, options, start=start, on_verdict=_named(step))
        if seeds and report.complete and report.controls.hold:
            report = _searched(course, module, report, mutants, seeds=seeds, jobs=options.jobs)
        if explain and report.complete:
            report = _explain(course, module, report, jobs=options.jobs, command=[*again, module.id, *asked])
        reports.append(report)
        codes.append(exit_code(report, fail_under_percent=fail_under))
        _leave_score(report, out, whole=not only)
        if not as_json:
            from harness.reports.terminal import score_text

            _print(score_text(report, width=_width(), colour=_colour()))
            if report.search is not None:
                from harness.reports.search_report import search_text

                _print("\n" + search_text(report.search, width=_width(), colour=_colour()))
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
        _leave(out or results.FOLDER / f"score-{report.module.id}.json", score_json([report], several=False) + "\n")
    if whole:
        try:
            results.append(results.FOLDER / results.HISTORY, history_line(report))
        except OSError as error:
            click.echo(f"ol: {results.FOLDER / results.HISTORY} cannot be written: {error.strerror}", err=True)


def _leave(path: Path, text: str) -> None:
    """Leave a result. The verdict stands whether or not that works, so that a full disk costs a note and no more."""
    from harness import results

    try:
        results.write(path, text)
    except OSError as error:
        click.echo(f"ol: the result was not left in {path}: {error.strerror}", err=True)


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

    with _stoppable(), _progress(f"{module.id}, explaining") as step:
        return explain_kills(course, module, report, jobs=jobs, command=command, on_step=step)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM, with which CI systems cancel a job, end a run as an interrupt at the keyboard does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _searched(
    course: Course, module: Module, report: Report, mutants: Sequence[Mutant], *, seeds: int, jobs: int
) -> Report:
    from harness.engine.search import search

    try:
        with _stoppable(), _progress(f"{module.id}, {seeds} seeds") as step:
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


# --- ol report -----------------------------------------------------------------------------------------------------


def _formats(command: Callable[..., object]) -> Callable[..., object]:
    """An option with a file for each format."""
    from harness.reports.formats import FORMATS

    for name in reversed(FORMATS):
        place = click.Path(path_type=Path, dir_okay=False)
        command = click.option(f"--{name}", type=place, metavar="FILE", help=f"Write {FORMATS[name]}.")(command)
    return command


@ol.command()
@click.argument("result", metavar="[RESULT]", required=False, type=click.Path(path_type=Path))
@_formats
@click.option(
    "--against",
    "old",
    type=click.Path(path_type=Path),
    metavar="OLD",
    help="An older result of the same module: show what is newly killed, newly surviving, newly flaky.",
)
@click.option("--fail-on-new-survivors", is_flag=True, help="Fail where a mutant survives that did not in OLD.")
def report(*, result: Path | None, old: Path | None, fail_on_new_survivors: bool, **places: Path | None) -> ExitCode:
    """Show a result that `ol score` or `ol check` left, or write it in other formats.

    RESULT is a result document (default: the newest in .ol/results below the current folder).
    """
    from harness import results
    from harness.records import Report
    from harness.reports.against import against
    from harness.reports.formats import rendered
    from harness.reports.history import past_runs

    path = result or results.newest(Path())
    found = _read_result(path)
    compared = None
    if old is not None:
        before = _read_result(old)
        if not isinstance(found, Report) or not isinstance(before, Report) or before.module.id != found.module.id:
            message = f"{old} and {path} are not two scores of one module"
            raise UsageError(message, remedy="--against takes an older score document of the same module")
        compared = against(found, before)
    elif fail_on_new_survivors:
        message = "--fail-on-new-survivors needs an older result to compare with"
        raise UsageError(message, remedy="name it: --against OLD")
    history = past_runs(results.history_beside(path), found) if isinstance(found, Report) else ()
    wanted = {name: place for name, place in places.items() if place is not None}
    for name, place in wanted.items():
        text = rendered(name, found, history=history, compared=compared)
        try:
            results.write(place, text)
        except OSError as error:
            message = f"{place} cannot be written: {error.strerror}"
            raise UsageError(message) from error
        click.echo(f"wrote {place}")
    if not wanted:
        _show(found, history, compared)
    newly = compared is not None and compared.newly_surviving
    return ExitCode.FAIL if fail_on_new_survivors and newly else ExitCode.PASS


def _read_result(path: Path) -> Report | CheckReport:
    from harness import results
    from harness.reports.read_document import read_document

    return read_document(results.read(path), where=str(path))


def _show(found: Report | CheckReport, history: Sequence[PastRun], compared: Against | None) -> None:
    from harness.records import Report
    from harness.reports.check_report import check_text
    from harness.reports.result_text import result_text

    if isinstance(found, Report):
        _print(result_text(found, history=history, compared=compared, width=_width(), colour=_colour()))
    else:
        _print(check_text(found, width=_width(), colour=_colour()))


# --- ol lint -------------------------------------------------------------------------------------------------------


@ol.command()
@click.argument("module_ids", metavar="[ID]...", nargs=-1)
@click.option("-j", "--jobs", type=click.IntRange(1, 64), help="Mutants tested at once (default: as in score).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.pass_context
def lint(context: click.Context, *, module_ids: tuple[str, ...], jobs: int | None, as_json: bool) -> ExitCode:
    """Check that a course keeps its promises: claims, patches, contracts, mutants (default: every module)."""
    from harness.lint.course import RULES
    from harness.lint.course import lint as run_lint
    from harness.reports.lint_report import lint_json, lint_text

    course = _course(context)
    found = {}
    for module in [course.module(one) for one in module_ids] or course.modules:
        with _progress(module.id) as step:
            found[module.id] = run_lint(course, module, jobs=jobs or _default_jobs(), on_verdict=_named(step))
        if not as_json:
            _print(lint_text(module, found[module.id], RULES, width=_width(), colour=_colour()))
    if as_json:
        click.echo(lint_json(found))
    return ExitCode.FAIL if any(found.values()) else ExitCode.PASS


def _default_jobs() -> int:
    return min(2, os.cpu_count() or 1)


def _named(step: Callable[[str], None]) -> Callable[[Verdict], None]:
    return lambda verdict: step(f"{verdict.mutant.id} {verdict.status}")


# --- the student's commands ----------------------------------------------------------------------------------------

_at = click.option(
    "--at",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Your folder (default: this one); the code is in DIR/python.",
)
_require_isolation = click.option(
    "--require-isolation",
    type=click.Choice([f"L{level}" for level in range(6)]),
    help="End with an error where this machine does not isolate the code that strongly; `ol doctor` shows its levels.",
)


@ol.command()
@click.argument("module_id", metavar="ID")
@_at
@click.pass_context
def start(context: click.Context, *, module_id: str, at: Path) -> ExitCode:
    """Write a module's stubs into your folder; what is there already is never touched."""
    from harness.reports.student_report import start_text
    from harness.student.start import start as run_start
    from harness.student.workspace import Workspace

    course = _course(context)
    module = course.module(module_id)
    done = run_start(course, module, Workspace(at.resolve()))
    _print(start_text(module, done.written, done.kept, done.needs, width=_width(), colour=_colour()))
    return ExitCode.PASS


@ol.command()
@click.argument("module_id", metavar="ID")
@_at
@click.option("--kind", help="Run only the tests of this kind: unit, golden, property, boundary or cost.")
@click.option("--test", metavar="NAME", help="Run only this test, exactly as in a whole check.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search (default: fixed).")
@click.option("--ref-deps", is_flag=True, help="Let the reference stand in for modules that you have not built.")
@_require_isolation
@_out
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
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

    course = _course(context)
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
    _leave(out or at / results.FOLDER / f"check-{report.module.id}.json", check_json(report) + "\n")
    if as_json:
        click.echo(check_json(report))
    else:
        _print(check_text(report, width=_width(), colour=_colour()))
    return _CHECK_CODES[report.verdict]


_CHECK_CODES = {
    "pass": ExitCode.PASS,
    "fail": ExitCode.FAIL,
    "not_started": ExitCode.NOTHING,
    "blocked": ExitCode.BLOCKED,
    "drift": ExitCode.DRIFT,
    "error": ExitCode.ERROR,
}


@ol.command()
@click.argument("module_id", metavar="ID")
@_at
@click.option("--spoil", is_flag=True, help="Show it before a pass; that is recorded in your folder.")
@click.pass_context
def diff(context: click.Context, *, module_id: str, at: Path, spoil: bool) -> ExitCode:
    """Compare your code with the reference, function by function, once it has passed."""
    from dataclasses import replace as changed

    from harness.course import read_text
    from harness.reports.student_report import diff_text
    from harness.student.compare import compare
    from harness.student.source import Unreadable
    from harness.student.workspace import Progress, Workspace

    course = _course(context)
    module = course.module(module_id)
    workspace = Workspace(at.resolve())
    passed = workspace.progress(course, module) is Progress.PASS
    if not passed and not spoil:
        click.echo(f"ol: {module.id} has not passed yet, as it is now: `ol check {module.id}`", err=True)
        click.echo("    --spoil shows the reference all the same, and is recorded in your folder", err=True)
        return ExitCode.FAIL
    if not passed:
        workspace.remember(module, changed(workspace.record(module), spoiled=True))
    differences = []
    for unit in module.units:
        try:
            yours = workspace.read(unit) if workspace.unit_path(unit).is_file() else ""
        except Unreadable:
            yours = ""
        differences += [(one.name, one.diff) for one in compare(yours, read_text(course.unit_path(unit)))]
    _print(diff_text(module, differences, passed=passed, width=_width(), colour=_colour()))
    return ExitCode.PASS


@ol.command()
@_at
@click.pass_context
def status(context: click.Context, *, at: Path) -> ExitCode:
    """Show how far every module is in your folder."""
    from harness.reports.student_report import StatusRow, status_text
    from harness.student.workspace import Workspace

    course = _course(context)
    workspace = Workspace(at.resolve())
    rows = []
    for module in course.modules:
        record = workspace.record(module)
        rows.append(StatusRow(module, workspace.progress(course, module), record.assisted, record.spoiled))
    _print(status_text(rows, width=_width(), colour=_colour()))
    return ExitCode.PASS


# --- ol verify -----------------------------------------------------------------------------------------------------


_PROGRAM = "harness.verify.program"


class _WithProgram(click.Command):
    """A command behind whose ``--`` stands another command line, which is none of its own arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta[_PROGRAM] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@ol.command(cls=_WithProgram)
@click.argument("words", metavar="TOKENIZER", nargs=-1)
@click.option("--encoding", default="gpt2", show_default=True, metavar="NAME", help="gpt2, cl100k_base or o200k_base.")
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="VENV",
    help="A virtual environment, or its interpreter, in which a Python tokenizer runs (default: this one).",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="A folder to import from, or to read. May be repeated.",
)
@click.option(
    "--effort", type=click.Choice(["full", "quick"]), default="full", show_default=True, help="How much is tried."
)
@click.option(
    "--profile",
    type=click.Choice(["strict", "tiktoken", "huggingface"]),
    help="What bad input may come to (default: by the tokenizer's shape).",
)
@click.option(
    "--known",
    "known_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Further known differences, in the form of known_differences.toml. May be repeated.",
)
@click.option("--only", multiple=True, metavar="PART", help="Run this part only. May be repeated.")
@click.option("--try", "question", metavar="CALL", help="Ask one question, such as \"encode('a b')\", and compare.")
@click.option(
    "--memory",
    "memory_mib",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Memory that the tokenizer may use.",
)
@click.option(
    "--call-limit",
    type=click.FloatRange(0.1),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one call may take.",
)
@click.option(
    "--isolation",
    type=click.Choice([f"L{level}" for level in range(6)]),
    help="Isolate no more strongly than this (default: as strongly as this machine can).",
)
@click.option(
    "--badge", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write a shields endpoint."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
@click.pass_context
def verify(
    context: click.Context,
    *,
    words: tuple[str, ...],
    encoding: str,
    python: Path | None,
    paths: tuple[Path, ...],
    effort: str,
    profile: str | None,
    known_files: tuple[Path, ...],
    only: tuple[str, ...],
    question: str | None,
    memory_mib: int,
    call_limit: float,
    isolation: str | None,
    badge: Path | None,
    as_json: bool,
) -> ExitCode:
    """Hold any tokenizer to a published encoding; the exit code is the verdict.

    TOKENIZER is python:PKG.MODULE:FACTORY, a tokenizer.json, a vocab.bpe, a file of ranks (*.tiktoken), one of
    tiktoken, tokenizers and transformers, or, behind --, the command line of a program that speaks the wire
    (docs/verify.md).
    """
    from harness.bytelevel.conformance.bad_input import Profile
    from harness.bytelevel.conformance.domain import Effort
    from harness.bytelevel.conformance.known import read_known
    from harness.bytelevel.encodings import ENCODINGS
    from harness.reports.verify_report import badge_json, verify_json, verify_text
    from harness.subject.sandbox import Level, strongest
    from harness.verify.question import parse
    from harness.verify.run import PARTS, Wanted
    from harness.verify.run import verify as run_verify
    from harness.verify.target import Options, resolve

    if encoding not in ENCODINGS:
        message = f"no encoding is called {encoding!r}"
        raise UsageError(message, remedy=f"one of {', '.join(ENCODINGS)}")
    asked = None if question is None else parse(question)
    unknown = [name for name in only if name not in PARTS]
    if unknown:
        message = f"no part is called {unknown[0]!r}"
        raise UsageError(message, remedy=f"one of {', '.join(PARTS)}")
    level = strongest() if isolation is None else min(strongest(), Level[isolation])
    options = Options(python, paths, level, memory_bytes=memory_mib << 20, call_limit_s=call_limit)
    program = context.meta.get(_PROGRAM, ())
    wanted = Wanted(
        effort=Effort(effort),
        profile=None if profile is None else Profile(profile),
        known=read_known(known_files),
        only=only,
        question=asked,
        replay=_replayed(words, program, context),
    )
    judged = ENCODINGS[encoding]()
    target = resolve(words, program, judged, options)
    with _progress(target.shown) as step:
        report = run_verify(target, judged, wanted, isolation=level.name, on_part=step)
    if badge is not None:
        badge.write_text(badge_json(report) + "\n", encoding="utf-8")
    if as_json:
        click.echo(verify_json(report))
    else:
        _print(verify_text(report, width=_width(), colour=_colour()))
    return ExitCode.PASS if report.is_equal else ExitCode.FAIL


def _replayed(words: Sequence[str], program: Sequence[str], context: click.Context) -> str:
    """The command line that judges the same tokenizer, to which `--try` or `--only` is added."""
    import shlex

    kept = ["ol", "verify", *words]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in _REPLAYED and value not in (None, (), parameter.default):
            for one in value if isinstance(value, tuple) else (value,):
                kept += [parameter.opts[0], str(one)]
    line = shlex.join(kept) + " {}"
    return f"{line} -- {shlex.join(program)}" if program else line


_REPLAYED = ("encoding", "python", "paths", "profile", "known_files", "memory_mib", "call_limit", "isolation")


# --- ol grade, ol gradescope ---------------------------------------------------------------------------------------


def _moment(context: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    from harness.grading.lateness import moment

    found = None if value is None else moment(value)
    if value is not None and found is None:
        message = f"{value!r} is no moment such as 2030-01-31T23:59+01:00"
        raise click.BadParameter(message)
    return found


_rules = click.option(
    "--rules",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Points, required and hidden tests, lateness: a TOML file (docs/grading.md).",
)


@ol.command()
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
@_rules
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
@_require_isolation
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
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

    course = _course(context)
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
    with _stoppable(), ExitStack() as stack:
        finished = grade_class(
            course, module, request, lambda due: stack.enter_context(_progress(module.id, total=due))
        )
    if as_json:
        click.echo(grading_json(finished.run, finished.summary, finished.changes, files=finished.files))
    else:
        text = class_text(
            finished.run,
            finished.summary,
            files=finished.files,
            resume=_resuming(context),
            width=_width(),
            colour=_colour(),
        )
        _print(text)
        if request.mode is Mode.REGRADE:
            _print("\n" + changes_text(finished.changes, width=_width(), colour=_colour()))
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


@ol.group()
def gradescope() -> None:
    """What Gradescope needs."""


@gradescope.command("build")
@click.argument("module_id", metavar="ID")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("autograder.zip"), show_default=True
)
@_rules
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search (default: fixed).")
@_require_isolation
@click.pass_context
def gradescope_build(
    context: click.Context,
    *,
    module_id: str,
    out: Path,
    rules: Path | None,
    seed: int | None,
    require_isolation: str | None,
) -> ExitCode:
    """Write the autograder for a module: upload it, and every submission is graded as `ol grade` does here."""
    from harness import results
    from harness.engine.score import DEFAULT_SEED
    from harness.engine.versions import installed
    from harness.grading.gradescope_build import NAME, build, pinned
    from harness.grading.judge import Terms
    from harness.grading.run import skeleton
    from harness.subject.sandbox import Level

    course = _course(context)
    module = course.module(module_id)
    arguments = [] if seed is None else ["--seed", str(seed)]
    arguments += [] if require_isolation is None else ["--require-isolation", require_isolation]
    terms = Terms(module.id, DEFAULT_SEED if seed is None else seed, int(Level[require_isolation or "L1"]))
    archive = build(
        course,
        module,
        skeleton=skeleton(course, module, rules, terms),
        version=installed(NAME),
        requirements=pinned(),
        rules="" if rules is None else rules.read_text("utf-8"),
        arguments=arguments,
    )
    try:
        results.write_pieces(out, [archive])
    except OSError as error:
        message = f"{out} cannot be written: {error.strerror}"
        raise UsageError(message) from error
    click.echo(f"wrote {out}: upload it as the autograder of an assignment of Gradescope")
    return ExitCode.PASS


# --- ol tests, ol doctor -------------------------------------------------------------------------------------------


@ol.command()
@click.argument("module_id", metavar="ID")
@click.pass_context
def tests(context: click.Context, *, module_id: str) -> ExitCode:
    """Print what each test of a module checks, why, and which mutants it catches."""
    from harness.catalog import read_catalog
    from harness.reports.terminal import catalog_text

    course = _course(context)
    module = course.module(module_id)
    _print(catalog_text(module, read_catalog(course.test_files(module)), width=_width(), colour=_colour()))
    return ExitCode.PASS


@ol.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def doctor(*, as_json: bool) -> ExitCode:
    """Tell what is installed, and whether GPT-2's files and each oracle passed their self-checks."""
    from harness.doctor import examine
    from harness.records import State
    from harness.reports.doctor_report import doctor_json, doctor_text

    findings = examine()
    if as_json:
        click.echo(doctor_json(findings))
    else:
        _print(doctor_text(findings, width=_width(), colour=_colour()))
    return ExitCode.ERROR if any(one.state in (State.REJECTED, State.DAMAGED) for one in findings) else ExitCode.PASS


# --- printing ------------------------------------------------------------------------------------------------------


def _colour() -> bool:
    """Whether to colour standard output: on a terminal, unless NO_COLOR or TERM=dumb says no."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _width() -> int:
    return min(_WIDEST, shutil.get_terminal_size((80, 24)).columns)


def _print(text: str) -> None:
    click.echo(text, nl=False, color=True)


@contextmanager
def _progress(label: str, *, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """A counter on standard error while a terminal watches; otherwise nothing."""
    from harness.reports.readable import readable

    if not sys.stderr.isatty():
        yield lambda step: None
        return
    done, began = itertools.count(1), time.monotonic()
    of = "" if total is None else f" of {total}"

    def step(what: str) -> None:
        count = next(done)
        rate = count / max(0.001, time.monotonic() - began)
        left = "" if total is None else f"  {rate:.1f}/s, {max(0, total - count) / rate:.0f} s left"
        click.echo(f"\r\x1b[K{label}: {count}{of}{left}  {readable(what)[:40]}", err=True, nl=False)

    try:
        yield step
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


# --- the way in and out --------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ol` and return its exit code; whatever a user can cause ends in a message and never in a traceback."""
    try:
        result = ol.main(args=arguments, prog_name="ol", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return ExitCode.USAGE
    except click.UsageError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        error.show()
        return ExitCode.ERROR
    except HarnessError as error:
        click.echo(f"ol: {error}", err=True)
        if error.remedy:
            click.echo(f"    {error.remedy}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("ol: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; closing quietly is what every other filter does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.PASS
    except Exception as error:
        if os.environ.get("TOKPROOF_DEBUG"):
            traceback.print_exc()
        click.echo(f"ol: a fault in tokproof itself: {type(error).__name__}: {error}", err=True)
        click.echo("    run it again with TOKPROOF_DEBUG=1 for the traceback, and please report it", err=True)
        return ExitCode.ERROR
    return int(result) if isinstance(result, int) else ExitCode.PASS


def run() -> None:
    """The console script."""
    sys.exit(main())
