"""`ol check`: from a student's files to a verdict.

Contract drift comes first, since a test against a missing function says little; then the tests run in child processes
with limits, and the student's code in sandboxed processes of its own at the other end of a wire.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from harness.catalog import located, read_catalog
from harness.contract import drift, read_declarations
from harness.course import Course, read_text
from harness.engine.baseline import CONFIRMING_PATIENCE
from harness.engine.behaviour import observe_probes
from harness.engine.digests import digest, digests_of
from harness.engine.judging import Code, Findings, run_tests
from harness.engine.parent import Submission, WarmParent
from harness.engine.score import DEFAULT_SEED
from harness.engine.versions import time_of_day, versions
from harness.errors import UsageError
from harness.mutation.curated import load_curated
from harness.mutation.witness import probes_of
from harness.profiles import Profile
from harness.records import (
    CatalogEntry,
    CheckedTest,
    CheckReport,
    CheckVerdict,
    Kind,
    Module,
)
from harness.student.diagnose import causes_of
from harness.student.source import Unreadable
from harness.student.workspace import Record, UnitState, Workspace, needed_modules
from harness.subject import sandbox
from harness.subject.sandbox import Level

JOBS = 2
BUDGET_S = 20.0
"""No test is begun after this; with the last one's limit it bounds the whole command. Only after an import that did not
end in time is all tried once more, with more of it."""

MOST_LOST = 2
"""Once so many questions about the mistake got no answer, no further one is asked."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a student can ask of a check."""

    kind: Kind | None = None
    test: str | None = None
    seed: int = DEFAULT_SEED
    ref_deps: bool = False
    isolation: Level | None = None
    """The level that the student's code runs at; None is the strongest that holds here."""
    at: str = "."
    """The folder as the student named it, for the commands that are shown."""


def check(course: Course, module: Module, workspace: Workspace, request: Request) -> CheckReport:
    """Judge the code of one module in a student's folder; remembers the verdict of a whole check there."""
    began, began_at = time.monotonic(), time_of_day()
    report = replace(_check(course, module, workspace, request), began_at=began_at, profile=Profile.CHECK)
    whole = request.kind is None and request.test is None
    if whole and report.verdict in (CheckVerdict.PASS, CheckVerdict.FAIL):
        known = workspace.record(module)
        digest = workspace.digest(course, module)
        workspace.remember(module, Record(report.verdict, digest, report.assisted, known.spoiled))
    return replace(report, elapsed_s=time.monotonic() - began)


def _check(course: Course, module: Module, workspace: Workspace, request: Request) -> CheckReport:
    level = sandbox.strongest() if request.isolation is None else request.isolation
    report = CheckReport(module, CheckVerdict.PASS, seed=request.seed, isolation=level.name, versions=versions())
    report = replace(report, digests=digests_of(course, module))
    entries = _chosen(located(read_catalog(course.test_files(module)), course.root), request)
    missing = [one for one in needed_modules(course, module) if not workspace.is_built(one)]
    if missing and not request.ref_deps:
        names = ", ".join(one.id for one in missing)
        message = f"{module.id} needs {names}: build it, or rerun with --ref-deps"
        return replace(report, verdict=CheckVerdict.BLOCKED, message=message)
    if message := _not_started(module, workspace):
        return replace(report, verdict=CheckVerdict.NOT_STARTED, message=message)
    report = replace(report, assisted=bool(missing))
    for unit in module.units:
        try:
            text = workspace.read(unit)
        except Unreadable as error:
            message = f"{_shown(workspace, unit)} is not Python: {error}"
            return replace(report, verdict=CheckVerdict.FAIL, message=message)
        contract = read_declarations(read_text(course.contract_path(unit)), where=unit)
        if drifts := drift(contract, read_declarations(text, where=unit)):
            lines = [f"{one.name}\n  contract  {one.expected}\n  yours     {one.found}" for one in drifts]
            return replace(report, verdict=CheckVerdict.DRIFT, message="\n".join(lines))
    units, texts = _installed(course, module, workspace, assisted={one.id for one in missing})
    try:
        helpers = workspace.helpers(course)
    except Unreadable as error:
        return replace(report, verdict=CheckVerdict.FAIL, message=f"your further modules: {error}")
    report = replace(report, digests={**report.digests, "submission": digest({**helpers, **texts})})
    modules = (*needed_modules(course, module), module)
    packages = {name for one in modules for name in one.imports}
    submission = Submission(
        workspace.home, units, level, tuple(sorted(packages)), writable=any(one.files for one in modules)
    )
    code = Code(texts, helpers)
    with WarmParent(
        course, module, jobs=JOBS, profile=Profile.CHECK, submission=submission, interruptible=True
    ) as parent:
        outcomes = _run(parent, code, entries, request.seed)
        if isinstance(outcomes, str):
            return replace(report, verdict=CheckVerdict.FAIL, message=outcomes)
        tests = tuple(with_replay(one, module, request) for one in outcomes)
        failed = [one.entry.name for one in tests if one.status == "fail"]
        if not failed and all(one.status == "pass" for one in tests):
            return replace(report, tests=tests)
        curated = load_curated(course, module)
        probes = probes_of(module, curated)
        shown = observe_probes(parent, texts, probes, trusted=False, files=helpers, most_lost=MOST_LOST)
        causes = causes_of(failed, shown, curated, course.behaviour(module))
        complete = all(one.status != "not_run" for one in tests)
        return replace(report, verdict=CheckVerdict.FAIL, tests=tests, causes=causes, complete=complete)


