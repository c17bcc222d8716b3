"""From what the judge says of code to a student's points: pure, each formula once."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from harness.grading.rules import Scheme, cents
from harness.records import Grade, GradedTest, GradeStatus, Judged, Received

_NOTHING = Decimal("0.00")


def graded(received: Received, judged: Judged, scheme: Scheme, *, digest: str = "") -> Grade:
    """The grade of one submission.

    Only a test that passed earns points. A required test that did not pass takes all of them; without partial credit
    any test does. Lateness takes its share of what is left.
    """
    results = {test.entry.name: test for test in judged.tests}
    tests = tuple(
        GradedTest(
            results[one.name],
            one.max_points if results[one.name].status == "pass" else _NOTHING,
            one.max_points,
            one.required,
            one.visibility,
        )
        for one in scheme.tests
        if one.name in results
    )
    missed = tuple(test.test.entry.name for test in tests if test.required and test.test.status != "pass")
    whole = len(tests) == len(scheme.tests) and all(test.test.status == "pass" for test in tests)
    earned = cents(sum((test.points for test in tests), _NOTHING))
    reason = judged.reason
    if judged.status is GradeStatus.GRADED and not (whole or scheme.partial_credit):
        reason = "; ".join(filter(None, (reason, "points are given for all tests together or not at all")))
        earned = _NOTHING
    if judged.status is not GradeStatus.GRADED or missed:
        earned = _NOTHING
    penalty = cents(earned * scheme.late.percent(received.late_days) / 100)
    return Grade(
        received=replace(received, files={}),
        status=judged.status,
        points=earned - penalty,
        max_points=scheme.max_points,
        reason=reason,
        tests=tests,
        causes=judged.causes,
        penalty=penalty,
        failed_required=missed,
        digest=digest,
        isolation=judged.isolation,
        elapsed_s=judged.elapsed_s,
    )


def without_code(received: Received) -> Judged:
    """What is said of a submission that there is nothing of to judge."""
    return Judged(GradeStatus.MISSING if received.missing else GradeStatus.UNREADABLE, received.reason)
