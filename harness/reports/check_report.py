"""What `ol check` found, for the person at the keyboard and for a program."""

from __future__ import annotations

import ast
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.records import Cause, CheckedTest, CheckReport, CheckVerdict, Kind
from harness.reports.failure import failure_rows
from harness.reports.json_report import catalog_document
from harness.reports.terminal import render

_STYLES = {CheckVerdict.PASS: "bold green", CheckVerdict.FAIL: "bold red"}
_MOST_CAUSES = 3
_MOST_NAMED = 6
_MOST_BYTES = 16


def check_text(report: CheckReport, *, width: int = 80, colour: bool = False) -> str:
    """The failure to read first, then the others, then the verdict; of a pass, what was proven and what only tried."""
    parts: list[RenderableType] = [Text(f"{report.module.id}  {report.module.title}", style="bold"), Text()]
    tests = {test.entry.name: test for test in report.tests}
    for cause in report.causes[:_MOST_CAUSES]:
        parts += [_failure(tests[cause.tests[0]], cause), Text()]
    if len(report.causes) > _MOST_CAUSES:
        rest = [name for cause in report.causes[_MOST_CAUSES:] for name in cause.tests]
        parts += [Text(f"These fail as well; mend the first ones first: {', '.join(rest)}"), Text()]
    if report.message:
        parts += [Text(report.message), Text()]
    parts.append(_verdict(report))
    return render(Group(*parts), width=width, colour=colour)


def _failure(test: CheckedTest, cause: Cause) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in failure_rows(test, cause):
        if label == "where":
            continue
        grid.add_row(f"  {label}", Text(value, style="yellow" if label in ("hint", "mistake") else ""))
        if label == "input":
            for line in list(dict.fromkeys(spelled(value)))[:_MOST_NAMED]:
                grid.add_row("  ", Text(line))
    also = cause.tests[1:]
    if also:
        count = f"{len(also)} more tests fail" if len(also) > 1 else "1 more test fails"
        grid.add_row("  also", Text(f"{count}, likely for the same reason: {', '.join(also)}", style="dim"))
    return Group(Text("FAIL  ", style="bold red").append(test.entry.name, style="bold default"), grid)


def spelled(expression: str) -> Iterator[str]:
    """Lines that spell out the bytes and the unusual characters in a Python expression."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes) and node.value:
            shown = node.value[:_MOST_BYTES].hex(" ")
            more = f" ... ({len(node.value)} bytes)" if len(node.value) > _MOST_BYTES else ""
            yield f"{node.value[:_MOST_BYTES]!r} is the bytes {shown}{more}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            unusual = [char for char in dict.fromkeys(node.value) if not (char.isascii() and char.isprintable())]
            for char in unusual:
                name = unicodedata.name(char, "") or unicodedata.category(char)
                yield f"{char!a} is U+{ord(char):04X} {name}"


def _verdict(report: CheckReport) -> Text:
    text = Text()
    failed = sum(test.status == "fail" for test in report.tests)
    not_run = sum(test.status == "not_run" for test in report.tests)
    if report.verdict is CheckVerdict.PASS:
        text.append(f"PASS  {_passed(report)}", style="bold green")
        if report.assisted:
            text.append("\nassisted: the reference stood in for a module that you have not built", style="yellow")
        text.append(f"\n{_evidence(report)}", style="default")
    elif report.verdict is CheckVerdict.FAIL and report.tests:
        text.append(f"FAIL  {failed} of {len(report.tests)} tests fail", style="bold red")
        if len(report.causes) < failed:
            causes = len(report.causes)
            text.append(f", from what looks like {causes} cause{'s' if causes > 1 else ''}", style="bold red")
        if not_run:
            text.append(f"; {not_run} did not run: the time was up", style="bold red")
    else:
        words = report.verdict.replace("_", " ").upper()
        text.append(words, style=_STYLES.get(report.verdict, "bold yellow"))
    return text


def _passed(report: CheckReport) -> str:
    return f"all {len(report.tests)} tests pass" if len(report.tests) > 1 else "the test passes"


def _evidence(report: CheckReport) -> str:
    """What was proven and what was only tried.

    A property or a golden test without generated input looks at its whole, finite domain; that is what makes it one.
    """
    tried = [test for test in report.tests if test.examples]
    whole = [test for test in report.tests if not test.examples and test.entry.kind in (Kind.PROPERTY, Kind.GOLDEN)]
    worked = len(report.tests) - len(tried) - len(whole)
    lines = []
    if whole:
        lines.append(f"proven on every case of a finite domain: {len(whole)} tests")
    if worked:
        lines.append(f"held on worked examples and edge cases: {worked} tests")
    if tried:
        inputs = sum(test.examples for test in tried)
        lines.append(f"tried, and not proven, on {inputs} generated inputs: {len(tried)} tests")
    return "\n".join(lines)


CHECK_SCHEMA = "tokproof-check"
CHECK_VERSION = 1
"""As `harness.reports.json_report.SCORE_VERSION`."""


def check_json(report: CheckReport) -> str:
    """One JSON document; the keys are a public promise."""
    document: dict[str, Any] = {
        "schema": {"name": CHECK_SCHEMA, "version": CHECK_VERSION},
        "module": report.module.id,
        "title": report.module.title,
        "complete": report.complete,
        "began_at": report.began_at,
        "verdict": report.verdict,
        "message": report.message or None,
        "assisted": report.assisted,
        "tests": [_test_document(test) for test in report.tests],
        "causes": [_cause_document(cause) for cause in report.causes],
        "seed": report.seed,
        "profile": report.profile,
        "isolation": report.isolation,
        "digests": dict(report.digests),
        "elapsed_s": round(report.elapsed_s, 3),
        "versions": dict(report.versions),
    }
    return json.dumps(document, indent=2)


def _cause_document(cause: Cause) -> dict[str, Any]:
    return {
        "tests": list(cause.tests),
        "hint": cause.hint or None,
        "mutant": cause.mutant or None,
        "mistake": cause.mistake or None,
        "sure": cause.sure,
    }


def _test_document(test: CheckedTest) -> dict[str, Any]:
    return {
        **catalog_document(test.entry),
        "status": test.status,
        "input": test.input or None,
        "values": list(test.values),
        "expected": test.expected or None,
        "got": test.got or None,
        "replay": test.replay or None,
        "examples": test.examples,
    }
