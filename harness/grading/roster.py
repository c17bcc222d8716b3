"""Who is in the class: a gradebook of Canvas, a grading worksheet of Moodle, or a plain table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.errors import UsageError
from harness.grading.entries import folded
from harness.grading.table import Table, read_table
from harness.reports.readable import readable

_REMEDY = "it needs a header with a column `student`, `id`, `login` or `email`, or to be an export of Canvas or Moodle"
_IDS = ("student", "id", "login", "username", "student id", "student_id", "sid", "id number", "user id")
_NAMES = ("name", "full name", "student name", "student_name")
_EMAILS = ("email", "email address", "e-mail")
_CANVAS_IDS = ("sis login id", "sis user id", "id")
_TEST_STUDENT = "student, test"


class RosterKind(StrEnum):
    """Where a roster comes from."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Enrolled:
    """One student of the class."""

    row: int
    """Of the table."""
    student: str
    """The identifier, which no other row has."""
    name: str
    email: str
    ids: tuple[str, ...]
    """Everything that identifies the student exactly, `student` included and the email not."""
    platform_id: str = ""
    """The number that the learning platform puts into the names of what it exports."""


@dataclass(frozen=True, slots=True)
class Roster:
    """A class, and the table that it was read from."""

    kind: RosterKind
    table: Table
    students: tuple[Enrolled, ...]

    @property
    def path(self) -> Path:
        """The file."""
        return self.table.path

    @property
    def fieldnames(self) -> tuple[str, ...]:
        """The columns, in order."""
        return self.table.fieldnames

    @property
    def rows(self) -> tuple[Mapping[str, str], ...]:
        """Every row by column, those included that are no students."""
        return self.table.rows

    @property
    def encoding(self) -> str:
        """What the text of `filled` is to be encoded with."""
        return self.table.encoding

    def filled(self, cells: Mapping[int, Mapping[str, str]]) -> str:
        """The file's text with cells put in, by row and column (`Table.filled`)."""
        return self.table.filled(cells)


def read_roster(path: Path) -> Roster:
    """Read a roster; UsageError with file, line and value for one that cannot be relied on."""
    table = read_table(path, remedy=_REMEDY)
    kind = _kind(table)
    read = {RosterKind.CANVAS: _canvas, RosterKind.MOODLE: _moodle, RosterKind.PLAIN: _plain}[kind]
    students = tuple(read(table))
    if not students:
        message = f"{path} names no student"
        raise UsageError(message, remedy=_REMEDY)
    seen: dict[str, Enrolled] = {}
    for one in students:
        if not one.student:
            message = f"{path}, line {table.lines[one.row].number}: the student has no identifier"
            raise UsageError(message, remedy="fill the cell, or delete the row")
        if (other := seen.setdefault(folded(one.student), one)) is not one:
            numbers = f"lines {table.lines[other.row].number} and {table.lines[one.row].number}"
            message = f"{path}, {numbers}: {readable(one.student)!r} stands twice"
            raise UsageError(message, remedy="each student has one row")
    return Roster(kind, table, students)


def _kind(table: Table) -> RosterKind:
    if table.column("student") and table.column("id") and table.column("sis login id", "sis user id", "section"):
        return RosterKind.CANVAS
    if table.column("identifier") and table.column("full name", "email address", "status", "grade"):
        return RosterKind.MOODLE
    if not table.column(*_IDS, *_EMAILS):
        columns = ", ".join(map(readable, table.fieldnames))
        message = f"{table.path}, line {table.header.number}: no column tells who a student is: {columns}"
        raise UsageError(message, remedy=_REMEDY)
    return RosterKind.PLAIN


def _canvas(table: Table) -> Iterator[Enrolled]:
    columns = [table.column(name) for name in _CANVAS_IDS]
    for row, cells in enumerate(table.rows):
        name = cells[table.column("student")].strip()
        ids = tuple(cells[column].strip() for column in columns if column and cells[column].strip())
        platform_id = cells[table.column("id")].strip()
        # Points possible and the like have no id; the test student that a teacher can be has no other.
        if not platform_id or (name.casefold() == _TEST_STUDENT and ids == (platform_id,)):
            continue
        login = cells[table.column("sis login id")].strip() if table.column("sis login id") else ""
        yield Enrolled(row, ids[0], name, login if "@" in login else "", ids, platform_id)


def _moodle(table: Table) -> Iterator[Enrolled]:
    name, email = table.column("full name"), table.column("email address")
    own = table.column("id number", "username")
    for row, cells in enumerate(table.rows):
        identifier = cells[table.column("identifier")].strip()
        number = re.search(r"\d+$", identifier)
        platform_id = number.group() if number else ""
        ids = [one for one in (identifier, cells[own].strip() if own else "") if one]
        yield Enrolled(
            row,
            identifier,
            cells[name].strip() if name else "",
            cells[email].strip() if email else "",
            tuple(ids),
            platform_id,
        )


def _plain(table: Table) -> Iterator[Enrolled]:
    columns = [column for name in _IDS if (column := table.column(name))]
    email, name = table.column(*_EMAILS), table.column(*_NAMES)
    first, last = table.column("first name", "first_name"), table.column("last name", "last_name", "surname")
    for row, cells in enumerate(table.rows):
        ids = tuple(dict.fromkeys(cells[column].strip() for column in columns if cells[column].strip()))
        address = cells[email].strip() if email else ""
        parts = (cells[column].strip() for column in (first, last) if column)
        full = cells[name].strip() if name else " ".join(part for part in parts if part)
        student = cells[columns[0]].strip() if columns else address
        if not (ids or address or full):
            continue  # a row of separators alone, as spreadsheets leave behind
        yield Enrolled(row, student or address, full, address, ids)
