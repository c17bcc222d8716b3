"""A machine that has no time for us changes no verdict: what came to no end in time is tried again with more of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.course import load_course
from harness.engine.behaviour import observe_probes
from harness.engine.parent import WarmParent
from harness.engine.score import Options, score
from harness.engine.search import search
from harness.mutation.curated import load_curated
from harness.mutation.witness import probes_of
from harness.records import Controls, Ending, Outcome, Status

pytestmark = pytest.mark.slow

COURSE = load_course(Path(__file__).parent / "courses" / "tiny")
MODULE = COURSE.module("T1")
MUTANTS = load_curated(COURSE, MODULE)


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every job comes to no end in its ordinary time; the list has one word for each of them.

    Which time is ordinary is known by the limit at the start, which is the same for all jobs that are no second try.
    """
    run = WarmParent.run
    ordinary: dict[int, float] = {}
    late: list[str] = []

    def run_late(parent: WarmParent, job: Any, *rest: Any) -> Outcome:
        if job.trace:
            return run(parent, job, *rest)
        if job.startup_limit_s <= ordinary.setdefault(id(parent), job.startup_limit_s):
            late.append("late")
            return Outcome(Ending.TIMED_OUT, (), job.startup_limit_s, "no end in time")
        return run(parent, job, *rest)

    monkeypatch.setattr(WarmParent, "run", run_late)
    return late


@pytest.mark.usefixtures("busy")
def test_a_table_of_behaviour_holds_what_it_holds_on_a_quiet_machine() -> None:
    probes = probes_of(MODULE, MUTANTS)
    with WarmParent(COURSE, MODULE, jobs=1) as parent:
        shown = observe_probes(parent, COURSE.read_units(MODULE), probes)
    assert shown.keys() == {probe.name for probe in probes}
    assert shown == COURSE.behaviour(MODULE).reference


def test_controls_and_mutants_get_the_verdicts_that_they_get_on_a_quiet_machine(busy: list[str]) -> None:
    report = score(COURSE, MODULE, MUTANTS, Options(jobs=2))
    assert report.controls == Controls(reference=True, raises_everywhere=True, identity=True, wheats=True)
    assert {one.status for one in report.verdicts if one.mutant.id.startswith("s")} == {Status.KILLED}
    assert len(busy) >= len(MUTANTS)


def test_a_search_finds_what_it_finds_on_a_quiet_machine(busy: list[str]) -> None:
    found = search(COURSE, MODULE, MUTANTS, seeds=2, jobs=2)
    claimed = [(one.mutant, one.found) for one in found.efforts if one.claimed]
    assert {count for _, count in claimed} == {2}
    assert found.wheat_failures == ()
    assert busy
