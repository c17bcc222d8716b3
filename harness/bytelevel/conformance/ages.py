"""Differences that come from the age of Unicode tables and from nothing else, computed from the tables themselves.

A tokenizer answers for every character before ``'s``, so what it takes for letters and numbers can be read off its
answers. Where that differs from the oracle's tables, the difference is one of age only if no character is concerned on
which Unicode has been settled since version 3.2, the oldest table that Python carries, and if whoever lacks a character
of some version lacks all later ones too. Anything else is a fault of the tokenizer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import regex

from harness.bytelevel.conformance.suite import Observation
from harness.bytelevel.conformance.suspects import LETTER, NUMBER, UNKNOWN, Suspects
from harness.bytelevel.unicode_versions import describe, disagreements, scalar_values

_AFTER = "'s"
_OLDEST = unicodedata.ucd_3_2_0


@dataclass(frozen=True, slots=True)
class Age:
    """How a tokenizer's tables differ from the oracle's."""

    stand_ins: Mapping[str, str]
    """For each character on which they differ, a character of the class that the tokenizer gives it."""
    fewer: int
    """Letters and numbers that it does not know."""
    more: int
    """Letters and numbers that only it knows."""

    @property
    def table(self) -> dict[int, str]:
        """The stand-ins as `str.translate` takes them."""
        return {ord(character): stand_in for character, stand_in in self.stand_ins.items()}

    @property
    def says(self) -> str:
        """One sentence, the characters named by their runs."""
        what = [f"{self.fewer:,} letters and numbers fewer"] * bool(self.fewer) + [f"{self.more:,} more"] * bool(
            self.more
        )
        runs = describe(frozenset(self.stand_ins))
        shown = "; ".join(runs[:3]) + (f"; and {len(runs) - 3} more runs" if len(runs) > 3 else "")
        return f"its tables of Unicode have {' and '.join(what)} than the oracle's: {shown}"

    def answer(self, suspects: Suspects, text: str) -> list[int]:
        """What the encoding gives for `text` by the tokenizer's tables."""
        return suspects.encode_as(text.translate({**suspects.stand_ins, **self.table}), text)


def age_of(observations: Iterable[Observation], suspects: Suspects, asked: Collection[str]) -> Age | None:
    """The age that explains differences on single characters before ``'s``, as many as it can; None where it is none.

    `asked` are all characters that the tokenizer was asked about. Those on which Unicode is settled are left to be
    explained otherwise.
    """
    found: dict[str, str] = {}
    for one in observations:
        if one.name != "encode" or type(one.got) is not list or one.argument[1:] != _AFTER:
            continue
        character = one.argument[0]
        stand_in = _stand_in(suspects, character, one.got)
        if stand_in is not None and not _is_settled(character, stand_in):
            found[character] = stand_in
    if not found or not _is_closed(found, asked):
        return None
    fewer = sum(stand_in == UNKNOWN for stand_in in found.values())
    return Age(found, fewer, len(found) - fewer)


def _stand_in(suspects: Suspects, character: str, got: list[int]) -> str | None:
    text = character + _AFTER
    for stand_in in (UNKNOWN, LETTER, NUMBER):
        if suspects.encode_as(stand_in + _AFTER, text) == got:
            return stand_in
    return None


def _is_settled(character: str, stand_in: str) -> bool:
    """Whether no version of Unicode could give a character the class of `stand_in`."""
    if stand_in == UNKNOWN:
        return _OLDEST.category(character)[0] in "LNZ" or character.isspace()
    return all(kind != "Cn" and kind[0] not in "LN" for kind in _kinds(character))


def _kinds(character: str) -> list[str]:
    newest = "Lo" if regex.match(r"\p{L}|\p{N}", character) else "Cn" if regex.match(r"\p{Cn}", character) else "So"
    return [unicodedata.category(character), newest]


def _is_closed(found: Mapping[str, str], asked: Collection[str]) -> bool:
    """Whether a tokenizer that lacks what Python's table has lacks what is newer than that table, of what was asked."""
    missing = {character for character, stand_in in found.items() if stand_in == UNKNOWN}
    if not any(unicodedata.category(character) != "Cn" for character in missing):
        return True
    return missing >= _newer_than_python() & frozenset(asked)


@lru_cache
def _newer_than_python() -> frozenset[str]:
    """Letters and numbers of the oracle's tables that Python's table does not have."""
    everything = scalar_values()
    disputed = disagreements(everything)
    found = set()
    for pattern in (r"\p{L}", r"\p{N}"):
        found |= {
            one
            for one in set(regex.findall(pattern, everything)) ^ disputed[pattern]
            if unicodedata.category(one) == "Cn"
        }
    return frozenset(found)