def _chosen(catalog: Sequence[CatalogEntry], request: Request) -> list[CatalogEntry]:
    chosen = [entry for entry in catalog if request.kind in (None, entry.kind) and request.test in (None, entry.name)]
    if not chosen:
        wanted = f"test {request.test!r}" if request.test else f"test of kind {request.kind}"
        message = f"there is no {wanted}"
        raise UsageError(message, remedy="`ol tests ID` lists them")
    return chosen


def _not_started(module: Module, workspace: Workspace) -> str:
    """Why there is nothing to check; empty where there is."""
    for unit in module.units:
        state = workspace.unit_state(unit)
        if state is UnitState.ABSENT:
            message = f"{_shown(workspace, unit)} is not there: `ol start {module.id}` makes it"
            strays = workspace.strays(unit)
            if strays:
                message += f"; {strays[0].relative_to(workspace.root)} is, and would have to be moved"
            return message
    if all(workspace.unit_state(unit) is UnitState.STUB for unit in module.units):
        return f"{_shown(workspace, module.units[0])} is still a stub: every function raises NotImplementedError"
    return ""


def _shown(workspace: Workspace, unit: str) -> str:
    return str(workspace.unit_path(unit).relative_to(workspace.root))


def _installed(
    course: Course, module: Module, workspace: Workspace, *, assisted: set[str]
) -> tuple[dict[str, Path], dict[str, str]]:
    """Path and text of each unit that is put in place, in import order: the reference's for assisted modules."""
    paths: dict[str, Path] = {}
    texts: dict[str, str] = {}
    for one in (*needed_modules(course, module), module):
        if one.id in assisted:
            paths |= {unit: course.unit_path(unit) for unit in one.sources}
            texts |= course.read_units(one)
        else:
            paths |= {unit: workspace.unit_path(unit) for unit in one.units}
            texts |= {unit: workspace.read(unit) for unit in one.units}
    return paths, texts


def _run(parent: WarmParent, code: Code, entries: Sequence[CatalogEntry], seed: int) -> list[CheckedTest] | str:
    """Every test's result in the order of `entries`, or why none of them counts."""
    found = _run_shares(parent, code, entries, seed)
    if any(one.unimported for one in found):
        # A busy machine may be to blame: an import asks for no work, so that its time is nearly all the machine's.
        found = _run_shares(parent, code, entries, seed, patience=CONFIRMING_PATIENCE)
    for refused in filter(None, (one.refused for one in found)):
        return refused
    results = {name: test for one in found for name, test in one.tests.items()}
    return [results.get(entry.name, CheckedTest(entry, "not_run")) for entry in entries]


def _run_shares(
    parent: WarmParent, code: Code, entries: Sequence[CatalogEntry], seed: int, *, patience: float = 1.0
) -> list[Findings]:
    """Two processes share the tests in turn, so that slow neighbours are parted."""
    shares = [entries[lane::JOBS] for lane in range(JOBS)]
    run = partial(
        run_tests, parent, code, seed=seed, patience=patience, deadline=time.monotonic() + BUDGET_S * patience
    )
    with ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(run, shares))


def with_replay(test: CheckedTest, module: Module, request: Request) -> CheckedTest:
    """A failed test with the command that runs it again as the request had it."""
    if test.status != "fail":
        return test
    words = ["ol", "check", module.id, "--test", test.entry.name]
    if request.seed != DEFAULT_SEED:
        words += ["--seed", str(request.seed)]
    if request.ref_deps:
        words.append("--ref-deps")
    if request.at != ".":
        words += ["--at", request.at]
    return replace(test, replay=shlex.join(words))
