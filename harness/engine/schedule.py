"""Which tests run on which mutant, in what order and how often."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.engine.baseline import MEMORY_BYTES, Baseline
from harness.engine.equivalence import Equivalence
from harness.engine.jobs import Job
from harness.engine.parent import WarmParent
from harness.engine.verdict import UNCERTAIN, combine, judge
from harness.records import CatalogEntry, Mutant, Status, Verdict
from harness.subject.inprocess import NotInPlace, plan_in_place
from harness.subject.reach import changed_statements

CONFIRMING_PATIENCE = 4.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How one mutant is to be run."""

    mutant: Mutant
    in_place: Mapping[str, tuple[str, ...]] | None
    tests: tuple[str, ...]
    """Every test, likely killers first."""
    likely: int
    """How many of them, from the front, reach what the mutant changes."""
    touched: frozenset[str] | None
    """``unit:line`` of the statements that it changes; None where that is more than statements in functions."""


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Judges mutants against one baseline."""

    parent: WarmParent
    baseline: Baseline
    units: Mapping[str, str]
    catalog: Sequence[CatalogEntry]
    equivalence: Equivalence
    run_seed: int

    def judge_all(
        self, mutants: Sequence[Mutant], *, matrix: bool, on_verdict: Callable[[Verdict], None]
    ) -> tuple[Verdict, ...]:
        """The verdict on each mutant, in the order given, whatever order they were run in."""

        def one(mutant: Mutant) -> Verdict:
            verdict = self.judge_one(mutant, matrix=matrix)
            on_verdict(verdict)
            return verdict

        with self.parent.pool() as pool:
            return tuple(pool.map(one, mutants))

    def judge_one(self, mutant: Mutant, *, matrix: bool) -> Verdict:
        """The word on one mutant; a timeout or a crash counts only when a second, longer run says so too."""
        if reason := self._invalid(mutant):
            return Verdict(mutant, Status.INVALID, reason=reason)
        plan = self.plan(mutant)
        likely, rest = plan.tests[: plan.likely], plan.tests[plan.likely :]
        verdict = self._row(plan, likely, matrix=matrix)
        if verdict.status is Status.SURVIVED:
            verdict = self.equivalence.settled(verdict, plan.in_place, plan.touched)
        if verdict.status is Status.SURVIVED and rest:
            # What a property reaches depends on its draws, so a survivor meets the other tests as well.
            return combine([verdict, self._row(plan, rest, matrix=matrix)])
        return verdict

    def _row(self, plan: Plan, tests: tuple[str, ...], *, matrix: bool) -> Verdict:
        if not tests:
            return Verdict(plan.mutant, Status.SURVIVED)
        if matrix:
            # A process for each cell: what one test leaves behind in a subject must not decide the next one's.
            return combine([self._confirmed(plan, (name,)) for name in tests])
        return self._confirmed(plan, tests)

    def judge_cell(self, mutant: Mutant, test: str) -> Verdict:
        """The word of one test alone on one mutant."""
        return self._confirmed(self.plan(mutant), (test,))

    def plan(self, mutant: Mutant) -> Plan:
        """The way to install the mutant and its tests in the order most likely to kill it soon."""
        in_place: dict[str, tuple[str, ...]] | None = {}
        try:
            for unit, text in mutant.sources.items():
                names = plan_in_place(self.units[unit], text)
                if in_place is not None and not self._called_early(unit, names):
                    in_place[unit] = names
                else:
                    in_place = None
        except NotInPlace:
            in_place = None
        claiming = {entry.name for entry in self.catalog if mutant.id in entry.catches} | set(mutant.caught_by)
        everything = self.parent.greeting.tests
        touched = self._touched(mutant) if in_place is not None else None
        reached = self.baseline.reached
        reaching = {name for name in everything if touched is None or reached.get(name, frozenset()) & touched}
        ordered = sorted(everything, key=lambda name: (name not in reaching, name not in claiming))
        return Plan(mutant, in_place, tuple(ordered), len(reaching), touched)

    def _touched(self, mutant: Mutant) -> frozenset[str]:
        return frozenset(
            place for unit, text in mutant.sources.items() for place in changed_statements(self.units[unit], text, unit)
        )

    def _called_early(self, unit: str, names: Sequence[str]) -> bool:
        return any(f"{unit}::{name}" in self.parent.greeting.called for name in names)

    def _confirmed(self, plan: Plan, tests: tuple[str, ...]) -> Verdict:
        verdict = self._run(plan, tests, patience=1.0)
        if verdict.status not in UNCERTAIN:
            return verdict
        again = self._run(plan, tests, patience=CONFIRMING_PATIENCE)
        return replace(again, elapsed_s=again.elapsed_s + verdict.elapsed_s)

    def _run(self, plan: Plan, tests: tuple[str, ...], *, patience: float) -> Verdict:
        job = Job(
            sources=plan.mutant.sources,
            in_place=plan.in_place,
            tests=self.baseline.plans(tests, run_seed=self.run_seed, mutant_id=plan.mutant.id, patience=patience),
            stop_at_first_failure=True,
            startup_limit_s=self.baseline.startup_limit_s * patience,
            memory_bytes=MEMORY_BYTES,
        )
        return judge(plan.mutant, self.parent.run(job))

    def _invalid(self, mutant: Mutant) -> str:
        same = True
        for unit, text in mutant.sources.items():
            try:
                same = same and ast.dump(ast.parse(text)) == ast.dump(ast.parse(self.units[unit]))
            except (SyntaxError, ValueError) as error:
                return f"{unit} does not parse: {error}"
        return "does not differ from the reference" if same else ""
