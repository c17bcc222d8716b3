"""The grades of a class as a table of our own: a row for each submission, for whoever keeps a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from harness.records import Grade, GradeStatus
from harness.reports.grade_facts import diagnosis_words, failed_names, plain
from harness.reports.readable import csv_cell

HEADINGS = (
    *("submission", "student", "name", "email", "status", "points", "max_points", "late_days", "penalty"),
    *("failed_tests", "diagnosis", "reason", "notes", "isolation", "digest"),
)
SECONDS = "seconds"
"""The one column that differs between two runs of the same."""


def grades_csv(grades: Iterable[Grade], *, times: bool = True) -> Iterator[str]:
    """RFC 4180, a line at a time, the headings first. Points are empty where we failed, and no cell is a formula."""
    yield _line([*HEADINGS, *([SECONDS] if times else [])])
    for grade in grades:
        received = grade.received
        row = [
            *map(csv_cell, (received.key, received.student, received.name, received.email)),
            str(grade.status),
            "" if grade.status is GradeStatus.ERROR else plain(grade.points),
            plain(grade.max_points),
            str(received.late_days),
            plain(grade.penalty),
            csv_cell(" ".join(failed_names(grade))),
            csv_cell(diagnosis_words(grade)),
            csv_cell(grade.reason),
            csv_cell("; ".join(received.notes)),
            csv_cell(grade.isolation),
            csv_cell(grade.digest),
        ]
        yield _line([*row, *([f"{grade.elapsed_s:.3f}"] if times else [])])


def _line(cells: list[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(cells)
    return out.getvalue()
