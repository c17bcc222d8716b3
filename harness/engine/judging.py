"""All tests on code that nobody trusts: jobs until every test has a result, or a reason why none of them counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.engine.baseline import MEMORY_BYTES
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import WarmParent
from harness.errors import EngineError
from harness.records import CatalogEntry, CheckedTest, Ending, Outcome, TestRun

TEST_LIMIT_S = 8.0


@dataclass(slots=True)
class Findings:
    """What is known of each test, by its name."""

    tests: dict[str, CheckedTest] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    """Tests that failed because no answer came in time."""
    forged: bool = False
    """Whether the code wrote where only answers may go."""
    unimported: bool = False
    """Whether no test counts because importing the code did not end in time."""
    refused: str = ""
    """Why no test counts: the code cannot be imported, or wrote where only answers may go."""


@dataclass(frozen=True, slots=True)
class Code:
    """What is judged."""

    units: Mapping[str, str]
    """Text of each unit, in import order, those of needed modules included."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Text of its further modules, by path below the folder of its package."""


def run_tests(
    parent: WarmParent,
    code: Code,
    entries: Sequence[CatalogEntry],
    *,
    seed: int,
    patience: float = 1.0,
    deadline: float = float("inf"),
    most_late: int | None = None,
    on_test: Callable[[CheckedTest], None] | None = None,
) -> Findings:
    """Run tests in their order, in as few processes as the code's own behaviour allows.

    A test may take `patience` times `TEST_LIMIT_S`; past `deadline` (of `time.monotonic`) no further process is begun.
    With `most_late`, those left after so many tests that got no answer in time are not run.
    `on_test` is called with each test's result as it ends; only what is returned is final.
    Raises EngineError where we failed.
    """
    found = Findings()
    by_name = {entry.name: entry for entry in entries}
    left = list(entries)

    def tell(run: TestRun) -> None:
        if on_test is not None:
            on_test(_checked(run, by_name[run.name]))

    while left and time.monotonic() < deadline:
        limit_s = TEST_LIMIT_S * patience
        job = Job(
            sources=dict(code.units),
            in_place=None,
            tests=tuple(TestPlan(one.name, seed_for(seed, "submission", one.name), limit_s) for one in left),
            stop_at_first_failure=False,
            startup_limit_s=limit_s,
            memory_bytes=MEMORY_BYTES,
            files=dict(code.files),
            tells=on_test is not None,
            most_late=None if most_late is None else most_late - len(found.late),
        )
        outcome = parent.run(job, tell)
        if not parent.is_alive:
            message = "the process that runs the tests is gone"
            raise EngineError(message)
        found.forged = outcome.ending is Ending.FORGED
        found.refused = _refused(outcome)
        found.unimported = bool(found.refused) and outcome.ending is Ending.TIMED_OUT
        if found.refused:
            return found
        _add(found, by_name, outcome)
        left = [entry for entry in left if entry.name not in found.tests]
        if most_late is not None and len(found.late) >= most_late:
            break
    return found


def _refused(outcome: Outcome) -> str:
    if outcome.ending is Ending.FORGED:
        return (
            f"your code wrote where only answers may go, so that none of them counts ({outcome.detail}): "
            "take out what writes to file descriptors"
        )
    if outcome.ending is Ending.BROKEN:
        message = f"the tests could not be run: {outcome.detail}"
        raise EngineError(message)
    if outcome.ending is Ending.INVALID:
        return f"importing it failed: {outcome.detail}"
    if not outcome.runs and not outcome.running and outcome.ending is not Ending.FINISHED:
        return f"importing it did not end well: {outcome.detail}"
    return ""


def _add(found: Findings, by_name: Mapping[str, CatalogEntry], outcome: Outcome) -> None:
    for run in outcome.runs:
        if run.late:
            found.late.append(run.name)
        found.tests[run.name] = _checked(run, by_name[run.name])
    if outcome.running:
        if outcome.ending is Ending.TIMED_OUT:
            found.late.append(outcome.running)
        found.tests[outcome.running] = CheckedTest(
            by_name[outcome.running], "fail", expected="an answer", got=outcome.detail
        )


def _checked(run: TestRun, entry: CatalogEntry) -> CheckedTest:
    if run.passed:
        return CheckedTest(entry, "pass", examples=run.examples)
    return CheckedTest(
        entry,
        "fail",
        input=run.details.get("input", ""),
        values=tuple(filter(None, run.details.get("values", "").split("\n"))),
        expected=run.details.get("expected", ""),
        got=run.details.get("got", run.reason),
        examples=run.examples,
    )
