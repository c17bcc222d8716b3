"""A second pass over the kills: each one once more, as a person reads it.

The first killing test of each killed mutant runs again alone, with the seed of the first pass, and what it finds is
shrunk to its smallest. That costs a few times what the kill did, so a score alone leaves it out.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harness.course import Course
from harness.engine.baseline import MEMORY_BYTES, startup_limit_s
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import WarmParent
from harness.engine.schedule import in_place_of
from harness.profiles import Profile
from harness.records import Counterexample, Ending, Module, Report, Status, TestRun, Tier, Verdict

_LIMIT_S = 10.0
"""For one test with its shrinking. Where that is not enough the kill keeps the line that it has."""


def explain_kills(
    course: Course,
    module: Module,
    report: Report,
    *,
    jobs: int,
    command: Sequence[str],
    on_step: Callable[[str], None] = lambda step: None,
) -> Report:
    """The report with a counterexample for each killed mutant.

    `command` are the words before ``--only ID --explain`` in the command that shows one kill again. A kill that does
    not happen again marks its verdict as flaky. An interrupt leaves the report incomplete, with what it had.
    """
    explained: dict[str, Verdict] = {}
    complete = report.complete
    with WarmParent(course, module, jobs=jobs, profile=Profile.CHECK, explain=True) as parent:

        def one(verdict: Verdict) -> None:
            explained[verdict.mutant.id] = _explained(parent, verdict, report, command)
            on_step(verdict.mutant.id)

        killed = [one for one in report.verdicts if one.status is Status.KILLED and one.mutant.tier is not Tier.WHEAT]
        try:
            with parent.pool() as pool:
                for _ in pool.map(one, killed):
                    pass
        except KeyboardInterrupt:
            complete = False
    verdicts = tuple(explained.get(verdict.mutant.id, verdict) for verdict in report.verdicts)
    return replace(report, verdicts=verdicts, complete=complete)


def _explained(parent: WarmParent, verdict: Verdict, report: Report, command: Sequence[str]) -> Verdict:
    test, mutant = verdict.killed_by[0], verdict.mutant
    job = Job(
        sources=mutant.sources,
        in_place=in_place_of(mutant, report.reference, parent.greeting.called),
        tests=(TestPlan(test, seed_for(report.seed, mutant.id, test), _LIMIT_S),),
        stop_at_first_failure=True,
        startup_limit_s=startup_limit_s(parent.greeting),
        memory_bytes=MEMORY_BYTES,
    )
    outcome = parent.run(job)
    run = outcome.runs[0] if outcome.runs else None
    flaky = outcome.ending is Ending.FINISHED and run is not None and run.passed
    again = shlex.join((*command, "--only", mutant.id, "--explain"))
    return replace(verdict, counterexample=_counterexample(verdict, run, again), flaky=flaky)


def _counterexample(verdict: Verdict, run: TestRun | None, replay: str) -> Counterexample:
    details: Mapping[str, str] = {} if run is None else run.details
    return Counterexample(
        test=verdict.killed_by[0],
        input=details.get("input", ""),
        values=tuple(filter(None, details.get("values", "").split("\n"))),
        expected=details.get("expected", ""),
        got=details.get("got", verdict.reason),
        examples=verdict.examples,
        replay=replay,
    )
