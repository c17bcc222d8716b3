"""A module's units among a submission's files, wherever the student put them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from harness.course import Course
from harness.grading.archives import nested_entries
from harness.grading.entries import ONE_STUDENT, Entry, Refused, collision, is_archive, matters
from harness.records import Module
from harness.reports.readable import readable
from harness.student.source import LARGEST_BYTES, MOST_HELPERS, Unreadable, decoded
from harness.student.workspace import needed_units

_MOST_SHOWN = 5


class Unusable(Exception):
    """Why a submission has nothing to grade."""


@dataclass(slots=True)
class Contents:
    """What was found of one submission."""

    files: dict[str, str] = field(default_factory=dict)
    """Text by path below the folder of the package."""
    reason: str = ""
    notes: list[str] = field(default_factory=list)


def contents_of(entries: Iterable[Entry], course: Course, module: Module, *, alone: bool = False) -> Contents:
    """The module's units, those of the modules that it needs, and the student's further modules.

    With `alone` a single file of any name is the module's only unit. Archives are opened where a unit of the module
    is not found beside them. Of a unit the file whose path agrees with it longest is taken.
    """
    found = Contents()
    try:
        _fill(found, list(entries), course, module, alone=alone)
    except (Unusable, Refused) as error:
        found.reason, found.files = readable(str(error)), {}
    found.notes = [readable(note) for note in found.notes]
    return found


def _fill(found: Contents, entries: list[Entry], course: Course, module: Module, *, alone: bool) -> None:
    entries = _usable(entries, found)
    if any(not _candidates(entries, unit) for unit in module.units):
        entries = _usable([*entries, *_inside_archives(entries)], found)
    chosen: dict[str, Entry] = {}
    for unit in module.units:
        candidates = _candidates(entries, unit)
        if not candidates and alone and len(module.units) == 1 and len(entries) == 1 and _is_python(entries[0]):
            candidates = entries
            found.notes.append(f"{entries[0].path} was taken for {_name(unit)}")
        if not candidates:
            raise Unusable(_not_found(unit, entries))
        chosen[unit], found.files[unit] = _one_of(candidates, unit, found)
    for unit in needed_units(course, module):
        if candidates := _candidates(entries, unit):
            try:
                chosen[unit], found.files[unit] = _one_of(candidates, unit, found)
            except (Unusable, Refused) as error:
                found.notes.append(f"left out: {error}")
    _add_helpers(found, entries, course, chosen)


def _usable(entries: Sequence[Entry], found: Contents) -> list[Entry]:
    """The entries in order, without what is left out; the first rule that one breaks is the end."""
    for entry in entries:
        if entry.refused:
            raise Refused(entry.refused)
        note = f"{entry.path} was left out: {entry.left_out}"
        if entry.left_out and note not in found.notes:
            found.notes.append(note)
    kept = sorted((entry for entry in entries if not entry.left_out), key=lambda entry: (entry.path, entry.version))
    newest = [entry for entry in kept if matters(entry.path) and not entry.version]
    if both := collision(entry.path for entry in newest):
        raise Refused(f"{both[1]}: it is {both[0]} on a system that ignores case or composition")
    return kept


def _inside_archives(entries: Sequence[Entry]) -> list[Entry]:
    found: list[Entry] = []
    for archive in entries:
        if not is_archive(archive.path) or "!/" in archive.path:
            continue
        try:
            inside = nested_entries(archive.read(ONE_STUDENT.member_bytes), ONE_STUDENT)
        except Refused as error:
            named = str(error).startswith(f"{archive.path}: ")
            raise Refused(str(error) if named else f"{archive.path}: {error}") from error
        for entry in inside:
            refused = f"{archive.path}: {entry.refused}" if entry.refused else ""
            path = f"{archive.path}!/{entry.path}"
            found.append(replace(entry, path=path, refused=refused, version=archive.version))
    return found


def _is_python(entry: Entry) -> bool:
    return entry.path.endswith(".py")


def _name(unit: str) -> str:
    return PurePosixPath(unit).name


def _agreement(path: str, unit: str) -> int:
    """How many parts of a path, counted from its end, are those of the unit."""
    pairs = zip(reversed(path.split("/")), reversed(unit.split("/")), strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(path.count("/"), unit.count("/")) + 1
    )


def _candidates(entries: Sequence[Entry], unit: str) -> list[Entry]:
    """The files that agree longest with a unit's path; of one path the newest upload."""
    ranked = [(_agreement(entry.path, unit), entry) for entry in entries]
    best = max((rank for rank, _ in ranked), default=0)
    return [entry for rank, entry in ranked if rank == best] if best else []


