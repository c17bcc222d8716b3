"""Over the wire every mutant and wheat of the course gets the verdict that it gets in a child."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from harness.catalog import read_catalog
from harness.course import Course, load_course
from harness.engine.baseline import MEMORY_BYTES
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import Submission, WarmParent
from harness.mutation.curated import load_curated
from harness.profiles import Profile
from harness.records import Module, Outcome, Tier
from harness.student.workspace import needed_modules
from harness.subject.sandbox import strongest

pytestmark = pytest.mark.sandbox

COURSE = load_course()
LIMIT_S = 30.0


def reference(course: Course, module: Module) -> dict[str, str]:
    """The text of the module's files and of those it needs, in import order."""
    return {
        unit: text for one in (*needed_modules(course, module), module) for unit, text in course.read_units(one).items()
    }


def job(sources: Mapping[str, str], tests: list[str], *, trusted: bool) -> Job:
    """All tests on one subject up to the first failure: in the child itself where it is trusted, else over the wire."""
    return Job(
        sources=sources,
        in_place=None,
        tests=tuple(TestPlan(name, seed_for(0, "same verdicts", name), LIMIT_S) for name in tests),
        stop_at_first_failure=True,
        startup_limit_s=LIMIT_S,
        memory_bytes=MEMORY_BYTES,
        trusted=trusted,
    )


def told(outcome: Outcome) -> tuple[str, ...]:
    """Which test failed, or how far the process came; nothing where all is well."""
    failed = tuple(run.name for run in outcome.runs if not run.passed)
    return failed or (() if outcome.ending == "finished" else (outcome.ending, outcome.running))


@pytest.mark.parametrize("module", COURSE.modules, ids=lambda module: module.id)
def test_each_mutant_fails_the_same_test_and_each_wheat_none(module: Module) -> None:
    units = reference(COURSE, module)
    mutants = load_curated(COURSE, module)
    # Likely killers first, as `ol score` has them; each mutant fails what claims it at once.
    tests = [entry.name for entry in read_catalog(COURSE.test_files(module))]
    packages = {name for one in (*needed_modules(COURSE, module), module) for name in one.imports}
    submission = Submission(
        COURSE.reference,
        {unit: COURSE.unit_path(unit) for unit in units},
        strongest(),
        tuple(sorted(packages)),
        writable=module.files,
    )
    with WarmParent(COURSE, module, jobs=2, profile=Profile.CHECK, submission=submission) as parent:

        def both(sources: Mapping[str, str], first: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
            ordered = sorted(tests, key=lambda name: name not in first)
            here, there = (
                told(parent.run(job({**units, **sources}, ordered, trusted=trusted))) for trusted in (True, False)
            )
            return here, there

        with parent.pool() as pool:
            found = dict(
                zip(
                    [mutant.id for mutant in mutants],
                    pool.map(lambda mutant: both(mutant.sources, mutant.caught_by), mutants),
                    strict=True,
                )
            )
    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}
    assert [one.id for one in mutants if one.tier is Tier.WHEAT and found[one.id][0]] == []
    assert [one.id for one in mutants if one.tier is not Tier.WHEAT and not found[one.id][0]] == []
