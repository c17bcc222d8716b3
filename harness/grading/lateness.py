"""How late work is, in begun days: from a table that an instructor keeps, or from two moments."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from harness.errors import UsageError
from harness.grading.entries import folded
from harness.grading.table import read_table
from harness.reports.readable import readable

_REMEDY = "it needs a column `student` and a column `days` or `submitted_at`"
_OFFSET = "give the due date an offset from UTC, such as 2030-01-31T23:59+01:00"


def read_late(path: Path, due: datetime | None = None) -> Mapping[str, int]:
    """Begun days past `due` by what the table calls the student; nobody who is on time.

    UsageError with line and value for a table that cannot be relied on. A time without an offset is one at `due`'s.
    """
    table = read_table(path, remedy=_REMEDY)
    student = table.column("student", "id", "login", "email", "sid")
    days, at = table.column("days", "late_days"), table.column("submitted_at")
    if not student or not (days or at):
        message = f"{path}, line {table.header.number}: its columns are {', '.join(map(readable, table.fieldnames))}"
        raise UsageError(message, remedy=_REMEDY)
    found: dict[str, int] = {}
    seen: set[str] = set()
    for row, cells in enumerate(table.rows):
        who = cells[student].strip()
        where = f"{path}, line {table.lines[row].number}"
        if not who or folded(who) in seen:
            message = f"{where}: {readable(who)!r} stands twice" if who else f"{where}: the student is not named"
            raise UsageError(message, remedy="each student has one row")
        seen.add(folded(who))
        count = _days(cells[days], where) if days else _since(cells[at], due, where)
        if count:
            found[who] = count
    return found


def days_late(submitted_at: datetime, due: datetime) -> int:
    """Begun days between the due date and a later moment; both have an offset, or neither."""
    return max(0, math.ceil((submitted_at - due) / timedelta(days=1)))


def moment(text: str) -> datetime | None:
    """A moment as platforms write it: ISO 8601, also with a space before the offset and nanoseconds."""
    shape = re.fullmatch(
        r"\s*(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\d*\s*(Z|UTC|[-+]\d\d:?\d\d)?\s*", text
    )
    if shape is None:
        return None
    offset = {"Z": "+00:00", "UTC": "+00:00", None: ""}.get(shape[2], shape[2])
    try:
        return datetime.fromisoformat(shape[1] + offset)
    except ValueError:
        return None


def _days(text: str, where: str) -> int:
    if not text.strip():
        return 0
    if not re.fullmatch(r"\s*[0-9]{1,4}\s*", text):
        message = f"{where}: {readable(text)!r} is no number of days"
        raise UsageError(message, remedy="write whole days, 0 for work that is on time")
    return int(text)


def _since(text: str, due: datetime | None, where: str) -> int:
    if due is None:
        message = f"{where}: a time says nothing without a due date"
        raise UsageError(message, remedy="name the due date, or give a column `days`")
    if not text.strip():
        return 0
    at = moment(text)
    if at is None:
        message = f"{where}: {readable(text)!r} is no time"
        raise UsageError(message, remedy="write it as 2030-01-31T23:59:00+01:00")
    if at.tzinfo is None:
        at = at.replace(tzinfo=due.tzinfo)
    if due.tzinfo is None and at.tzinfo is not None:
        message = f"{where}: {readable(text)} has an offset from UTC, and the due date has none"
        raise UsageError(message, remedy=_OFFSET)
    return days_late(at, due)
