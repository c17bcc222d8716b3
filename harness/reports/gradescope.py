"""A grade as Gradescope's ``results.json``, and the one that lies there before anything ran.

Every test of the scheme is in it whatever happened, so that the maxima always add up to the assignment's points. The
total stands at the top and overrides the sum of the tests, because lateness and required tests belong to no test.
Hidden tests are written without what they show, although Gradescope hides them too.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from harness.records import Cause, Grade, GradedTest, GradeStatus, GradingRun, TestPoints
from harness.reports.failure import failure_text
from harness.reports.grade_facts import failures, points_words, result_words, sentences
from harness.reports.readable import readable, readable_lines
from harness.reports.student_view import is_visible, student_view

CAP_TEST = 4000
"""Characters of one test's output."""
CAP_TESTS = 400_000
"""Characters of all tests' output together, shared out evenly where there are many tests."""
CAP_TOP = 10_000
"""Characters of the output at the top."""
_CUT = "\n[The rest is too long to be shown here.]"
_NOT_RUN = (
    "Not run yet: the grader did not come to its end. If this stays, it ran out of time or of memory, which says "
    "nothing of the code; ask for it to be graded again."
)


def skeleton_json(run: GradingRun) -> str:
    """The result before anything ran: no points, every test failed and not run yet."""
    tests = [_bare(number, worth, "Not run yet.") for number, worth in enumerate(run.scheme, 1)]
    return _written(_document(run, Decimal(0), _NOT_RUN, tests, {}))


def results_json(grade: Grade, run: GradingRun, *, times: bool = True) -> str:
    """The grade as far as it is known; a test of the scheme that has none yet is failed and says so.

    Without `times`, two runs that came to the same grade give the same bytes. Raises ValueError for points that are
    no finite number.
    """
    seen = student_view(grade)
    known = {graded.test.entry.name: graded for graded in seen.tests}
    found = failures(seen)
    causes = {name: cause for cause in seen.causes for name in cause.tests}
    cap = min(CAP_TEST, CAP_TESTS // max(1, len(run.scheme)))
    graded_at_all = grade.status is GradeStatus.GRADED
    tests = []
    for number, worth in enumerate(run.scheme, 1):
        graded = known.get(worth.name)
        if graded is None or not graded_at_all:
            tests.append(_bare(number, worth, "This test did not run."))
        else:
            tests.append(_test(number, worth, graded, causes.get(worth.name), cap))
    extra = {
        "digest": readable(grade.digest),
        "isolation": readable(grade.isolation),
        "late_days": grade.received.late_days,
    }
    document = _document(run, grade.points if graded_at_all else Decimal(0), _top(seen, found), tests, extra)
    if times:
        document["execution_time"] = round(grade.elapsed_s, 3)
    return _written(document)


def _document(
    run: GradingRun, points: Decimal, output: str, tests: list[dict[str, Any]], extra: dict[str, Any]
) -> dict[str, Any]:
    return {
        "score": _number(points),
        "output": _capped(output, CAP_TOP),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "extra_data": {
            **extra,
            "module": readable(run.module.id),
            "seed": run.seed,
            "profile": readable(run.profile),
            "versions": {readable(name): readable(version) for name, version in run.versions.items()},
            "digests": {readable(name): readable(digest) for name, digest in run.digests.items()},
        },
        "tests": tests,
    }


def _bare(number: int, worth: TestPoints, output: str) -> dict[str, Any]:
    return {
        "name": readable(worth.name),
        "number": str(number),
        "score": 0,
        "max_score": _number(worth.max_points),
        "status": "failed",
        "visibility": str(worth.visibility),
        "output": output,
        "output_format": "text",
    }


def _test(number: int, worth: TestPoints, graded: GradedTest, cause: Cause | None, cap: int) -> dict[str, Any]:
    passed = graded.test.status == "pass"
    return _bare(number, worth, _capped(_output(graded, cause), cap)) | {
        "score": _number(graded.points),
        "status": "passed" if passed else "failed",
        "tags": [str(graded.test.entry.kind), *(["required"] if worth.required else [])],
    }


def _output(graded: GradedTest, cause: Cause | None) -> str:
    if not is_visible(graded):
        return "What this test tries is not shown."
    if graded.test.status != "fail":
        checks = f": {readable(graded.test.entry.checks)}" if graded.test.entry.checks else "."
        return f"It {result_words(graded)}{checks}"
    name = graded.test.entry.name
    if cause is None or cause.tests[0] == name:
        return failure_text(graded.test, cause)
    return f"Likely for the same reason as {readable(cause.tests[0])}: mend that one first.\n\n" + failure_text(
        graded.test, None
    )


def _top(seen: Grade, found: tuple[tuple[GradedTest, Cause | None], ...]) -> str:
    """The points and what explains them, then the failure to read first."""
    lines = [f"{points_words(seen)} points.", *sentences(seen)]
    parts = [readable(line) for line in lines]
    first = next(((graded, cause) for graded, cause in found if is_visible(graded)), None)
    if first is not None and seen.status is GradeStatus.GRADED:
        graded, cause = first
        parts += ["", f"Read this first: {readable(graded.test.entry.name)} fails.", "", _output(graded, cause)]
    return "\n".join(parts)


def _capped(text: str, most: int) -> str:
    shown = readable_lines(text)
    return shown if len(shown) <= most else shown[: most - len(_CUT)] + _CUT


def _number(points: Decimal) -> float | int:
    if not points.is_finite():
        message = f"{points} is no number of points"
        raise ValueError(message)
    return int(points) if points == points.to_integral_value() else float(points)


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
