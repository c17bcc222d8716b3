"""Which known mistake a submission makes: its behaviour compared with every mutant's, one at a time and two at once.

The *probes* are the mutants' own witnesses, asked of everything: of the reference, of each mutant (measured once,
stored with the course), and of the submission. A mutant that shows the same on every probe is the same mistake, as far
as anybody can ask. Where nothing fits well there is no diagnosis: a wrong one costs a student more than none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

_LIKELY = 0.6
"""Least share of what deviates that a mutant must account for where it does not account for all."""
_SURE_TESTS = 0.7
"""Least likeness of the failed tests to the mutant's for a diagnosis that calls itself sure."""
_SURE_ANSWERED = 0.8
"""Least share of the probes that the submission must have answered for it."""


@dataclass(frozen=True, slots=True)
class Deviations:
    """What sets one mutant apart from the reference."""

    shown: Mapping[str, str]
    """Digest of what it shows, for each probe on which that is not what the reference shows."""
    fails: tuple[str, ...]
    """The tests that it fails, in the order of the tests."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A module's table: what the reference and each mutant show on every probe."""

    reference: Mapping[str, str]
    """Digest of what the reference shows, by probe; a probe has the id of the first mutant whose witness it is."""
    mutants: Mapping[str, Deviations]
    """By id, in the order of the manifest."""

    def to_json(self) -> str:
        """A text that differs in few lines where little changed."""
        mutants = {name: {"shown": dict(one.shown), "fails": list(one.fails)} for name, one in self.mutants.items()}
        return json.dumps({"reference": dict(self.reference), "mutants": mutants}, indent=1) + "\n"

    @staticmethod
    def from_json(text: str) -> Behaviour:
        """The inverse of `to_json`; ValueError, KeyError or TypeError for what it did not write."""
        document: dict[str, Any] = json.loads(text)
        mutants = {
            name: Deviations(dict(one["shown"]), tuple(one["fails"])) for name, one in document["mutants"].items()
        }
        return Behaviour(dict(document["reference"]), mutants)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One answer."""

    mutants: tuple[str, ...]
    """One id, or two where two mistakes together show what the submission shows."""
    sure: bool
    """Whether they show exactly what the submission shows, on every probe and in the tests."""


def diagnose(shown: Mapping[str, str], failed: Sequence[str], behaviour: Behaviour) -> tuple[Diagnosis, ...]:
    """The mistakes that account for a submission, the best answer first; none where nothing accounts for it well.

    `shown` are digests by probe, those that were answered; `failed` are the names of the failed tests.
    """
    asked = {probe: digest for probe, digest in shown.items() if probe in behaviour.reference}
    deviating = {(probe, digest) for probe, digest in asked.items() if digest != behaviour.reference[probe]}
    if not deviating or not failed:
        return ()
    deviations = {
        name: {(probe, digest) for probe, digest in one.shown.items() if probe in asked}
        for name, one in behaviour.mutants.items()
    }
    # Only mutants of which every deviation is the submission's too can be in it whole.
    inside = [name for name, found in deviations.items() if found and found <= deviating]
    answered = len(asked) >= _SURE_ANSWERED * len(behaviour.reference)

    def likeness(names: Iterable[str]) -> float:
        expected = {test for name in names for test in behaviour.mutants[name].fails}
        return len(expected & set(failed)) / len(expected | set(failed))

    def answers(candidates: Iterable[tuple[str, ...]], *, whole: bool) -> list[Diagnosis]:
        ranked = sorted((names for names in candidates if likeness(names) > 0), key=lambda names: -likeness(names))
        # Two mutants that no probe parts are one answer too many for anybody to be sure of the first.
        sure = whole and answered and len(ranked) == 1
        return [Diagnosis(names, sure and likeness(names) >= _SURE_TESTS) for names in ranked]

    if single := answers([(name,) for name in inside if deviations[name] == deviating], whole=True):
        return tuple(single)
    pairs = [
        (one, other)
        for one, other in combinations(inside, 2)
        if deviations[one] | deviations[other] == deviating and not deviations[one] <= deviations[other]
        if not deviations[other] <= deviations[one]
    ]
    if double := answers(pairs, whole=True):
        return tuple(double)
    shares = {name: len(found & deviating) / len(found | deviating) for name, found in deviations.items() if found}
    close = sorted((name for name in shares if shares[name] >= _LIKELY), key=lambda name: -shares[name])
    return tuple(answers([(name,) for name in close[:1]], whole=False))
