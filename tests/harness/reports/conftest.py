"""Reports made by hand: small, with every field filled, and with any text in the place of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from harness.records import (
    CatalogEntry,
    Cause,
    CheckedTest,
    CheckReport,
    CheckVerdict,
    Controls,
    Counterexample,
    Effort,
    Grade,
    GradedTest,
    GradeStatus,
    GradingRun,
    Kind,
    Module,
    Mutant,
    Received,
    Report,
    Search,
    Status,
    TestPoints,
    Tier,
    Verdict,
    Visibility,
)

UNIT = "pkg/double.py"
SOURCE = "def double(number):\n    if number < 0:\n        return -double(-number)\n    return number + number\n"
DIFF = (
    f"--- a/{UNIT}\n+++ b/{UNIT}\n@@ -1,4 +1,4 @@\n def double(number):\n     if number < 0:\n"
    "         return -double(-number)\n-    return number + number\n+    return number + number + 1\n"
)


def same(text: str) -> str:
    return text


def make_score(text: Callable[[str], str] = same) -> Report:
    """A score with a mutant of every verdict word, each text passed through `text`."""
    tests = tuple(text(name) for name in ("test_doubles", "test_halves", "test_law"))

    def verdict(number: int, status: Status, tier: Tier = Tier.SEMANTIC, *, flaky: bool = False) -> Verdict:
        killed = status is Status.KILLED
        mutant = Mutant(
            id=text(f"s{number:02}"),
            tier=tier,
            sources={},
            unit=text(UNIT),
            line=4,
            diff=text(DIFF),
            description=text("adds one"),
            operator=text("off by one"),
            pitfall=3,
            required=number % 2 == 0,
            caught_by=(tests[1],),
            witness=text("double(1)"),
        )
        seen = Counterexample(
            test=tests[0],
            input=text("double(1)"),
            values=(text("number = 1"),),
            expected=text("2"),
            got=text("3"),
            examples=4,
            replay=text("ol score T1 --only s01 --explain"),
        )
        return Verdict(
            mutant=mutant,
            status=status,
            killed_by=tests[:1] if killed else (),
            tests=tests[:2],
            elapsed_s=0.05 * 10 ** (number % 4),
            reason=text("AssertionError: 3 == 2"),
            examples=4 if killed else 0,
            counterexample=seen if killed else None,
            flaky=flaky,
        )

    words = (Status.KILLED, Status.SURVIVED, Status.TIMEOUT, Status.CRASHED, Status.INVALID, Status.EQUIVALENT)
    verdicts = [verdict(number, status) for number, status in enumerate(words, 1)]
    verdicts += [verdict(7, Status.KILLED, Tier.PINNED, flaky=True), verdict(8, Status.ERROR, Tier.GENERATED)]
    verdicts += [verdict(9, Status.SURVIVED, Tier.WHEAT)]
    effort = Effort(text("s01"), tests[2], True, 5, (2, 3, 9))
    plain = Effort(text("s01"), tests[2], True, 5, ())
    return Report(
        module=Module(text("T1"), text("Doubling numbers"), (text(UNIT),)),
        verdicts=tuple(verdicts),
        controls=Controls(True, True, True, False, (text("wheat w01 was killed"),)),
        tests=tests,
        matrix=True,
        seed=7,
        elapsed_s=12.5,
        versions={text("python"): text("3.11.9")},
        mutation_s=3.25,
        baseline_s=1.5,
        reference={text(UNIT): text(SOURCE)},
        search=Search(5, (effort,), (plain,), (text("w01, seed 3"),)),
        complete=True,
        planned=8,
        catalog=tuple(_entry(text, name, number) for number, name in enumerate(tests, 1)),
        profile=text("tokproof-score"),
        isolation=text("none"),
        began_at=text("2026-01-02T03:04:05+00:00"),
        digests={text("reference"): text("ab" * 32)},
    )


def _entry(text: Callable[[str], str], name: str, number: int) -> CatalogEntry:
    return CatalogEntry(
        name=name,
        path=Path(text("tests/T1/test_double.py")),
        line=10 * number,
        law=text("Doubling is adding a number to itself."),
        kind=Kind.PROPERTY,
        checks=text("the sum"),
        why=text("everything rests on it"),
        catches=(text("s01"), text("s02")),
        stays=text(""),
    )


def make_check(text: Callable[[str], str] = same) -> CheckReport:
    """A check with a test of every status, each text passed through `text`."""
    names = [text(name) for name in ("test_doubles", "test_halves", "test_law")]
    statuses = ("fail", "pass", "not_run")
    tests = tuple(
        CheckedTest(
            entry=_entry(text, name, number),
            status=status,
            input=text("double(1)") if status == "fail" else "",
            values=(text("number = 1"),) if status == "fail" else (),
            expected=text("2") if status == "fail" else "",
            got=text("3") if status == "fail" else "",
            replay=text("ol check T1 --test test_doubles") if status == "fail" else "",
            examples=5 * number,
        )
        for number, (name, status) in enumerate(zip(names, statuses, strict=True))
    )
    return CheckReport(
        module=Module(text("T1"), text("Doubling numbers"), ()),
        verdict=CheckVerdict.FAIL,
        message=text("the time was up"),
        tests=tests,
        causes=(Cause((names[0],), text("what is twice one?"), text("s01"), text("adds one"), True),),
        assisted=True,
        seed=7,
        isolation=text("L3"),
        elapsed_s=1.5,
        versions={text("python"): text("3.11.9")},
        complete=False,
        profile=text("tokproof-check"),
        began_at=text("2026-01-02T03:04:05+00:00"),
        digests={text("submission"): text("cd" * 32)},
    )


SECRET = "xq7-nobody-reads-this"
"""Stands in everything that a hidden test shows."""
GRADED = (
    ("test_doubles", "fail", Visibility.VISIBLE, False),
    ("test_halves", "pass", Visibility.VISIBLE, True),
    ("test_law", "not_run", Visibility.VISIBLE, False),
    ("test_hidden", "fail", Visibility.HIDDEN, False),
    ("test_later", "fail", Visibility.AFTER_DUE_DATE, False),
    ("test_last", "pass", Visibility.AFTER_PUBLISHED, False),
)
EACH = Decimal("12.5")


def make_run(text: Callable[[str], str] = same) -> GradingRun:
    """What holds for the grades that `make_grade` makes."""
    scheme = tuple(TestPoints(text(name), EACH, required, visibility) for name, _, visibility, required in GRADED)
    return GradingRun(
        module=Module(text("T1"), text("Doubling numbers"), ()),
        scheme=scheme,
        max_points=EACH * len(scheme),
        seed=7,
        profile=text("tokproof-check"),
        isolation=text("L4"),
        versions={text("python"): text("3.11.9")},
        digests={text("tests"): text("ab" * 32)},
        began_at=text("2026-01-02T03:04:05+00:00"),
    )


def make_grade(text: Callable[[str], str] = same, secret: str = SECRET) -> Grade:
    """A late grade with a test of every status and visibility; what hidden tests show holds `secret`."""

    def graded(number: int, name: str, status: str, visibility: Visibility, required: bool) -> GradedTest:
        held = text if visibility is Visibility.VISIBLE else lambda _: secret
        entry = replace(_entry(held, text(name), number), path=Path(held("tests/T1/test_double.py")))
        fails = status == "fail"
        test = CheckedTest(
            entry=entry,
            status=status,
            input=held("double(1)") if fails else "",
            values=(held("number = 1"),) if fails else (),
            expected=held("2") if fails else "",
            got=held("3") if fails else "",
            replay=held("ol check T1 --test test_doubles") if fails else "",
            examples=number,
        )
        return GradedTest(test, EACH if status == "pass" else Decimal(0), EACH, required, visibility)

    return Grade(
        received=Received(
            key=text("s1-2"),
            student=text("s1"),
            name=text("Ada Example"),
            email=text("ada@example.org"),
            source=secret,
            late_days=2,
            notes=(secret,),  # it may name others
        ),
        status=GradeStatus.GRADED,
        points=Decimal("20.5"),
        max_points=EACH * len(GRADED),
        reason=text("halve is missing"),
        tests=tuple(graded(number, *one) for number, one in enumerate(GRADED)),
        causes=(
            Cause((text("test_hidden"),), secret, secret, secret, True),
            Cause(
                (text("test_later"), text("test_doubles")), text("what is twice one?"), text("s01"), text("adds one")
            ),
        ),
        penalty=Decimal("4.5"),
        digest=text("cd" * 32),
        isolation=text("L4"),
        elapsed_s=1.25,
    )


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--",
    "--><img src=x onerror=alert(1)>",
    "<![CDATA[",
    "]]>",
    "&lt;b&gt;&#x41;&amp;",
    "\"'`<>&",
    "' onmouseover='alert(1)",
    '" autofocus onfocus="alert(1)',
    "javascript:alert(1)",
    "[a](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "https://example.org www.example.org a@example.org",
    "@everyone #1 GH-1",
    "| a | b |",
    "```\n```` x\n~~~",
    "# heading\n- item\n1. one\n> quote\n***",
    "{{ 7 * 7 }}{% raw %}",
    "${7*7}#{7*7}",
    "%s %d %n {0} {x!r}",
    "=1+1",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\uff1d1",
    'a","b\n"c',
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x7f\x80\x9b",
    "\u202eevil\u202c",
    "\u2066x\u2069\u200f\u061c",
    "\u2028\u2029\x85",
    "\ufeff\u200b\u00ad",
    "\ud800",
    "\udfff\ud800",
    "\ufffe\uffff\U0001fffe",
    "\U000e0041",
    "a\u0300" * 50,
    "x" * 5000,
    "",
    " ",
    "\n\n",
    "../../../etc/passwd",
    "C:\\windows\\system32",
    "@@ -1 +1 @@\n-x\n+y",
    "--- a/pkg/double.py\n+++ b/pkg/double.py\n@@ -99,1 +99,1 @@\n-q\n+r\n",
    "::error file=x::y",
    "##[group]x",
]
# Every single character that formats treat differently, alone and inside a word.
HOSTILE += [chr(code) for code in (*range(0x01, 0x20), *range(0x21, 0x30), *range(0x3A, 0x41), *range(0x5B, 0x61))]
HOSTILE += [f"a{char}b" for char in "<>&\"'`\x00\x08\x0b\x0c\x0e\x1f\x7f\x9f\u2028\u202e\ud83d\udc00\ufffe"]
HOSTILE += [chr(code) for code in (*range(0x7B, 0xA0), 0xD7FF, 0xE000, 0xFDD0, 0xFDEF, 0x10FFFF, 0x1F600)]
HOSTILE += [
    f"{left}{right}" for left in ("<", "</", "&", "]]", "--", "\\") for right in ("a>", "script ", "#0;", "!", "\ud800")
]
HOSTILE = list(dict.fromkeys(HOSTILE))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for a `hostile_text` runs with each of them."""
    if "hostile_text" in metafunc.fixturenames:
        metafunc.parametrize("hostile_text", HOSTILE, ids=map(str, range(len(HOSTILE))))


@pytest.fixture
def hostile_texts() -> list[str]:
    """All of them."""
    return HOSTILE


@pytest.fixture
def grade() -> Callable[..., Grade]:
    """The maker of grades."""
    return make_grade


@pytest.fixture
def run() -> Callable[..., GradingRun]:
    """The maker of runs."""
    return make_run


@pytest.fixture
def score() -> Callable[..., Report]:
    """The maker of score reports."""
    return make_score


@pytest.fixture
def check() -> Callable[..., CheckReport]:
    """The maker of check reports."""
    return make_check
