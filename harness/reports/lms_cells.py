"""Which cells of a gradebook's own file a grade fills: Canvas's gradebook and Moodle's grading worksheet.

The file keeps its columns and its rows; whoever reads and writes it asks here for the cells of one row. A cell that is
not named stays as it is, and so does the row of who handed in nothing and of what we failed to grade.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from markupsafe import Markup

from harness.errors import UsageError
from harness.records import Grade
from harness.reports.failure import failure_text
from harness.reports.grade_facts import COUNTED, failures, plain, points_words, sentences
from harness.reports.readable import csv_cell, readable, readable_lines
from harness.reports.student_view import is_visible, student_view

MOODLE_GRADE, MOODLE_MAXIMUM = "Grade", "Maximum Grade"
MOODLE_FEEDBACK, MOODLE_CHANGEABLE = "Feedback comments", "Grade can be changed"
_ASSIGNMENT = re.compile(r".*\(\d+\)", re.DOTALL)
"""Canvas puts an assignment's number behind its name; every other column is its own."""
_HUNDREDTH = Decimal("0.01")


def canvas_column(fieldnames: Sequence[str], column: str = "") -> str:
    """The assignment's column that is filled: the one named, else the only one.

    UsageError for a column that the file does not have, since Canvas would make a new assignment of it, for one that
    is no assignment, and where none is named and several are there.
    """
    assignments = [name for name in fieldnames if _ASSIGNMENT.fullmatch(name)]
    if not column and len(assignments) > 1:
        message = f"the gradebook has {len(assignments)} assignments: {readable(', '.join(map(repr, assignments)))}"
        raise UsageError(message, remedy="name the one to fill with --column")
    column = column or "".join(assignments)
    if column not in assignments:
        near = difflib.get_close_matches(column, assignments, n=1, cutoff=0.3)
        has = f"did you mean {near[0]!r}?" if near else f"its assignments are {', '.join(map(repr, assignments))}"
        message = f"the gradebook has no assignment {readable(column)!r}"
        raise UsageError(message, remedy=readable(has) if assignments else "export it again with the assignment")
    return column


def canvas_cells(column: str, grade: Grade, *, possible: str = "") -> dict[str, str]:
    """The points in the column (`canvas_column`), out of what the file's row "Points Possible" says for it."""
    return {column: _points(grade, possible, column)} if grade.status in COUNTED else {}


def moodle_column(fieldnames: Sequence[str]) -> str:
    """The column of the points; UsageError for a file that is no grading worksheet."""
    if MOODLE_GRADE not in fieldnames:
        message = f"the worksheet has no column {MOODLE_GRADE!r}"
        raise UsageError(message, remedy="download the grading worksheet of an assignment that is graded with points")
    return MOODLE_GRADE


def moodle_cells(row: Mapping[str, str], grade: Grade) -> dict[str, str]:
    """The points out of the row's own maximum, and the feedback as HTML where the worksheet has a column for it.

    A row whose grade Moodle does not let be changed is left alone.
    """
    if grade.status not in COUNTED or row.get(MOODLE_CHANGEABLE, "").strip().lower() == "no":
        return {}
    cells = {MOODLE_GRADE: _points(grade, row.get(MOODLE_MAXIMUM, ""), MOODLE_MAXIMUM)}
    if MOODLE_FEEDBACK in row:
        cells[MOODLE_FEEDBACK] = csv_cell(feedback_html(grade))
    return cells


def feedback_html(grade: Grade) -> str:
    """What the student reads in Moodle, on one line of a table: the points, what explains them, the first failure."""
    seen = student_view(grade)
    lines = [f"{points_words(seen)} points.", *sentences(seen)]
    parts = [Markup("<p>{}</p>").format(readable(line)) for line in lines]
    first = next(((graded, cause) for graded, cause in failures(seen) if is_visible(graded)), None)
    if first is not None:
        graded, cause = first
        parts.append(Markup("<p>Read this first: {} fails.</p>").format(readable(graded.test.entry.name)))
        block = Markup("{}").format(readable_lines(failure_text(graded.test, cause))).replace("\n", Markup("<br>"))
        parts.append(Markup("<pre>{}</pre>").format(block))
    return str(Markup("").join(parts))


def _points(grade: Grade, possible: str, column: str) -> str:
    """The points on the scale of the gradebook, to a hundredth where that is another one than ours."""
    if not possible.strip() or not grade.max_points:
        return plain(grade.points)
    try:
        most = Decimal(possible.strip().replace(",", "."))
    except InvalidOperation:
        most = Decimal("NaN")
    if not most.is_finite() or most <= 0:
        message = f"{readable(possible)!r} in {readable(column)!r} is no number of points"
        raise UsageError(message, remedy="the assignment must be graded with points")
    if most == grade.max_points:
        return plain(grade.points)
    return plain((grade.points * most / grade.max_points).quantize(_HUNDREDTH, ROUND_HALF_UP))
