"""What a class handed in, in whatever form it arrives, one student after the other. Nothing is lost."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from harness.course import Course
from harness.errors import UsageError
from harness.grading.archives import archive_entries
from harness.grading.entries import A_CLASS, Entry, Refused, canonical, folded, is_archive, stem
from harness.grading.lateness import days_late
from harness.grading.layouts import exported
from harness.grading.matching import Identity, Match, Matcher
from harness.grading.roster import Enrolled, Roster
from harness.grading.submissions import Layout, Submission, one_of_class
from harness.grading.table import read_table
from harness.grading.trees import Folder, Listing, file_entry
from harness.grading.units import Contents, contents_of
from harness.records import Module, Received
from harness.reports.readable import readable

_NOBODY_LATE: Mapping[str, int] = MappingProxyType({})
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_PLACES = ("path", "folder", "repository")


@dataclass(frozen=True, slots=True)
class _Student:
    """All that one student handed in."""

    student: str
    name: str
    email: str
    enrolled: Enrolled | None
    submissions: tuple[Submission, ...]
    note: str = ""


def receive(
    source: Path,
    course: Course,
    module: Module,
    roster: Roster | None = None,
    *,
    late: Mapping[str, int] = _NOBODY_LATE,
    due: datetime | None = None,
) -> Iterator[Received]:
    """Each student's work, sorted by student, and read only when it is asked for.

    `source` is a file, a folder, an archive, or a table of folders. `late` has begun days by any identifier of a
    student; for others the platform's time counts, where there is a `due`, else the platform's mark. UsageError where
    the source as a whole cannot be used, and where `late` names somebody whom nothing else names.
    """
    if due is not None and due.tzinfo is None:
        message = f"the due date {due.isoformat()} has no offset from UTC"
        raise UsageError(message, remedy="write it as 2030-01-31T23:59+01:00")
    with ExitStack() as opened:
        submissions = list(_submissions(source, course, module, roster, opened))
        students = sorted(_students(submissions, roster), key=lambda one: (folded(one.student), one.student))
        late = {folded(name): days for name, days in late.items()}
        _check_late(late, students)
        used: set[str] = set()
        for one in students:
            received = _received(one, course, module)
            days = _late_days(one, late, due)
            yield replace(received, key=_key(received.student, used), late_days=days)


def receive_one(source: Path, course: Course, module: Module) -> Received:
    """The work of one student or group, however it is spread over a file, a folder or an archive."""
    name = unicodedata.normalize("NFC", source.resolve().name)
    with ExitStack() as opened:
        files: Iterable[Entry]
        if source.is_dir():
            files = Folder(source, name).files()
        elif is_archive(name):
            files = _listing(source, name, opened).files()
        else:
            files = [file_entry(source)]
        contents = contents_of(files, course, module, alone=source.is_file())
    student = readable(stem(name) if source.is_file() else name)
    return _with_contents(Received(student, student, source=readable(name)), contents)


def _key(student: str, used: set[str]) -> str:
    key, number = student, 1
    while folded(key) in used:
        number += 1
        key = f"{student} ({number})"
    used.add(folded(key))
    return key


# --- where it lies


def _submissions(
    source: Path, course: Course, module: Module, roster: Roster | None, opened: ExitStack
) -> Iterator[Submission]:
    matcher = Matcher(roster) if roster else None
    layout = Layout(course, module, lambda name: bool(matcher and matcher.match(Identity(name)).enrolled))
    name = unicodedata.normalize("NFC", source.resolve().name)
    if source.is_dir():
        folder = Folder(source, name)
        if (source / ".git").exists():
            yield Submission(Identity(name), name, folder.files)
        else:
            yield from layout.split(folder, "")
    elif not source.exists():
        message = f"{source} does not exist"
        raise UsageError(message, remedy="name a file, a folder, an archive or a table of folders")
    elif source.suffix.casefold() == ".csv":
        yield from _of_table(source)
    elif is_archive(name):
        yield from layout.split(_listing(source, name, opened), stem(name))
    elif (said := exported(name)) is not None:
        entry = replace(file_entry(source), path=said.file, version=said.version)
        yield Submission(said.identity, name, lambda: [entry], late=said.late)
    else:
        yield one_of_class(name, file_entry(source), "")


def _listing(source: Path, name: str, opened: ExitStack) -> Listing:
    remedy = "unpack it, and name the folder"
    try:
        entries = archive_entries(opened.enter_context(source.open("rb")), A_CLASS)
        for entry in entries:
            if entry.refused:
                # It is a matter of one student only where the name tells whose it is.
                first, slash, _ = entry.path.partition("/")
                canonical(first if slash else entry.path)
    except OSError as error:
        message = f"{source} cannot be read: {error.strerror}"
        raise UsageError(message) from error
    except Refused as error:
        message = f"{source}: {readable(str(error))}"
        raise UsageError(message, remedy=remedy) from error
    return Listing(f"{name}!/", entries)


def _of_table(source: Path) -> Iterator[Submission]:
    table = read_table(source)
    place = table.column(*_PLACES)
    if not place:
        message = f"{source}, line {table.header.number}: no column says where the work lies"
        raise UsageError(message, remedy=f"it needs a column {', '.join(_PLACES[:-1])} or {_PLACES[-1]}")
    who, name, email = table.column("student", "id", "login"), table.column("name"), table.column("email")
    for line, cells in zip(table.lines, table.rows, strict=True):
        text = cells[place].strip()
        path = source.parent / text
        if not text:
            message = f"{source}, line {line.number}: the cell of {place!r} is empty"
            raise UsageError(message, remedy="delete the row of a student who has no folder")
        label = unicodedata.normalize("NFC", path.resolve().name)
        one = one_of_class(label, Folder(path, text) if not path.is_file() else file_entry(path), "")
        given = {column: cells[column].strip() for column in (who, name, email) if column}
        identity = Identity(given.get(who) or one.identity.label, given.get(name, ""), given.get(email, ""))
        yield replace(one, identity=identity, source=text)


# --- whose it is


def _students(submissions: Sequence[Submission], roster: Roster | None) -> Iterator[_Student]:
    matcher = Matcher(roster) if roster else None
    groups: dict[str, list[tuple[Submission, Match]]] = {}
    for one in submissions:
        match = matcher.match(one.identity) if matcher else Match(None)
        key = f"row {match.enrolled.row}" if match.enrolled else f"name {one.identity.label}"
        groups.setdefault(key, []).append((one, match))
    for group in groups.values():
        one, match = group[0]
        of_one = tuple(submission for submission, _ in group)
        if enrolled := match.enrolled:
            yield _Student(enrolled.student, enrolled.name, enrolled.email, enrolled, of_one)
        else:
            identity = one.identity
            name, email = readable(identity.name), readable(identity.email)
            yield _Student(readable(identity.label), name, email, None, of_one, match.note)
    for enrolled in roster.students if roster else ():
        if f"row {enrolled.row}" not in groups:
            yield _Student(enrolled.student, enrolled.name, enrolled.email, enrolled, ())


def _received(one: _Student, course: Course, module: Module) -> Received:
    found = Received("", one.student, one.name, one.email, notes=(one.note,) if one.note else ())
    if not one.submissions:
        return replace(found, reason="nothing was handed in", missing=True)
    ordered = sorted(one.submissions, key=lambda each: each.submitted_at or _LONG_AGO)
    newest, others = ordered[-1], ordered[:-1]
    sources = ", ".join(readable(each.source) for each in one.submissions)
    times = [each.submitted_at for each in ordered]
    if others and (None in times or len(set(times)) < len(times)):
        reason = f"there are {len(ordered)} submissions, and nothing tells which is the newest: {sources}"
        return replace(found, source=sources, reason=reason)
    notes = [*found.notes, newest.note] if newest.note else [*found.notes]
    notes += [f"an older submission was left aside: {each.source}" for each in others]
    contents = contents_of(newest.files(), course, module, alone=newest.alone)
    return _with_contents(replace(found, source=readable(newest.source), notes=tuple(map(readable, notes))), contents)


def _with_contents(found: Received, contents: Contents) -> Received:
    return replace(
        found, files=contents.files, reason=contents.reason, notes=(*found.notes, *map(readable, contents.notes))
    )


# --- how late it is


def _names(one: _Student) -> set[str]:
    identities = [each.identity for each in one.submissions]
    known = {one.student, one.email, *(text for each in identities for text in (each.label, each.email, *each.ids))}
    if one.enrolled:
        known |= {*one.enrolled.ids, one.enrolled.platform_id}
    return {folded(text) for text in known if text}


def _check_late(late: Mapping[str, int], students: Sequence[_Student]) -> None:
    known = {name for one in students for name in _names(one)} if late else set()
    for name in late:
        if name not in known:
            message = f"the table of late work names {readable(name)!r}, whom nothing else names"
            raise UsageError(message, remedy="use an identifier of the roster, or the name of the file or folder")


def _late_days(one: _Student, late: Mapping[str, int], due: datetime | None) -> int:
    told = [late[name] for name in _names(one) if name in late]
    if told:
        return max(told)
    times = [each.submitted_at for each in one.submissions if each.submitted_at is not None]
    if times and due is not None:
        return days_late(max(times), due)
    return int(any(each.late for each in one.submissions))
