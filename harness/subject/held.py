"""Which of a subject's objects somebody here still holds, so that it can forget the others."""

from __future__ import annotations

import collections
import weakref
from typing import Any

from harness.subject.standins import CONTAINERS

_KEPT = 8
"""How many large containers are held although no test holds them, since tests ask for a table again and again."""
_LARGE_ITEMS = 256


class Held:
    """Stand-ins that somebody here still holds, by number, and the numbers that nobody holds any more."""

    def __init__(self) -> None:
        self._standins: dict[int, weakref.ref[Any]] = {}
        self._dropped: dict[int, None] = {}
        self._kept: collections.deque[Any] = collections.deque(maxlen=_KEPT)

    def find(self, ref: int) -> Any:
        """The stand-in of that number; None where nobody holds it."""
        found = self._standins.get(ref)
        return None if found is None else found()

    def add(self, ref: int, value: Any) -> None:
        """Note a new stand-in; when the last holder lets go of it, the subject will be told."""
        dropped, standins = self._dropped, self._standins

        def forget(reference: weakref.ref[Any]) -> None:
            if standins.get(ref) is reference:
                del standins[ref]
                dropped[ref] = None

        dropped.pop(ref, None)
        standins[ref] = weakref.ref(value, forget)
        if type(value) in CONTAINERS and len(value) > _LARGE_ITEMS:
            self._kept.append(value)

    def take_dropped(self) -> str:
        """The part of a frame that tells the subject what it may forget."""
        if not self._dropped:
            return ""
        refs = [*self._dropped]
        self._dropped.clear()
        return f'"drop":{refs},'
