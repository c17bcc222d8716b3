"""Reports made by hand: small, with every field filled, and with any text in the place of each."""

from __future__ import annotations

from collections.abc import Callable
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
    Kind,
    Module,
    Mutant,
    Report,
    Search,
    Status,
    Tier,
    Verdict,
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


@pytest.fixture
def score() -> Callable[..., Report]:
    """The maker of score reports."""
    return make_score


@pytest.fixture
def check() -> Callable[..., CheckReport]:
    """The maker of check reports."""
    return make_check
