"""Asks a tokenizer everything, in order, and keeps every answer that is not the right one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from harness.bytelevel.conformance import truth
from harness.bytelevel.conformance.domain import Part
from harness.bytelevel.conformance.outcomes import Outcome, Tokenizer, all_same
from harness.bytelevel.encodings import Encoding

KEPT = 60_000
"""Differences of one part that are kept to be explained; all are counted."""
_AT_ONCE = 8_192


@dataclass(frozen=True, slots=True)
class Observation:
    """One answer that is not the expected one."""

    part: str
    name: str
    argument: Any
    expected: Any
    got: Outcome


@dataclass(slots=True)
class PartResult:
    """What one part found."""

    name: str
    what: str
    whole: bool
    tried: Counter[str] = field(default_factory=Counter)
    """Questions by function."""
    differing: int = 0
    kept: list[Observation] = field(default_factory=list)
    not_offered: list[str] = field(default_factory=list)
    stopped: str = ""
    """Why the part did not come to its end; empty where it did."""


@dataclass(slots=True)
class Clock:
    """Where the time of a run goes."""

    oracle_s: float = 0.0

    @contextmanager
    def oracle(self) -> Iterator[None]:
        """Count the block as the oracle's."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.oracle_s += time.perf_counter() - began


def run_part(tokenizer: Tokenizer, encoding: Encoding, part: Part, result: PartResult, clock: Clock) -> None:
    """Ask all of one part that the tokenizer offers, and note in `result` what came, as it comes."""
    for name, arguments in part.questions():
        if name not in tokenizer.offers:
            if name not in result.not_offered:
                result.not_offered.append(name)
            continue
        for start in range(0, len(arguments), _AT_ONCE):
            some = arguments[start : start + _AT_ONCE]
            with clock.oracle():
                right = [truth.expected(encoding, name, argument) for argument in some]
            _compare(tokenizer, result, name, some, right)


def _compare(tokenizer: Tokenizer, result: PartResult, name: str, arguments: Sequence[Any], right: list[Any]) -> None:
    place = 0
    for frame in tokenizer.many(name, arguments):
        end = place + len(frame)
        result.tried[name] += len(frame)
        if not all_same(frame, right[place:end]):
            for argument, wanted, got in zip(arguments[place:end], right[place:end], frame, strict=True):
                if not truth.agrees(tokenizer.shape, name, got, wanted):
                    result.differing += 1
                    if len(result.kept) < KEPT:
                        result.kept.append(Observation(result.name, name, argument, wanted, got))
        place = end
