"""Differences of one kind put together, each kind with its smallest question and, where there is one, its diagnosis."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from harness.bytelevel.conformance import truth
from harness.bytelevel.conformance.ages import Age
from harness.bytelevel.conformance.outcomes import Gone, Outcome, Raised, Tokenizer, each
from harness.bytelevel.conformance.shrink import smallest_ids, smallest_text
from harness.bytelevel.conformance.suite import Observation
from harness.bytelevel.conformance.suspects import Suspect, Suspects, answer, foretells
from harness.bytelevel.encodings import Encoding

MOST_KINDS = 10
"""Kinds of difference that are shown for one function; the rest is counted."""
_SAMPLE = 400
"""Differences by which rival suspects are compared."""
_CLEARING = 12
"""Questions on which a suspect must be wrong as the tokenizer is."""
_DEADLY_ANSWERS = 6
"""Answers of the same kind that shrinking may get where each costs a process."""


@dataclass(frozen=True, slots=True)
class Group:
    """One kind of difference."""

    part: str
    name: str
    argument: Any
    """The smallest that shows it."""
    expected: Any
    got: Outcome
    count: int
    suspect: Suspect | None = None
    by_age: bool = False
    """Whether the age of Unicode tables explains it."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """What groups are made with."""

    tokenizer: Tokenizer
    encoding: Encoding
    suspects: Suspects
    age: Age | None
    probes: Mapping[str, Sequence[Any]]
    """Questions by which a suspect is cleared, by function."""
    shrinks: bool = True
    cleared: dict[tuple[str, str], bool] = field(default_factory=dict)

    def groups(self, observations: Sequence[Observation]) -> list[Group]:
        """The groups of one function's differences; kinds that come down to one smallest question are one kind."""
        found: dict[str, Group] = {}
        for group in self._kinds(observations):
            key = ascii(group.argument)
            found[key] = replace(found[key], count=found[key].count + group.count) if key in found else group
        return list(found.values())

    def _kinds(self, observations: Sequence[Observation]) -> Iterator[Group]:
        """The groups of one function's differences, those of age first, then from the smallest question on."""
        left = list(observations)
        if self.age is not None and left and left[0].name.startswith("encode"):
            by_age = [one for one in left if self._is_by_age(one.argument, one.got)]
            if by_age:
                smallest = min(by_age, key=_size)
                yield _group(smallest, len(by_age), by_age=True)
                taken = set(map(id, by_age))
                left = [one for one in left if id(one) not in taken]
        told: list[Suspect] = []
        for _ in range(MOST_KINDS):
            if not left:
                return
            first = min(left, key=_size)
            smallest, suspect = self._understood(first, left, told)
            told += [suspect] if suspect is not None else []
            mine = [one for one in left if one is first or self._is_alike(one, smallest, suspect)]
            yield _group(smallest, len(mine), suspect=suspect)
            taken = set(map(id, mine))
            left = [one for one in left if id(one) not in taken]
        if left:
            yield _group(min(left, key=_size), len(left))

    def _is_by_age(self, text: Any, got: Outcome) -> bool:
        return (
            self.age is not None
            and type(text) is str
            and type(got) is list
            and self.age.answer(self.suspects, text) == got
        )

    def _is_cleared(self, suspect: Suspect) -> bool:
        """Whether the tokenizer is right where the suspect would be wrong, so that it is not this one."""
        key = suspect.says, suspect.call
        if key not in self.cleared:
            self.cleared[key] = self._is_right_where(suspect)
        return self.cleared[key]

    def _is_right_where(self, suspect: Suspect) -> bool:
        wrong = []
        for argument in self.probes.get(suspect.call, ()):
            right = truth.expected(self.encoding, suspect.call, argument)
            if not truth.agrees(self.tokenizer.shape, suspect.call, answer(suspect, argument), right):
                wrong.append((argument, right))
            if len(wrong) == _CLEARING:
                break
        got = each(self.tokenizer, suspect.call, [argument for argument, _ in wrong])
        return any(
            truth.agrees(self.tokenizer.shape, suspect.call, one, right)
            for one, (_, right) in zip(got, wrong, strict=True)
        )

    # --- one difference

    def _understood(
        self, first: Observation, others: Sequence[Observation], told: Sequence[Suspect]
    ) -> tuple[Observation, Suspect | None]:
        """A difference made small, and who foretells it; among rivals, whoever foretells most of the others too."""
        smallest = self.shrunk(first, told) if self.shrinks else first
        rivals = [one for one in self.suspects.of(smallest.name) if foretells(one, smallest.argument, smallest.got)]
        rivals = [one for one in rivals if not self._is_cleared(one)]
        if len(rivals) > 1:
            sample = others[:: max(1, len(others) // _SAMPLE)]
            rivals.sort(key=lambda one: -sum(foretells(one, each.argument, each.got) for each in sample))
        return smallest, rivals[0] if rivals else None

    def shrunk(self, observation: Observation, told: Sequence[Suspect] = ()) -> Observation:
        """The same difference on the smallest question; neither age nor `told` explain the answer to it."""
        name, argument = observation.name, observation.argument
        kind = _kind(observation.got)
        last: dict[str, Observation] = {}

        def differs(candidate: Any) -> bool:
            try:
                right = truth.expected(self.encoding, name, candidate)
            except KeyError:
                return False
            got = self.tokenizer.one(name, candidate)
            if truth.agrees(self.tokenizer.shape, name, got, right) or _kind(got) != kind:
                return False
            if name.startswith("encode") and self._is_by_age(candidate, got):
                return False
            if any(foretells(suspect, candidate, got) for suspect in told):
                return False
            last[repr(candidate)] = Observation(observation.part, name, candidate, right, got)
            return True

        most = _DEADLY_ANSWERS if isinstance(observation.got, Gone) else 1500
        if type(argument) is str:
            found: Any = smallest_text(argument, differs, most_found=most)
        elif type(argument) is list and argument and set(map(type, argument)) == {int}:
            known = self.encoding.token_bytes
            found = smallest_ids(argument, lambda ids: known.keys() >= set(ids) and differs(ids), most_found=most)
        else:
            return observation
        return last.get(repr(found), observation)

    def _is_alike(self, one: Observation, smallest: Observation, suspect: Suspect | None) -> bool:
        if suspect is not None:
            return foretells(suspect, one.argument, one.got)
        if _kind(one.got) != _kind(smallest.got):
            return False
        if not isinstance(smallest.got, list):
            return True
        return _outline(smallest.argument) in _outline(one.argument)


def _group(one: Observation, count: int, *, suspect: Suspect | None = None, by_age: bool = False) -> Group:
    return Group(one.part, one.name, one.argument, one.expected, one.got, count, suspect, by_age)


def _size(one: Observation) -> tuple[int, Any]:
    return (len(one.argument), one.argument) if isinstance(one.argument, str | list) else (0, 0)


def _kind(got: Outcome) -> str:
    """What sort of answer it is: values of one type, errors of one class, deaths of one sort."""
    match got:
        case Raised():
            return f"raised {got.type}"
        case Gone():
            return f"gone {got.end}"
        case _:
            return type(got).__name__


def _outline(argument: Any) -> str:
    """A text with each run of one general category as one letter, ASCII punctuation apart; ids all alike."""
    if type(argument) is not str:
        return ""
    letters = "".join(
        one
        if one in "'<|>#"
        else {"L": "L", "N": "N", "M": "M", "Z": " ", "C": "C"}.get(unicodedata.category(one)[0], "P")
        for one in argument
    )
    return "".join(letter for letter, _ in groupby(letters))


def parting(expected: Sequence[Any], got: Sequence[Any]) -> int:
    """The first place at which two lists differ."""
    return next(
        (place for place, (one, other) in enumerate(zip(expected, got, strict=False)) if one != other),
        min(len(expected), len(got)),
    )
