"""Which student of the class a submission is from. What fits two is not matched: a grade must not go astray."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from harness.grading.entries import folded
from harness.grading.roster import Enrolled, Roster, RosterKind


@dataclass(frozen=True, slots=True)
class Identity:
    """What a name or a learning platform's file says of who handed something in."""

    label: str
    """The name of the file or folder."""
    name: str = ""
    """As the platform writes it; of Canvas in small letters without spaces, the last name first."""
    email: str = ""
    ids: tuple[str, ...] = ()
    platform: RosterKind | None = None
    """Whose name it is, where a platform gave it."""
    platform_id: str = ""
    """The student's number there."""


@dataclass(frozen=True, slots=True)
class Match:
    """The student, or why there is none."""

    enrolled: Enrolled | None
    note: str = ""


class Matcher:
    """Finds the students of one roster."""

    def __init__(self, roster: Roster) -> None:
        self._kind = roster.kind
        self._steps: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._students = roster.students
        for at, one in enumerate(roster.students):
            for step, key in _keys_of(one):
                self._steps[step][key].add(at)

    def match(self, identity: Identity) -> Match:
        """The one student whom the surest thing that is known of a submission fits."""
        for step, key in self._questions(identity):
            fitting = self._steps[step].get(key, set()) if key else set()
            if len(fitting) > 1:
                names = ", ".join(sorted(self._students[at].student for at in fitting))
                return Match(None, f"not matched: it could be from each of {names}")
            if fitting:
                return Match(self._students[fitting.pop()])
        return Match(None, "not on the roster")

    def _questions(self, identity: Identity) -> Iterator[tuple[str, str]]:
        """What to look for, the surest first."""
        if identity.platform_id and identity.platform is self._kind:
            yield "platform", identity.platform_id
        elif identity.platform_id and self._kind is RosterKind.PLAIN:
            yield "id", folded(identity.platform_id)
        for one in identity.ids:
            yield "id", folded(one)
        yield "email", folded(identity.email)
        label = identity.label
        if identity.platform is None:
            yield "id", folded(label)
            yield "email", folded(label)
            yield "local", folded(label)
        yield "local", folded(identity.email.partition("@")[0])
        for name in (identity.name, label if identity.platform is None else ""):
            yield "words", _words(name)
            yield "squashed", _squashed(name)


def _keys_of(one: Enrolled) -> Iterator[tuple[str, str]]:
    if one.platform_id:
        yield "platform", one.platform_id
    for known in one.ids:
        yield "id", folded(known)
    if one.email:
        yield "email", folded(one.email)
        yield "local", folded(one.email.partition("@")[0])
    if one.name:
        yield "words", _words(one.name)
        for spelling in _orders(one.name):
            yield "squashed", _squashed(spelling)


def _orders(name: str) -> Iterator[str]:
    """A name as it stands, and with each of its beginnings put last: where the last name begins is not known."""
    last, comma, first = name.partition(",")
    if comma:
        yield from (f"{last} {first}", f"{first} {last}")
        return
    words = name.split()
    for at in range(len(words)):
        yield " ".join((*words[at:], *words[:at]))


def _words(name: str) -> str:
    """A name's words in any order: ``Doe, Jane`` is ``Jane Doe`` and ``jane_doe``."""
    return " ".join(sorted(re.findall(r"[^\W_]+", _letters(name))))


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", _letters(name))


def _letters(name: str) -> str:
    return unicodedata.normalize("NFC", folded(name))
