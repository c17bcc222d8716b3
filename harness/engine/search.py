"""What the strategies are worth: how many inputs random search needs to kill each mutant.

Worked examples are off, tests without generated input do not run, and Hypothesis harvests no constants, so that the
figures are the strategies' own. The same is measured with the plain counterparts that each strategy names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.catalog import read_catalog
from harness.course import Course
from harness.engine.baseline import CONFIRMING_PATIENCE, MEMORY_BYTES, measure
from harness.engine.equivalence import equivalence_of
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import WarmParent
from harness.engine.schedule import Plan, Scheduler
from harness.profiles import Profile
from harness.records import Effort, Ending, Module, Mutant, Outcome, Search, Tier


def search(
    course: Course,
    module: Module,
    mutants: Sequence[Mutant],
    *,
    seeds: int,
    jobs: int,
    on_step: Callable[[str], None] = lambda step: None,
) -> Search:
    """Search for every mutant with each property that claims it, `seeds` times, and let each wheat meet them all.

    A mutant that no property claims is searched for with every property that reaches it.
    """
    judged = [mutant for mutant in mutants if mutant.tier is not Tier.WHEAT]
    wheats = [mutant for mutant in mutants if mutant.tier is Tier.WHEAT]
    with WarmParent(course, module, jobs=jobs, profile=Profile.SEARCH) as parent:
        bench = _Bench(course, module, parent, seeds, on_step)
        efforts = bench.efforts(judged)
        wheat_failures = bench.wheat_failures(wheats)
    with WarmParent(course, module, jobs=jobs, profile=Profile.SEARCH, plain_strategies=True) as parent:
        plain = _Bench(course, module, parent, seeds, on_step).efforts(judged)
    return Search(seeds, efforts, plain, wheat_failures)


class _Bench:
    """One warm parent and the searches made with it."""

    def __init__(
        self, course: Course, module: Module, parent: WarmParent, seeds: int, on_step: Callable[[str], None]
    ) -> None:
        self._parent, self._seeds, self._on_step = parent, seeds, on_step
        catalog = read_catalog(course.test_files(module))
        self._claims = {(mutant, entry.name) for entry in catalog for mutant in entry.catches}
        self._properties = [name for name in parent.greeting.tests if name in parent.greeting.properties]
        units = course.read_units(module)
        self._baseline = measure(parent, units, run_seed=0)
        equivalence = equivalence_of(course, module, parent, units)
        self._scheduler = Scheduler(parent, self._baseline, units, catalog, equivalence, 0)

    def efforts(self, mutants: Sequence[Mutant]) -> tuple[Effort, ...]:
        """A row for each pair of mutant and property, mutants in the order given."""
        plans = [self._scheduler.plan(mutant) for mutant in mutants]
        pairs = [(plan, name) for plan in plans for name in self._tried(plan)]
        with self._parent.pool() as pool:
            return tuple(pool.map(lambda pair: self._effort(*pair), pairs))

    def _tried(self, plan: Plan) -> list[str]:
        claiming = [name for name in self._properties if (plan.mutant.id, name) in self._claims]
        reaching = {*plan.quick, *plan.slow}
        return claiming or [name for name in self._properties if name in reaching]

    def _effort(self, plan: Plan, name: str) -> Effort:
        examples = []
        hangs = False  # once that is confirmed, no further seed is waited for so long
        for seed in range(self._seeds):
            outcome = self._outcome(plan, (name,), seed, confirms=not hangs)
            hangs = hangs or outcome.ending is Ending.TIMED_OUT
            examples += [run.examples for run in outcome.runs if not run.passed]
        self._on_step(plan.mutant.id)
        return Effort(
            mutant=plan.mutant.id,
            test=name,
            claimed=(plan.mutant.id, name) in self._claims,
            seeds=self._seeds,
            examples=tuple(sorted(examples)),
        )

    def wheat_failures(self, wheats: Sequence[Mutant]) -> tuple[str, ...]:
        """What any property says against any wheat under any seed, in words."""
        plans = [self._scheduler.plan(wheat) for wheat in wheats]
        pairs = [(plan, seed) for plan in plans for seed in range(self._seeds)]
        with self._parent.pool() as pool:
            return tuple(failure for found in pool.map(lambda pair: self._failures(*pair), pairs) for failure in found)

    def _failures(self, plan: Plan, seed: int) -> list[str]:
        outcome = self._outcome(plan, self._properties, seed)
        self._on_step(plan.mutant.id)
        failed = [f"{plan.mutant.id}, seed {seed}: {run.name}: {run.reason}" for run in outcome.runs if not run.passed]
        if not failed and len(outcome.runs) < len(self._properties):
            return [f"{plan.mutant.id}, seed {seed}: {outcome.ending} {outcome.running} {outcome.detail}"]
        return failed

    def _outcome(self, plan: Plan, tests: Sequence[str], seed: int, *, confirms: bool = True) -> Outcome:
        """What one run comes to; that it did not end in time is confirmed before it is believed."""
        outcome = self._parent.run(self._job(plan, tests, seed))
        if outcome.ending is Ending.TIMED_OUT and confirms:
            outcome = self._parent.run(self._job(plan, tests, seed, patience=CONFIRMING_PATIENCE))
        return outcome

    def _job(self, plan: Plan, tests: Sequence[str], seed: int, *, patience: float = 1.0) -> Job:
        return Job(
            sources=plan.mutant.sources,
            in_place=plan.in_place,
            tests=tuple(
                TestPlan(name, seed_for(seed, plan.mutant.id, name), self._baseline.limits_s[name] * patience)
                for name in tests
            ),
            stop_at_first_failure=True,
            startup_limit_s=self._baseline.startup_limit_s * patience,
            memory_bytes=MEMORY_BYTES,
        )
