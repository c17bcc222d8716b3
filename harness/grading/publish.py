"""All files of a run, made from the store: for the class, for each student, and for the gradebook they came from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from harness import results
from harness.errors import UsageError
from harness.grading.roster import Roster, RosterKind
from harness.records import Grade, GradeStatus, GradingRun
from harness.reports.class_page import class_html
from harness.reports.class_summary import ClassSummary, ClassTally
from harness.reports.feedback import feedback_markdown
from harness.reports.grade_facts import COUNTED
from harness.reports.grades_csv import grades_csv
from harness.reports.gradescope import results_json
from harness.reports.junit import grades_junit
from harness.reports.lms_cells import canvas_cells, canvas_column, moodle_cells, moodle_column
from harness.reports.student_page import student_html

STUDENTS = "students"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*")
_LONGEST_NAME = 80
_POINTS_POSSIBLE = "points possible"
_OWN_COLUMNS = ("points", "score", "grade")
"""Columns of a plain roster that are filled without being named, the first that is there."""


def publish(
    out: Path,
    run: GradingRun,
    grades: Callable[[], Iterable[Grade]],
    *,
    roster: Roster | None = None,
    column: str = "",
    times: bool = True,
) -> tuple[ClassSummary, dict[str, str]]:
    """Write every file below `out` and say what each holds; `grades` gives all grades, as often as it is called.

    `column` is that of the roster which the points go into (`column_of`); where it is empty the roster is left alone.
    Raises UsageError where a file cannot be written.
    """
    tally = ClassTally(run)
    try:
        for grade in grades():
            tally.add(grade)
            if grade.status is not GradeStatus.MISSING:
                _write_student(out / STUDENTS, grade, run, times=times)
        summary = tally.summary()
        pages = class_html(run, summary, grades(), link=_link, times=times)
        _write(out / "class.html", pages)
        _write(out / "grades.csv", grades_csv(grades(), times=times))
        _write(out / "junit.xml", grades_junit(run, grades(), times=times))
        files = {
            "the class as a page": "class.html",
            "a row for each submission": "grades.csv",
            "for a CI system": "junit.xml",
            "for each student": f"{STUDENTS}/",
        }
        if roster is not None and column:
            path = out / f"{roster.path.stem}-filled.csv"
            results.write_pieces(path, [filled(roster, column, grades()).encode(roster.encoding)])
            files["the roster, filled"] = path.name
    except OSError as error:
        message = f"{error.filename or out} cannot be written: {error.strerror}"
        raise UsageError(message, remedy="the grades are in the store: --resume writes the files again") from error
    return summary, {what: str(out / name) for what, name in files.items()}


def _write(path: Path, pieces: Iterable[str]) -> None:
    results.write_pieces(path, (piece.encode() for piece in pieces))


def _write_student(folder: Path, grade: Grade, run: GradingRun, *, times: bool) -> None:
    name = file_name(grade.received.key)
    results.write(folder / f"{name}.html", student_html(grade, run, times=times))
    results.write(folder / f"{name}.md", feedback_markdown(grade, run))
    results.write(folder / f"{name}.results.json", results_json(grade, run, times=times))


def _link(grade: Grade) -> str:
    return "" if grade.status is GradeStatus.MISSING else f"{STUDENTS}/{file_name(grade.received.key)}.html"


def file_name(key: str) -> str:
    """A name that every file system takes, and no two keys share: whatever is not plain gets a digest behind it."""
    if len(key) <= _LONGEST_NAME and _PLAIN_NAME.fullmatch(key):
        return key
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '_', key)[:_LONGEST_NAME].strip('_-') or 'student'}.{digest}"


def column_of(roster: Roster, column: str = "") -> str:
    """The roster's own column that the points go into; empty where a plain one has none.

    UsageError for a column that it lacks, and where several are possible and none is named.
    """
    if roster.kind is RosterKind.CANVAS:
        return canvas_column(roster.fieldnames, column)
    if roster.kind is RosterKind.MOODLE:
        return moodle_column(roster.fieldnames)
    if column and column not in roster.fieldnames:
        message = f"{roster.path} has no column {column!r}"
        raise UsageError(message, remedy=f"one of {', '.join(roster.fieldnames)}")
    return column or next((name for name in roster.fieldnames if name.strip().lower() in _OWN_COLUMNS), "")


def filled(roster: Roster, column: str, grades: Iterable[Grade]) -> str:
    """The roster with the points in one column, and for Moodle the feedback beside them."""
    rows = {one.student: one.row for one in roster.students}
    possible = next((row.get(column, "") for row in roster.rows if _is_points_possible(row)), "")
    cells: dict[int, Mapping[str, str]] = {}
    for grade in grades:
        row = rows.get(grade.received.student)
        if row is None:
            continue
        if roster.kind is RosterKind.CANVAS:
            cells[row] = canvas_cells(column, grade, possible=possible)
        elif roster.kind is RosterKind.MOODLE:
            cells[row] = moodle_cells(roster.rows[row], grade)
        elif grade.status in COUNTED:
            cells[row] = {column: str(grade.points)}
    return roster.filled(cells)


def _is_points_possible(row: Mapping[str, str]) -> bool:
    return any(value.strip().lower() == _POINTS_POSSIBLE for value in row.values())