def _one_of(candidates: Sequence[Entry], unit: str, found: Contents) -> tuple[Entry, str]:
    newest = max(entry.version for entry in candidates)
    if len({entry.version for entry in candidates}) > 1:
        found.notes.append(f"of {len(candidates)} uploads of {_name(unit)} the newest was taken")
    candidates = [entry for entry in candidates if entry.version == newest]
    shown = ", ".join(entry.path for entry in candidates[:_MOST_SHOWN])
    if len(candidates) > MOST_HELPERS:
        raise Unusable(f"there are {len(candidates)} files {_name(unit)}: {shown}, ...")
    texts = {_source(entry): entry for entry in reversed(candidates)}
    if len(texts) > 1:
        more = ", ..." if len(candidates) > _MOST_SHOWN else ""
        raise Unusable(f"there are several different files {_name(unit)}: {shown}{more}")
    (data,) = texts
    try:
        return candidates[0], decoded(data)
    except Unreadable as error:
        raise Unusable(f"{candidates[0].path} is not Python: {error}") from error


def _source(entry: Entry) -> bytes:
    return entry.read(LARGEST_BYTES)


def _not_found(unit: str, entries: Sequence[Entry]) -> str:
    message = f"{_name(unit)} was not found"
    if not entries:
        return f"{message}: nothing was handed in"
    if deeper := [entry.path for entry in entries if is_archive(entry.path) and "!/" in entry.path]:
        return f"{message}: {deeper[0]} is an archive within an archive, and such a one is not opened"
    names = {entry.name: entry.path for entry in reversed(entries)}
    lower = {name.casefold(): path for name, path in names.items()}
    near = difflib.get_close_matches(_name(unit).casefold(), lower, n=1, cutoff=0.75)
    return f"{message}; {lower[near[0]]} looks like it" if near else message


def _add_helpers(found: Contents, entries: Sequence[Entry], course: Course, chosen: Mapping[str, Entry]) -> None:
    """The student's further modules: of the package that a unit was found in, else of the only one there is."""
    tops = {PurePosixPath(unit).parts[0] for one in course.modules for unit in one.units}
    known = {unit for one in course.modules for unit in one.units}
    roots = {
        entry.path.removesuffix(unit)
        for unit, entry in chosen.items()
        if _agreement(entry.path, unit) > unit.count("/")
    }
    helpers: dict[str, list[Entry]] = {}
    for entry in entries:
        for root, below in _splits(entry.path, tops):
            is_helper = below not in known and entry.name != "__init__.py" and _is_python(entry)
            if is_helper and (not roots or root in roots):
                helpers.setdefault(below, []).append(entry)
    if len(helpers) > MOST_HELPERS:
        count = f"there are {len(helpers)} further modules beside the units"
        raise Unusable(f"{count}, and {MOST_HELPERS} at most are taken along")
    for below, candidates in sorted(helpers.items()):
        try:
            _, found.files[below] = _one_of(candidates, below, found)
        except (Unusable, Refused) as error:
            found.notes.append(f"left out: {error}")


def _splits(path: str, tops: set[str]) -> list[tuple[str, str]]:
    """What stands before a package of the course in a path, and the rest: the innermost package only."""
    parts = path.split("/")
    inner = [at for at, part in enumerate(parts[:-1]) if part in tops]
    return [("".join(f"{part}/" for part in parts[: inner[-1]]), "/".join(parts[inner[-1] :]))] if inner else []
