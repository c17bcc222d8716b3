"""Which tests run on which mutant, in what order and how often."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.engine.baseline import CONFIRMING_PATIENCE, MEMORY_BYTES, Baseline
from harness.engine.equivalence import Equivalence
from harness.engine.jobs import Job
from harness.engine.parent import WarmParent
from harness.engine.verdict import UNCERTAIN, combine, judge
from harness.mutation.pairs import parsed
from harness.records import CatalogEntry, Mutant, Status, Tier, Verdict
from harness.subject.inprocess import NotInPlace, plan_in_place
from harness.subject.reach import changed_statements


@dataclass(frozen=True, slots=True)
class Plan:
    """How one mutant is to be run."""

    mutant: Mutant
    in_place: Mapping[str, tuple[str, ...]] | None
    quick: tuple[str, ...]
    """Of the tests that get to what the mutant changes: those that claim it, and those without generated input."""
    slow: tuple[str, ...]
    """The other tests that get there."""
    others: tuple[str, ...]
    """Tests that do not get there, as far as the baseline shows."""
    touched: frozenset[str] | None
    """``unit:line`` of the statements that it changes; None where that is more than statements in functions."""

    @property
    def tests(self) -> tuple[str, ...]:
        """Every test, likely killers first."""
        return (*self.quick, *self.slow, *self.others)


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
        self, mutants: Sequence[Mutant], *, rows: Collection[Tier], on_verdict: Callable[[Verdict], None]
    ) -> None:
        """Tell `on_verdict` the verdict on each mutant as it comes in, from the thread that found it.

        Mutants of the tiers in `rows` meet every test, the others stop at their first kill. An interrupt lets the jobs
        that run come to their end, and begins no other.
        """

        def one(mutant: Mutant) -> None:
            on_verdict(self.judge_one(mutant, matrix=mutant.tier in rows))

        with self.parent.pool() as pool:
            for _ in pool.map(one, mutants):
                pass

    def judge_one(self, mutant: Mutant, *, matrix: bool) -> Verdict:
        """The word on one mutant; a timeout or a crash counts only when a second, longer run says so too."""
        try:
            plan = self.plan(mutant)
        except (SyntaxError, ValueError):
            return Verdict(mutant, Status.INVALID, reason=self._unparsed(mutant))
        if not self._differs(plan):
            return Verdict(mutant, Status.INVALID, reason="does not differ from the reference")
        # The matrix wants every killer, so it proves equivalence only for what all tests that get there let pass.
        first, then = ((*plan.quick, *plan.slow), ()) if matrix else (plan.quick, plan.slow)
        verdict = self._rows(plan, Verdict(mutant, Status.SURVIVED), (first,), matrix=matrix)
        if verdict.status is not Status.SURVIVED:
            return verdict
        # Where no scope looks there is nothing to be the same: the other tests have the word before it.
        looked_at = bool(self.equivalence.looking(plan.touched))
        if looked_at:
            verdict = self.equivalence.settled(verdict, plan.in_place, plan.touched)
            if verdict.status is Status.EQUIVALENT:
                return verdict
        verdict = self._rows(plan, verdict, (then, plan.others), matrix=matrix)
        if looked_at or verdict.status is not Status.SURVIVED:
            return verdict
        return self.equivalence.settled(verdict, plan.in_place, plan.touched)

    def _rows(self, plan: Plan, so_far: Verdict, shares: Sequence[tuple[str, ...]], *, matrix: bool) -> Verdict:
        """What is known of a mutant after more shares of the tests; none is begun once one is not let pass."""
        for tests in filter(None, shares):
            if so_far.status is Status.SURVIVED:
                so_far = combine([so_far, self._row(plan, tests, matrix=matrix)])
        return so_far

    def _row(self, plan: Plan, tests: tuple[str, ...], *, matrix: bool) -> Verdict:
        if matrix:
            # A process for each cell: what one test leaves behind in a subject must not decide the next one's.
            return combine([self._confirmed(plan, (name,)) for name in tests])
        return self._confirmed(plan, tests)

    def judge_cell(self, mutant: Mutant, test: str) -> Verdict:
        """The word of one test alone on one mutant."""
        return self._confirmed(self.plan(mutant), (test,))

    def plan(self, mutant: Mutant) -> Plan:
        """The way to install the mutant and its tests in the order most likely to kill it soon."""
        in_place = in_place_of(mutant, self.units, self.parent.greeting.called)
        claiming = {entry.name for entry in self.catalog if mutant.id in entry.catches} | set(mutant.caught_by)
        everything = self.parent.greeting.tests
        touched = self._touched(mutant) if in_place is not None else None
        reached = self.baseline.reached
        reaching = {name for name in everything if touched is None or reached.get(name, frozenset()) & touched}
        properties = self.parent.greeting.properties
        quick = [name for name in everything if name in reaching and (name in claiming or name not in properties)]
        return Plan(
            mutant=mutant,
            in_place=in_place,
            quick=tuple(sorted(quick, key=lambda name: name not in claiming)),
            slow=tuple(name for name in everything if name in reaching and name not in quick),
            others=tuple(name for name in everything if name not in reaching),
            touched=touched,
        )

    def _touched(self, mutant: Mutant) -> frozenset[str]:
        return frozenset(
            place for unit, text in mutant.sources.items() for place in changed_statements(self.units[unit], text, unit)
        )

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

    def _unparsed(self, mutant: Mutant) -> str:
        """What keeps a mutant's text from being Python; empty where nothing does."""
        for unit, text in mutant.sources.items():
            try:
                ast.parse(text)
            except (SyntaxError, ValueError) as error:
                return f"{unit} does not parse: {error}"
        return ""

    def _differs(self, plan: Plan) -> bool:
        if plan.in_place is not None:
            return any(plan.in_place.values())
        return any(
            ast.dump(parsed(text)) != ast.dump(parsed(self.units[unit])) for unit, text in plan.mutant.sources.items()
        )


def in_place_of(mutant: Mutant, units: Mapping[str, str], called: Collection[str]) -> dict[str, tuple[str, ...]] | None:
    """The functions to exchange in each unit, or None where that would not be sound and the fresh way is due.

    `called` are the functions that ran while the tests were collected, as ``unit::qualname``.
    """
    found: dict[str, tuple[str, ...]] = {}
    sound = True
    try:
        for unit, text in mutant.sources.items():
            found[unit] = plan_in_place(units[unit], text)
            sound = sound and not any(f"{unit}::{name}" in called for name in found[unit])
    except NotInPlace:
        return None
    return found if sound else None
