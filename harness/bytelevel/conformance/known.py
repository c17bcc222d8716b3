"""Differences that are known and documented, by name: read from a file of ours and from files of the user's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import UsageError

OURS = Path(__file__).parents[1] / "known_differences.toml"
_KEYS = frozenset({"name", "why", "call", "shapes", "suspect", "input", "got"})


@dataclass(frozen=True, slots=True)
class Known:
    """One entry; `known_differences.toml` says what its fields mean."""

    name: str
    why: str
    call: str
    shapes: tuple[str, ...] = ()
    suspect: str = ""
    input: str = ""
    got: str = ""

    def covers(self, *, call: str, shape: str, diagnosis: str, shown_input: str, shown_got: str) -> bool:
        """Whether a difference is the known one."""
        return (
            call == self.call
            and (not self.shapes or shape in self.shapes)
            and (not self.suspect or diagnosis == self.suspect)
            and (not self.input or re.fullmatch(self.input, shown_input, re.DOTALL) is not None)
            and (not self.got or re.fullmatch(self.got, shown_got, re.DOTALL) is not None)
        )


def read_known(paths: Iterable[Path] = ()) -> Sequence[Known]:
    """Our entries, then those of each file; UsageError with the file and the entry for what is none."""
    return [known for path in (OURS, *paths) for known in _read(path)]


def _read(path: Path) -> list[Known]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise UsageError(message) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"{path} is no TOML: {error}"
        raise UsageError(message) from None
    entries = document.get("known", [])
    if set(document) - {"known"} or not isinstance(entries, list):
        message = f"{path}: nothing but [[known]] entries can stand here, not {', '.join(sorted(document))}"
        raise UsageError(message)
    return [_entry(entry, f"{path}, entry {place}") for place, entry in enumerate(entries, start=1)]


def _entry(entry: Any, where: str) -> Known:
    strange = sorted(set(entry) - _KEYS)
    missing = [key for key in ("name", "why", "call") if not entry.get(key)]
    if strange or missing:
        message = f"{where}: " + (f"unknown key {strange[0]!r}" if strange else f"{missing[0]!r} is missing")
        raise UsageError(message, remedy=f"the keys are {', '.join(sorted(_KEYS))}")
    if not entry.get("suspect") and not (entry.get("input") and entry.get("got")):
        message = f"{where}: {entry['name']!r} would cover whatever differs: it has neither suspect nor input and got"
        raise UsageError(message, remedy="say which answer to which input is known")
    for key in ("input", "got"):
        try:
            re.compile(entry.get(key, ""))
        except re.error as error:
            message = f"{where}: {key} is no regular expression: {error}"
            raise UsageError(message) from None
    return Known(**{**entry, "shapes": tuple(entry.get("shapes", ()))})
