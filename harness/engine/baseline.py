"""The reference's own run and the controls: what must hold before any mutant is judged."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import Greeting, WarmParent
from harness.engine.verdict import UNCERTAIN, judge
from harness.records import Controls, Ending, Mutant, Outcome, Status, Tier, Verdict
from harness.subject.inprocess import NotInPlace, plan_in_place, type_of_function
from harness.subject.reach import note_statements

MEMORY_BYTES = 1 << 30
_FIRST_LIMIT_S = 120.0
_LEAST_LIMIT_S = 1.0
_LEAST_STARTUP_LIMIT_S = 2.0
_LIMIT_FACTOR = 20.0
CONFIRMING_PATIENCE = 4.0
"""How many times as long all may take when what a busy machine may be to blame for is tried again."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the reference's run showed."""

    outcome: Outcome
    startup_limit_s: float
    """How long a mutant's import and the collection of the tests may take."""
    limits_s: Mapping[str, float]
    """How long each test may take on a mutant."""
    reached: Mapping[str, frozenset[str]]
    """``unit:line`` of the reference's statements that each test ran."""

    def plans(
        self, tests: Sequence[str], *, run_seed: int, mutant_id: str, patience: float = 1.0
    ) -> tuple[TestPlan, ...]:
        """The tests with their seeds for one mutant and `patience` times their limits."""
        return tuple(
            TestPlan(name, seed_for(run_seed, mutant_id, name), self.limits_s[name] * patience) for name in tests
        )


def measure(
    parent: WarmParent, units: Mapping[str, str], *, run_seed: int, only: Sequence[str] | None = None
) -> Baseline:
    """Run every test, or `only` some, on the reference once, noting times and the statements that each test reaches.

    The lanes share the tests in turn, so that slow neighbours are parted.
    """
    tests = parent.greeting.tests if only is None else tuple(only)
    noting = {unit: note_statements(text, unit) for unit, text in units.items()}
    plans = tuple(TestPlan(name, seed_for(run_seed, "reference", name), _FIRST_LIMIT_S) for name in tests)
    in_place = everything_in_place(units, noting)

    def share(tests: tuple[TestPlan, ...]) -> Outcome:
        return parent.run(
            Job(
                sources=noting,
                in_place=in_place,
                tests=tests,
                stop_at_first_failure=False,
                startup_limit_s=_FIRST_LIMIT_S,
                memory_bytes=MEMORY_BYTES,
                trace=True,
            )
        )

    shares = [plans[lane :: parent.jobs] for lane in range(parent.jobs)]
    with parent.pool() as pool:
        outcome = _together(list(pool.map(share, filter(None, shares))), tests)
    return Baseline(
        outcome=outcome,
        startup_limit_s=startup_limit_s(parent.greeting),
        limits_s={run.name: max(_LEAST_LIMIT_S, _LIMIT_FACTOR * run.elapsed_s) for run in outcome.runs},
        reached={run.name: frozenset(run.reached) for run in outcome.runs},
    )


def _together(outcomes: Sequence[Outcome], tests: Sequence[str]) -> Outcome:
    """One outcome of several children that shared the tests; where one did not finish, how it ended is how all did."""
    runs = sorted((run for one in outcomes for run in one.runs), key=lambda run: tests.index(run.name))
    worst = next((one for one in outcomes if one.ending is not Ending.FINISHED), outcomes[0])
    return replace(worst, runs=tuple(runs), elapsed_s=sum(one.elapsed_s for one in outcomes))


def startup_limit_s(greeting: Greeting) -> float:
    """How long a mutant's import and the collection of the tests may take, by what the reference's took."""
    return max(_LEAST_STARTUP_LIMIT_S, _LIMIT_FACTOR * greeting.collected_in_s)


