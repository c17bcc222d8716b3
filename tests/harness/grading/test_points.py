"""From results to points."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from harness.grading.points import graded, without_code
from harness.grading.rules import Lateness, Scheme
from harness.records import CatalogEntry, CheckedTest, GradeStatus, Judged, Kind, Received, TestPoints

TEN = Decimal(10)
CATALOG = [
    CatalogEntry(name, Path("test_it.py"), 1, "A law.", Kind.UNIT, "checks", "why", ())
    for name in ("test_a", "test_b", "test_c")
]
SCHEME = Scheme(
    (TestPoints("test_a", Decimal(5)), TestPoints("test_b", Decimal(3)), TestPoints("test_c", Decimal(2))), TEN
)
SOMEBODY = Received("ada", "ada")


def judged(*statuses: str) -> Judged:
    tests = tuple(CheckedTest(entry, status) for entry, status in zip(CATALOG, statuses, strict=True))
    return Judged(GradeStatus.GRADED, tests=tests)


@pytest.mark.parametrize(
    ("statuses", "points"),
    [
        (("pass", "pass", "pass"), 10),
        (("pass", "fail", "pass"), 7),
        (("fail", "not_run", "pass"), 2),
        (("fail", "fail", "not_run"), 0),
    ],
)
def test_only_a_test_that_passed_earns_its_points(statuses: tuple[str, ...], points: int) -> None:
    assert graded(SOMEBODY, judged(*statuses), SCHEME).points == points


def test_without_partial_credit_it_is_all_or_nothing() -> None:
    scheme = Scheme(SCHEME.tests, TEN, partial_credit=False)
    assert graded(SOMEBODY, judged("pass", "pass", "pass"), scheme).points == TEN
    nothing = graded(SOMEBODY, judged("pass", "pass", "fail"), scheme)
    assert nothing.points == 0
    assert "all tests together or not at all" in nothing.reason


def test_a_required_test_that_fails_takes_everything() -> None:
    required = Scheme((TestPoints("test_a", Decimal(5), required=True), *SCHEME.tests[1:]), TEN)
    lost = graded(SOMEBODY, judged("fail", "pass", "pass"), required)
    assert lost.points == 0
    assert lost.failed_required == ("test_a",)
    assert graded(SOMEBODY, judged("pass", "fail", "fail"), required).points == 5


def test_lateness_takes_its_share_of_what_was_earned() -> None:
    late = Scheme(SCHEME.tests, TEN, late=Lateness(Decimal("12.5"), Decimal(50)))
    grade = graded(Received("ada", "ada", late_days=1), judged("pass", "fail", "pass"), late)
    assert (grade.points, grade.penalty) == (Decimal("6.12"), Decimal("0.88"))


@pytest.mark.parametrize("status", [GradeStatus.INVALID, GradeStatus.ERROR, GradeStatus.UNREADABLE])
def test_nothing_is_earned_without_a_run_of_the_tests(status: GradeStatus) -> None:
    """A submission that broke the wire has results from before, and none of them counts."""
    tests = judged("pass", "pass", "pass").tests
    assert graded(SOMEBODY, Judged(status, "why", tests), SCHEME).points == 0


def test_who_handed_in_nothing_is_told_from_who_handed_in_what_cannot_be_read() -> None:
    assert without_code(Received("ada", "ada", missing=True)).status is GradeStatus.MISSING
    unreadable = without_code(Received("bob", "bob", reason="line 1: '(' was never closed"))
    assert (unreadable.status, unreadable.reason) == (GradeStatus.UNREADABLE, "line 1: '(' was never closed")


def test_a_grade_carries_no_code() -> None:
    assert (
        graded(Received("ada", "ada", files={"a.py": "secret = 1"}), judged(*["pass"] * 3), SCHEME).received.files == {}
    )
