"""Every format that a result can be rendered to, by name, and which kinds of result it is made for."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import UsageError
from harness.records import CheckReport, PastRun, Report
from harness.reports.against import Against

FORMATS = {
    "html": "one page that needs nothing else, with kill matrix, sources and charts",
    "stryker": "mutation-testing-report-schema 2, for Stryker's viewer and dashboard",
    "junit": "JUnit XML, for the test results of a CI system",
    "markdown": "a summary for a pull request or a step of GitHub Actions",
    "badge": "the score for shields.io's endpoint",
    "sarif": "SARIF 2.1.0 with the survivors at their lines, for code scanning",
    "csv": "the kill matrix for a spreadsheet",
}
_OF_A_CHECK = ("html", "junit", "markdown")


def rendered(
    name: str,
    report: Report | CheckReport,
    *,
    history: Sequence[PastRun] = (),
    compared: Against | None = None,
) -> str:
    """The report in the format of that name; UsageError where the format says nothing of a check."""
    if isinstance(report, CheckReport):
        return _check(name, report)
    if name == "html":
        from harness.reports.score_page import score_html

        return score_html(report, history=history, compared=compared)
    if name == "stryker":
        from harness.reports.stryker import stryker_json

        return stryker_json(report)
    if name == "junit":
        from harness.reports.junit import score_junit

        return score_junit(report)
    if name == "markdown":
        from harness.reports.markdown import score_markdown

        return score_markdown(report, compared=compared)
    if name == "badge":
        from harness.reports.badge import badge_json

        return badge_json(report)
    if name == "sarif":
        from harness.reports.sarif import sarif_json

        return sarif_json(report)
    from harness.reports.matrix_csv import matrix_csv

    return matrix_csv(report)


def _check(name: str, report: CheckReport) -> str:
    if name not in _OF_A_CHECK:
        message = f"--{name} shows mutants, and a check has none"
        raise UsageError(message, remedy=f"of a check there are {', '.join(f'--{one}' for one in _OF_A_CHECK)}")
    if name == "html":
        from harness.reports.check_page import check_html

        return check_html(report)
    if name == "junit":
        from harness.reports.junit import check_junit

        return check_junit(report)
    from harness.reports.markdown import check_markdown

    return check_markdown(report)