def check_controls(
    parent: WarmParent,
    baseline: Baseline,
    units: Mapping[str, str],
    wheats: Sequence[Mutant],
    *,
    run_seed: int,
    on_verdict: Callable[[Verdict], None],
) -> Controls:
    """Whether all four controls hold; `on_verdict` is told the verdict on each wheat.

    The unchanged copy is imported anew. That one installed in place passes as well has been shown by then: the
    baseline is such a run, of the reference with notes in it.
    """
    notes = _reference_notes(baseline.outcome)
    if notes:
        return Controls(reference=False, raises_everywhere=False, identity=False, wheats=False, notes=notes)
    tests = parent.greeting.tests

    def run_once(subject: Mutant, in_place: Mapping[str, tuple[str, ...]] | None, patience: float) -> Verdict:
        job = Job(
            sources=subject.sources,
            in_place=in_place,
            tests=baseline.plans(tests, run_seed=run_seed, mutant_id=subject.id, patience=patience),
            stop_at_first_failure=False,
            startup_limit_s=baseline.startup_limit_s * patience,
            memory_bytes=MEMORY_BYTES,
        )
        return judge(subject, parent.run(job))

    def run(subject: Mutant, in_place: Mapping[str, tuple[str, ...]] | None) -> Verdict:
        verdict = run_once(subject, in_place, 1.0)
        if verdict.status in UNCERTAIN:
            verdict = run_once(subject, in_place, CONFIRMING_PATIENCE)
        if subject.tier is Tier.WHEAT:
            on_verdict(verdict)
        return verdict

    raising = {unit: raise_everywhere(text) for unit, text in units.items()}
    everything = everything_in_place(units, raising)
    with parent.pool() as pool:
        same = pool.submit(run, _control("identity", units), None)
        wheat_verdicts = tuple(pool.map(lambda wheat: run(wheat, None), wheats))
        none = pool.submit(run, _control("raises everywhere", raising), everything).result()
        identities = (same.result(),)
    # Tests that call the subject while they are collected do not even collect on one that raises: none passes on it.
    missed = [] if none.status is Status.INVALID else [name for name in tests if name not in none.killed_by]
    bad_wheats = [verdict for verdict in wheat_verdicts if verdict.status is not Status.SURVIVED]
    notes = (
        *(f"{name} passes on a subject that raises everywhere" for name in missed),
        *(f"the {one.mutant.id} control was {one.status}: {one.reason}" for one in _not_survived(identities)),
        *(f"wheat {one.mutant.id} was {one.status} ({', '.join(one.killed_by)}): {one.reason}" for one in bad_wheats),
    )
    return Controls(
        reference=True,
        raises_everywhere=not missed,
        identity=not _not_survived(identities),
        wheats=not bad_wheats,
        notes=notes,
    )


def everything_in_place(units: Mapping[str, str], changed: Mapping[str, str]) -> dict[str, tuple[str, ...]] | None:
    """The way to install a change of every unit in place, or None where that cannot be."""
    try:
        return {unit: plan_in_place(text, changed[unit]) for unit, text in units.items()}
    except NotInPlace:
        return None


def _not_survived(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.status is not Status.SURVIVED]


def _reference_notes(outcome: Outcome) -> tuple[str, ...]:
    failed = [f"the reference fails {run.name}: {run.reason}" for run in outcome.runs if not run.passed]
    if not failed and outcome.ending is not Ending.FINISHED:
        failed = [f"the reference's run {outcome.ending}: {outcome.running} {outcome.detail}".strip()]
    return tuple(failed)


def _control(name: str, sources: Mapping[str, str]) -> Mutant:
    return Mutant(
        id=name, tier=Tier.PINNED, sources=sources, unit=next(iter(sources)), line=1, diff="", description=name
    )


def raise_everywhere(source: str, error: type[Exception] = RuntimeError) -> str:
    """The same module with every function's body replaced by a raise: no test may pass on it."""
    tree = ast.parse(source)
    body = ast.parse(f"raise {error.__name__}('control: this subject raises everywhere')").body
    for node in ast.walk(tree):
        if isinstance(node, type_of_function):
            node.body = list(body)
    return ast.unparse(ast.fix_missing_locations(tree))
