"""A grade as its student may see it: of a test that is not visible, its name and its points and nothing else.

Whatever a student gets to read is rendered from what this returns, so that no format has to remember the rule. A test
that is shown only after a date is hidden here as well: what is written today is kept and read on any day.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.records import CatalogEntry, Cause, CheckedTest, Grade, GradedTest, GradeStatus, Visibility


def is_visible(graded: GradedTest) -> bool:
    """Whether the student may read more of the test than its name and points."""
    return graded.visibility is Visibility.VISIBLE


def student_view(grade: Grade) -> Grade:
    """The grade without what hidden tests show, without our own failures, and without what only a grader should know.

    That is where the submission lay, and notes on it, which may name others: "it could be from each of a, b".
    A cause stays where a visible test shows it, with the names of its visible tests alone.
    """
    visible = {graded.test.entry.name for graded in grade.tests if is_visible(graded)}
    return replace(
        grade,
        received=replace(grade.received, source="", files={}, notes=()),
        reason="" if grade.status is GradeStatus.ERROR else grade.reason,
        tests=tuple(graded if is_visible(graded) else _bare(graded) for graded in grade.tests),
        causes=tuple(_shown(cause, visible) for cause in grade.causes if not visible.isdisjoint(cause.tests)),
    )


def _bare(graded: GradedTest) -> GradedTest:
    entry = graded.test.entry
    name = CatalogEntry(entry.name, Path(), 0, law="", kind=entry.kind, checks="", why="", catches=())
    return replace(graded, test=CheckedTest(name, graded.test.status))


def _shown(cause: Cause, visible: set[str]) -> Cause:
    return replace(cause, tests=tuple(name for name in cause.tests if name in visible))
