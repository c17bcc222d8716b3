"""One `ol grade`: what was handed in goes in, every verdict goes into the store, and the files come out."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from harness.catalog import located, read_catalog
from harness.course import Course
from harness.engine.digests import digests_of
from harness.engine.versions import time_of_day, versions
from harness.errors import UsageError
from harness.grading.batch import Batch, Mode, changes, grades
from harness.grading.cluster import Cluster
from harness.grading.intake import receive, receive_one
from harness.grading.judge import Judge, Terms
from harness.grading.lateness import days_late, read_late
from harness.grading.local import Threads
from harness.grading.metadata import read_submission
from harness.grading.points import graded, without_code
from harness.grading.publish import column_of, filled, publish
from harness.grading.roster import Roster, read_roster
from harness.grading.rules import Scheme, scheme
from harness.grading.store import PENDING, Store
from harness.profiles import Profile
from harness.records import (
    CatalogEntry,
    CheckedTest,
    Grade,
    GradeChange,
    GradeStatus,
    GradingRun,
    Judged,
    Module,
    Received,
)
from harness.reports.class_summary import ClassSummary
from harness.reports.gradescope import results_json, skeleton_json
from harness.subject.sandbox import Level

STORE = "grades.sqlite"


@dataclass(frozen=True, slots=True)
class Request:
    """What an instructor asks for."""

    source: Path
    """A file, a folder, an archive, or a table of folders."""
    out: Path
    terms: Terms
    mode: Mode = Mode.NEW
    student: str = ""
    """A pattern: nobody else is judged."""
    roster: Path | None = None
    column: str = ""
    rules: Path | None = None
    late: Path | None = None
    due: datetime | None = None
    cluster: str = ""
    """Address of a scheduler, or ``local``; empty judges in this process's own children."""
    jobs: int = 2
    times: bool = True


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run came to."""

    run: GradingRun
    summary: ClassSummary
    files: Mapping[str, str]
    """Where each file lies, by what it holds."""
    changes: tuple[GradeChange, ...]


OnStart = Callable[[int], Callable[[str], None]]
"""Called with the number of submissions that are due; gives what is called with the key of each that is done."""


def grade_class(course: Course, module: Module, request: Request, on_start: OnStart) -> Finished:
    """Grade a class. An interrupt ends it early with what there is. Raises UsageError for what cannot be begun."""
    catalog = _catalog(course, module)
    rules = scheme(module, catalog, request.rules)
    run = _run(course, module, rules, request.terms)
    roster = None if request.roster is None else read_roster(request.roster)
    column = _tried_column(roster, request.column, rules) if roster else ""
    late = {} if request.late is None else read_late(request.late, request.due)
    facts = request.terms.facts()
    with _alone(request.out), Store(request.out / STORE) as store:
        if request.mode is Mode.NEW and any(store.counts().values()):
            message = f"{request.out} holds grades of an earlier run"
            raise UsageError(
                message, remedy="--resume goes on with it, --regrade judges what changed since, or name another --out"
            )
        batch = Batch(
            lambda: receive(request.source, course, module, roster, late=late, due=request.due),
            store,
            facts,
            rules,
            catalog,
            request.mode,
            request.student,
        )
        complete = True
        try:
            due = batch.note_all()
            batch.on_done = on_start(due)
            if due:
                with _judges(request, facts) as judges:
                    batch.judge_all(judges)
        except KeyboardInterrupt:
            complete = False
        run = replace(run, complete=complete and not store.counts().get(PENDING, 0))
        summary, files = publish(
            request.out,
            run,
            lambda: grades(store, rules, catalog),
            roster=roster,
            column=column,
            times=request.times,
        )
        return Finished(run, summary, {**files, "the store": str(store.path)}, tuple(changes(store)))


def _tried_column(roster: Roster, named: str, rules: Scheme) -> str:
    """The column that the points go into; that it can be filled is tried before a night of grading and not after it."""
    column = column_of(roster, named)
    if column:
        nothing = Judged(GradeStatus.INVALID)
        filled(roster, column, (graded(Received("", one.student), nothing, rules) for one in roster.students))
    return column


def _judges(request: Request, facts: Mapping[str, str]) -> Threads | Cluster:
    if request.cluster:
        return Cluster(request.cluster, request.terms, facts, jobs=request.jobs)
    return Threads(request.terms, jobs=request.jobs)


def grade_one(
    course: Course, module: Module, request: Request, *, metadata: Path | None, write: Callable[[str], None]
) -> Grade:
    """Grade the one submission of a Gradescope autograder; `write` gets a whole ``results.json`` after every step.

    What is there from the first step on is a result, so that a clock that stops us leaves one behind.
    """
    catalog = _catalog(course, module)
    rules = scheme(module, catalog, request.rules)
    run = _run(course, module, rules, request.terms)
    write(skeleton_json(run))
    received = receive_one(request.source, course, module)
    if metadata is not None:
        known = read_submission(metadata)
        late = days_late(known.created_at, known.due) if known.created_at and known.due else 0
        received = replace(received, student=known.student or received.student, name=known.name, late_days=late)
    if received.reason:
        grade = graded(received, without_code(received), rules)
        write(results_json(grade, run))
        return grade
    so_far: dict[str, CheckedTest] = {}

    def on_test(test: CheckedTest) -> None:
        so_far[test.entry.name] = test
        judged = Judged(GradeStatus.GRADED, tests=tuple(so_far.values()))
        write(results_json(graded(received, judged, rules), run))

    with Judge(request.terms) as judge:
        grade = graded(received, judge.judge(received.files, on_test), rules)
    write(results_json(grade, run))
    return grade


def skeleton(course: Course, module: Module, rules: Path | None, terms: Terms) -> str:
    """The ``results.json`` that lies there before anything ran."""
    return skeleton_json(_run(course, module, scheme(module, _catalog(course, module), rules), terms))


def _catalog(course: Course, module: Module) -> tuple[CatalogEntry, ...]:
    return located(read_catalog(course.test_files(module)), course.root)


def _run(course: Course, module: Module, rules: Scheme, terms: Terms) -> GradingRun:
    return GradingRun(
        module=module,
        scheme=rules.tests,
        max_points=rules.max_points,
        seed=terms.seed,
        profile=Profile.CHECK,
        isolation=Level(terms.level).name,
        versions=versions(),
        digests=digests_of(course, module),
        began_at=time_of_day(),
    )


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Be the only run that writes below a folder."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = (out / ".lock").open("w")
    except OSError as error:
        message = f"{out} cannot be written: {error.strerror}"
        raise UsageError(message, remedy="name another folder with --out") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            message = f"another run is writing to {out}"
            raise UsageError(message, remedy="wait for it, or name another folder with --out") from error
        yield
