"""Which failures have one cause, and which is to be read first.

The course knows what its mistakes look like: each curated mutant names the tests that catch it. Failures that fit one
of them best are one cause, and the test that the mutant's entry names first is the one that points at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.records import Cause, Mutant, Tier

_LEAST_LIKENESS = 0.3


def find_causes(failed: Sequence[str], mutants: Iterable[Mutant]) -> tuple[Cause, ...]:
    """Group the names of failed tests, which come in the order of the tests.

    Mistakes of people with a pitfall of their own are tried; what fits none is a cause for each test.
    """
    known = [one for one in mutants if one.tier in (Tier.SEMANTIC, Tier.PINNED) and one.caught_by]
    left = list(failed)
    causes: list[Cause] = []
    while left:
        best = max(
            known,
            key=lambda one: (_likeness(left, one), one.pitfall is not None, one.tier is Tier.SEMANTIC),
            default=None,
        )
        if best is None or _likeness(left, best) < _LEAST_LIKENESS:
            causes += [Cause((name,)) for name in left]
            break
        own = [name for name in best.caught_by if name in left]
        causes.append(Cause(tuple(own), best.public))
        left = [name for name in left if name not in own]
        known.remove(best)
    return tuple(causes)


def _likeness(failed: Sequence[str], mutant: Mutant) -> float:
    """Shared tests over all tests: 1 where exactly the mutant's tests fail."""
    union = set(failed) | set(mutant.caught_by)
    return len(set(failed) & set(mutant.caught_by)) / len(union)
