"""From a diagnosis to what a student reads: failed tests grouped by the mistake that explains them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.diagnosis import Behaviour, Deviations, diagnose
from harness.records import Cause, Mutant, Tier

_LEAST_LIKENESS = 0.2


def causes_of(
    failed: Sequence[str], shown: Mapping[str, str], curated: Sequence[Mutant], behaviour: Behaviour
) -> tuple[Cause, ...]:
    """Group failed tests, named in the order of the tests: one group for each mistake, the one to mend first in front.

    The test that the mutant's entry names first comes first in its group: it is the one that points at the mistake.
    Where no mistake accounts for the whole, those whose own witness shows it give their hint, and no more.
    """
    known = {one.id: one for one in curated if one.id in behaviour.mutants}
    found = diagnose(shown, failed, behaviour)
    left = list(failed)
    causes: list[Cause] = []
    for name in found[0].mutants if found else ():
        mutant = known[name]
        tests = _own_tests(mutant, behaviour.mutants[name], left)
        if tests:
            causes.append(Cause(tests, mutant.public, mutant.id, mutant.description, found[0].sure))
            left = [test for test in left if test not in tests]
    alike = [] if found else [one for one in known.values() if _shows_its_witness(one, shown, behaviour)]
    while left and alike:
        best = max(alike, key=lambda one: (likeness(left, one), one.pitfall is not None, one.tier is Tier.SEMANTIC))
        if likeness(left, best) < _LEAST_LIKENESS:
            break
        tests = _own_tests(best, behaviour.mutants[best.id], left)
        causes.append(Cause(tests, best.public))
        left = [test for test in left if test not in tests]
        alike.remove(best)
    return (*causes, *(Cause((test,)) for test in left))


def _own_tests(mutant: Mutant, deviations: Deviations, left: Sequence[str]) -> tuple[str, ...]:
    """The tests among `left` that the mutant fails, those that claim it in front."""
    own = [test for test in mutant.caught_by if test in left]
    return (*own, *(test for test in left if test in deviations.fails and test not in own))


def _shows_its_witness(mutant: Mutant, shown: Mapping[str, str], behaviour: Behaviour) -> bool:
    """Whether the submission does on the mutant's own witness what the mutant does."""
    theirs = behaviour.mutants[mutant.id].shown
    return mutant.id in theirs and shown.get(mutant.id) == theirs[mutant.id]


def likeness(failed: Sequence[str], mutant: Mutant) -> float:
    """Shared tests over all tests: 1 where exactly the tests fail that claim the mutant."""
    union = set(failed) | set(mutant.caught_by)
    return len(set(failed) & set(mutant.caught_by)) / len(union) if mutant.caught_by else 0.0
