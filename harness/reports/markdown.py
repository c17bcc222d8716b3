"""A score or a check as Markdown, for a pull request or the step summary of GitHub Actions.

GitHub drops a summary of more than 1,024 KiB whole, so that what would not fit is counted and left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from harness.records import Cause, CheckedTest, CheckReport, Counterexample, Report, Verdict
from harness.reports.against import Against, changes
from harness.reports.facts import (
    TestFacts,
    mutants_of,
    score_words,
    seconds,
    sentence,
    survivors_of,
    tests_of,
    warnings_of,
)
from harness.reports.failure import LONGEST, failure_rows
from harness.reports.pages import markdown
from harness.reports.readable import markdown_block, markdown_text, shortened
from harness.scoring import count

CAP_BYTES = 1024 * 1024
_KEPT_BYTES = 4096
"""For what stands below the last part that fits."""
_MOST_CHANGED = 200


def score_markdown(report: Report, *, compared: Against | None = None) -> str:
    """Score and counts, then survivors with their diffs, missed claims, kills that were explained, the tests."""
    counts = count(report.verdicts)
    shown_changes = None
    if compared is not None:
        kinds = [(heading, _some(ids)) for heading, ids in changes(compared)]
        shown_changes = {"heading": compared.heading, "kinds": kinds}
    head = (
        markdown()
        .get_template("score.md.jinja")
        .render(
            report=report,
            score=score_words(counts),
            sentence=sentence(counts),
            counts=[(word, number) for word, number in asdict(counts).items() if number],
            warnings=warnings_of(report),
            changes=shown_changes,
        )
    )
    survivors = survivors_of(report)
    explained = [one for one in mutants_of(report) if one.counterexample is not None]
    parts = _Parts(head)
    parts.section("Survivors", [_survivor(one) for one in survivors])
    missed = [(test.name, test.missed) for test in tests_of(report) if test.missed]
    parts.section(
        "Claims that did not hold",
        [f"- {_code(name)} lets pass what it claims: {_codes(_some(ids))}" for name, ids in missed],
    )
    parts.table("Kills", ("mutant", "test", "input", "expected", "got"), map(_kill, explained))
    parts.table("Tests", ("test", "ran on", "kills", "alone"), map(_test_row, tests_of(report)), folded=True)
    foot = (
        f"{len(report.tests)} tests, seed {report.seed}, {seconds(report.elapsed_s)}, "
        f"{markdown_text(report.began_at)}, profile {markdown_text(report.profile)}"
    )
    return parts.ended(foot)


def check_markdown(report: CheckReport) -> str:
    """The verdict, then each failure that a cause names first."""
    tests = {test.entry.name: test for test in report.tests}
    causes = {cause.tests[0]: cause for cause in report.causes}
    first = [tests[name] for name in causes] or [test for test in report.tests if test.status == "fail"]
    kept = first
    while True:
        text = (
            markdown()
            .get_template("check.md.jinja")
            .render(
                report=report,
                verdict=report.verdict.replace("_", " "),
                tests=[{"entry": test.entry, "rows": _rows(test, causes.get(test.entry.name))} for test in kept],
                more=len(first) - len(kept),
                passed=sum(test.status == "pass" for test in report.tests),
            )
        )
        if len(text.encode()) <= CAP_BYTES or not kept:
            return text
        kept = kept[: len(kept) // 2]


class _Parts:
    """A page that grows up to the cap."""

    def __init__(self, head: str) -> None:
        self._texts = [head]
        self._left = CAP_BYTES - _KEPT_BYTES - len(head.encode())

    def _add(self, text: str) -> bool:
        size = len(text.encode())
        if size > self._left:
            return False
        self._left -= size
        self._texts.append(text)
        return True

    def section(self, title: str, parts: list[str]) -> None:
        """A heading and parts, as many as fit; nothing where there is none."""
        if not parts or not self._add(f"\n### {title}: {len(parts)}\n\n"):
            return
        for index, part in enumerate(parts):
            if not self._add(f"{part}\n"):
                self._texts.append(f"\n{len(parts) - index} more are too many for this page.\n")
                self._left = 0
                return

    def table(
        self, title: str, headings: tuple[str, ...], rows: Iterable[tuple[str, ...]], *, folded: bool = False
    ) -> None:
        """A table whose rows are cut off where the page is full."""
        lines = [f"| {' | '.join(row)} |" for row in rows]
        head = f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n"
        opened, closed = ("<details><summary>All</summary>\n\n", "\n</details>\n") if folded else ("", "")
        if not lines or not self._add(f"\n### {title}: {len(lines)}\n\n{opened}{head}"):
            return
        shown = next((index for index, line in enumerate(lines) if not self._add(f"{line}\n")), len(lines))
        self._texts.append(closed)
        if shown < len(lines):
            self._texts.append(f"\n{len(lines) - shown} more are too many for this page.\n")
            self._left = 0

    def ended(self, foot: str) -> str:
        return "".join([*self._texts, f"\n{foot}\n"])


def _survivor(verdict: Verdict) -> str:
    mutant = verdict.mutant
    ran = f"{len(verdict.tests)} tests ran and passed: {_codes(_some(verdict.tests))}"
    place = f"{_code(mutant.id)} at {_code(f'{mutant.unit}:{mutant.line}')}"
    summary = f"<summary>{place}: {markdown_text(_cut(mutant.description))}</summary>"
    return f"<details open>{summary}\n\n{markdown_block(mutant.diff, 'diff')}\n\n{ran}\n\n</details>\n"


def _kill(verdict: Verdict) -> tuple[str, ...]:
    seen: Counterexample | None = verdict.counterexample
    assert seen is not None
    return tuple(_code(_cut(text)) for text in (verdict.mutant.id, seen.test, seen.input, seen.expected, seen.got))


def _test_row(test: TestFacts) -> tuple[str, ...]:
    return (_code(test.name), str(test.ran), str(test.kills), str(test.alone))


def _rows(test: CheckedTest, cause: Cause | None) -> list[tuple[str, str]]:
    return [(label, _cut(value)) for label, value in failure_rows(test, cause)]


def _cut(text: str) -> str:
    return shortened(text, LONGEST)


def _code(text: str) -> str:
    """Text in a code element: in there a page of GitHub looks for no names of people and no addresses."""
    return f"<code>{markdown_text(text)}</code>"


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(map(_code, texts))


def _some(ids: tuple[str, ...]) -> list[str]:
    more = len(ids) - _MOST_CHANGED
    return [*map(_cut, ids[:_MOST_CHANGED]), *([f"{more} more"] if more > 0 else [])]
