"""What several renderings say of one grade, worked out once: points, the verdict in sentences, what to read first."""

from __future__ import annotations

from decimal import Decimal

from harness.records import Cause, Grade, GradedTest, GradeStatus, Visibility

COUNTED = frozenset({GradeStatus.GRADED, GradeStatus.INVALID, GradeStatus.UNREADABLE})
"""Where the points are an answer to what was handed in: the others say nothing of a student's work."""
HIDDEN_WORDS = {
    Visibility.VISIBLE: "",
    Visibility.AFTER_DUE_DATE: "hidden until the due date",
    Visibility.AFTER_PUBLISHED: "hidden until grades are published",
    Visibility.HIDDEN: "hidden",
}
_SENTENCES = {
    GradeStatus.INVALID: "The code could not be run.",
    GradeStatus.UNREADABLE: "There was nothing in it that could be graded.",
    GradeStatus.MISSING: "Nothing was handed in.",
    GradeStatus.ERROR: "The grader itself failed, which says nothing of the code: this is to be graded again.",
}


def plain(points: Decimal) -> str:
    """Points without an exponent and without zeros at the end: ``87.5``, ``100``, ``0``."""
    return format(points.normalize(), "f") if points else "0"


def points_words(grade: Grade) -> str:
    """The points as they are written everywhere: ``87.5 of 100``, or ``not graded`` where we failed."""
    if grade.status is GradeStatus.ERROR:
        return "not graded"
    return f"{plain(grade.points)} of {plain(grade.max_points)}"


def sentences(grade: Grade) -> tuple[str, ...]:
    """What explains the points, the reason that the judge or the intake gives last. Empty where nothing needs it."""
    found = [_SENTENCES[grade.status]] if grade.status in _SENTENCES else []
    if grade.failed_required:
        several = len(grade.failed_required) > 1
        earned = sum((graded.points for graded in grade.tests), Decimal(0))
        found.append(
            f"All points are lost, since {', '.join(grade.failed_required)} must pass and "
            f"{'do' if several else 'does'} not; the tests alone would give {plain(earned)}."
        )
    if grade.penalty:
        late = grade.received.late_days
        found.append(f"Late by {late} day{'s' if late != 1 else ''}: {plain(grade.penalty)} points are lost.")
    not_run = sum(graded.test.status == "not_run" for graded in grade.tests)
    if not_run and grade.status is GradeStatus.GRADED:
        found.append(f"Tests that did not run and give no points: {not_run}.")
    return (*found, *([grade.reason] if grade.reason else []))


def failures(grade: Grade) -> tuple[tuple[GradedTest, Cause | None], ...]:
    """The tests that failed, each that a cause names first in front and with that cause, in the causes' order."""
    first = {cause.tests[0]: (number, cause) for number, cause in enumerate(grade.causes) if cause.tests}
    failed = [graded for graded in grade.tests if graded.test.status == "fail"]
    found = [(graded, first.get(graded.test.entry.name)) for graded in failed]
    found.sort(key=lambda pair: len(first) if pair[1] is None else pair[1][0])
    return tuple((graded, told[1] if told is not None else None) for graded, told in found)


def failed_names(grade: Grade) -> tuple[str, ...]:
    """The names of the tests that failed, in the order of the tests."""
    return tuple(graded.test.entry.name for graded in grade.tests if graded.test.status == "fail")


def diagnosis_words(grade: Grade) -> str:
    """The first mistake that is known, else the first hint; empty where there is neither."""
    told = [cause.diagnosis for cause in grade.causes if cause.mutant] or [one.hint for one in grade.causes if one.hint]
    return told[0] if told else ""


def result_words(graded: GradedTest) -> str:
    """What became of one test: ``passes``, ``fails`` or ``did not run``."""
    return {"pass": "passes", "fail": "fails"}.get(graded.test.status, "did not run")
