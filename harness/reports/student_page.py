"""A grade as the page that its student reads: one file without a script, and nobody else's name in it."""

from __future__ import annotations

from markupsafe import Markup

from harness.records import Grade, GradingRun
from harness.reports.facts import seconds
from harness.reports.failure import CODE, whole_rows
from harness.reports.grade_facts import HIDDEN_WORDS, failures, plain, points_words, result_words, sentences
from harness.reports.pages import html, part
from harness.reports.student_view import is_visible, student_view

_STATUSES = ("pass", "fail", "not_run")


def student_html(grade: Grade, run: GradingRun, *, times: bool = True) -> str:
    """Points and what explains them, the failure to read first, the others, then every test with its points.

    Without `times`, two runs that came to the same grade give the same page.
    """
    seen = student_view(grade)
    statuses = [graded.test.status for graded in seen.tests]
    facts = [("graded", run.began_at), ("took", seconds(grade.elapsed_s))] if times else []
    facts += [("seed", str(run.seed)), ("isolation", grade.isolation or run.isolation), ("profile", run.profile)]
    facts += [*run.versions.items(), ("same code, same grade", grade.digest)]
    return (
        html()
        .get_template("student.html.jinja")
        .render(
            grade=seen,
            module=run.module,
            who=seen.received.name or seen.received.student,
            points=points_words(seen),
            full=grade.max_points > 0 and grade.points == grade.max_points,
            sentences=sentences(seen),
            counts=[(word, number) for word in _STATUSES if (number := statuses.count(word))],
            facts=[(label, value) for label, value in facts if value],
            groups=_groups(seen),
            code=CODE,
            hidden=HIDDEN_WORDS,
            shown_points=plain,
            shown_result=result_words,
            style=Markup(part("page.css")),
        )
    )


def _groups(seen: Grade) -> list[tuple[str, str, list[tuple[str, list[tuple[str, str]], bool]]]]:
    """The failures that may be read: the first, those that start another cause, and the rest closed."""
    found = [(graded, cause) for graded, cause in failures(seen) if is_visible(graded)]
    told = [
        (graded.test.entry.name, whole_rows(graded.test, cause), index == 0 or cause is not None)
        for index, (graded, cause) in enumerate(found)
    ]
    rest = [one for one in told[1:] if not one[2]]
    return [
        ("Read this first", "first", told[:1]),
        ("Then these", "then", [one for one in told[1:] if one[2]]),
        ("Likely for the same reasons", "same", rest),
    ]
