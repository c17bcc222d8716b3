"""A check as one HTML page that needs nothing else and has no script."""

from __future__ import annotations

from markupsafe import Markup

from harness.records import CheckReport, CheckVerdict
from harness.reports.facts import seconds
from harness.reports.failure import CODE, whole_rows
from harness.reports.pages import html, part


def check_html(report: CheckReport) -> str:
    """The verdict, then the failure to read first, then every test."""
    hints = {cause.tests[0]: cause for cause in report.causes}
    failed = sorted(
        (test for test in report.tests if test.status == "fail"), key=lambda test: test.entry.name not in hints
    )
    facts = [("began", report.began_at), ("took", seconds(report.elapsed_s)), ("seed", str(report.seed))]
    facts += [("isolation", report.isolation), ("profile", report.profile), *report.versions.items()]
    return (
        html()
        .get_template("check.html.jinja")
        .render(
            report=report,
            module=report.module,
            passed=report.verdict is CheckVerdict.PASS,
            verdict=report.verdict.replace("_", " "),
            failed=[
                (test.entry.name, cause, whole_rows(test, cause))
                for test in failed
                for cause in (hints.get(test.entry.name),)
            ],
            code=CODE,
            counts=[(word, number) for word in ("pass", "fail", "not_run") if (number := _number(report, word))],
            facts=facts,
            style=Markup(part("page.css")),
        )
    )


def _number(report: CheckReport, status: str) -> int:
    return sum(test.status == status for test in report.tests)
