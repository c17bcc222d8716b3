"""Which known mistake a submission makes.

The course knows what its mistakes look like: each curated mutant names the tests that catch it, and a witness on which
it differs from the reference. A mutant explains failures when many of its tests fail, and the submission does on the
mutant's witness exactly what the mutant does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.engine.baseline import MEMORY_BYTES
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import WarmParent
from harness.mutation.witness import witness_scope
from harness.records import Cause, Mutant, Tier

_LEAST_LIKENESS = 0.2
_MOST_CANDIDATES = 12
_LIMIT_S = 4.0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Compares a submission with the course's mutants, in the processes that judged it."""

    parent: WarmParent
    submission: Mapping[str, str]
    """Text of each unit that was put in place."""
    units: Mapping[str, str]
    """Text of the reference's units, those of needed modules included, in import order."""
    seed: int
    """Of the check, so that a mutant meets the very inputs that the submission met."""

    def causes(self, failed: Sequence[str], mutants: Sequence[Mutant]) -> tuple[Cause, ...]:
        """Group failed tests, named in the order of the tests: one group for each mistake, the largest first.

        The test that the mutant's entry names first comes first in its group: it is the one that points at the mistake.
        """
        known = [one for one in mutants if one.tier is not Tier.WHEAT and likeness(failed, one) >= _LEAST_LIKENESS]
        known.sort(key=lambda one: -likeness(failed, one))
        alike = self._doing_the_same(known[:_MOST_CANDIDATES])
        left = list(failed)
        causes: list[Cause] = []
        while left and alike:
            best = max(alike, key=lambda one: (likeness(left, one), one.pitfall is not None, one.tier is Tier.SEMANTIC))
            if likeness(left, best) < _LEAST_LIKENESS:
                break
            own = [name for name in best.caught_by if name in left]
            own += [name for name in self._also_failing(best, left) if name not in own]
            causes.append(Cause(tuple(own), best.public))
            left = [name for name in left if name not in own]
            alike.remove(best)
        return (*causes, *(Cause((name,)) for name in left))

    def _doing_the_same(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Those mutants on whose witness the submission does what the mutant does."""
        shown = self._observed(self.submission, mutants, trusted=False)
        asked = [mutant for mutant in mutants if shown.get(mutant.id)]
        with self.parent.pool() as pool:
            theirs = list(pool.map(lambda one: self._observed(self._mutated(one), [one], trusted=True), asked))
        return [one for one, their in zip(asked, theirs, strict=True) if their.get(one.id) == shown[one.id]]

    def _mutated(self, mutant: Mutant) -> dict[str, str]:
        """The mutant, and the reference in the place of everything else."""
        return {unit: mutant.sources.get(unit, text) for unit, text in self.units.items()}

    def _observed(self, sources: Mapping[str, str], mutants: Sequence[Mutant], *, trusted: bool) -> dict[str, str]:
        """What `sources` show on the witness of each mutant, by its id; nothing of one that does not end."""
        shown: dict[str, str] = {}
        left = list(mutants)
        with tempfile.TemporaryDirectory(prefix="tokproof-witness-") as name:
            path = Path(name) / "scope.py"
            while left:
                path.write_text(witness_scope([(one.unit, one.witness) for one in left]), "utf-8")
                plans = tuple(TestPlan(f"scope_{place}", 0, _LIMIT_S) for place in range(len(left)))
                runs = self.parent.run(self._job(sources, plans, scope=str(path), trusted=trusted)).runs
                shown |= {one.id: run.reason for one, run in zip(left, runs, strict=False)}
                left = left[len(runs) + 1 :]  # the first without an answer is where the process went
        return shown

    def _also_failing(self, mutant: Mutant, names: Sequence[str]) -> list[str]:
        plans = tuple(
            TestPlan(name, seed_for(self.seed, "submission", name), _LIMIT_S)
            for name in names
            if name not in mutant.caught_by
        )
        if not plans:
            return []
        outcome = self.parent.run(self._job(self._mutated(mutant), plans, trusted=True))
        return [run.name for run in outcome.runs if not run.passed]

    def _job(self, sources: Mapping[str, str], plans: tuple[TestPlan, ...], *, scope: str = "", trusted: bool) -> Job:
        return Job(
            sources=sources,
            in_place=None,
            tests=plans,
            stop_at_first_failure=False,
            startup_limit_s=_LIMIT_S,
            memory_bytes=MEMORY_BYTES,
            scope=scope,
            trusted=trusted,
        )


def likeness(failed: Sequence[str], mutant: Mutant) -> float:
    """Shared tests over all tests: 1 where exactly the tests fail that claim the mutant."""
    union = set(failed) | set(mutant.caught_by)
    return len(set(failed) & set(mutant.caught_by)) / len(union) if mutant.caught_by else 0.0
