"""What is said of a whole class: the figures, the page in pieces, the terminal, and what a regrade changed."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

import pytest

from harness.records import Cause, Grade, GradeChange, GradeStatus, GradingRun
from harness.reports.class_page import class_html
from harness.reports.class_summary import ClassSummary, ClassTally, Pitfall, TestTally, Ungraded
from harness.reports.grade_text import changes_text, class_text

GradeMaker = Callable[..., Grade]
RunMaker = Callable[..., GradingRun]


def a_class(make: GradeMaker) -> list[Grade]:
    """Six submissions: two the same, one perfect, and three that were not graded for three reasons."""
    one = replace(make(), causes=(Cause(("test_doubles",), "a hint", "s01", "adds one", True),), points=Decimal("22.5"))
    passed = tuple(
        replace(graded, test=replace(graded.test, status="pass"), points=graded.max_points) for graded in one.tests
    )
    return [
        one,
        replace(one, received=replace(one.received, key="s2", student="s2"), elapsed_s=70.0),
        replace(one, tests=passed, causes=(), points=one.max_points, digest="ef", elapsed_s=0.1),
        replace(one, status=GradeStatus.UNREADABLE, tests=(), points=Decimal(0), reason="a damaged archive"),
        replace(one, status=GradeStatus.MISSING, tests=(), points=Decimal(0)),
        replace(one, status=GradeStatus.ERROR, tests=(), points=Decimal(0), reason="the disk is full"),
    ]


def summed(run: GradingRun, grades: list[Grade]) -> ClassSummary:
    tally = ClassTally(run)
    for grade in grades:
        tally.add(grade)
    return tally.summary()


def test_the_figures_of_a_class(grade: GradeMaker, run: RunMaker) -> None:
    summary = summed(run(), a_class(grade))
    assert (summary.submissions, summary.number(GradeStatus.GRADED), summary.number(GradeStatus.ERROR)) == (6, 3, 1)
    assert (summary.mean, summary.median) == (Decimal("30.00"), Decimal("22.50"))
    assert summary.histogram == (1, 0, 0, 2, 0, 0, 0, 0, 0, 1)
    assert summary.pitfalls == (Pitfall("s01", "adds one", "a hint", sure=2, likely=0),)
    assert summary.tests[:3] == (
        TestTally("test_doubles", 2, 0),
        TestTally("test_halves", 0, 0),
        TestTally("test_law", 0, 2),
    )
    assert (summary.times, summary.median_s) == ((1, 0, 1, 0, 1), 1.25)
    assert (summary.identical, summary.unexplained) == (1, 0)
    assert summary.ungraded == (
        Ungraded("s1", GradeStatus.UNREADABLE, "a damaged archive"),
        Ungraded("s1", GradeStatus.ERROR, "the disk is full"),
    )


def test_nobody_at_all_has_figures_too(run: RunMaker) -> None:
    summary = summed(run(), [])
    assert (summary.mean, summary.median, summary.median_s, sum(summary.histogram)) == (None, None, None, 0)
    page = "".join(class_html(run(), summary, []))
    assert "0 submissions." in page
    assert "No test ran on any submission." in class_text(run(), summary, files={})


def test_the_page_names_everybody_and_what_explains_them(grade: GradeMaker, run: RunMaker) -> None:
    grades = a_class(grade)
    page = "".join(
        class_html(run(), summed(run(), grades), grades, link=lambda one: f"students/{one.received.key}.html")
    )
    for shown in (
        'href="students/s2.html"',
        "behaves exactly as if: adds one",
        "a damaged archive",
        "The grader failed on 1 of 6 submissions",
        "Nobody failed 2 of 6 tests: test_halves, test_last",
        "Submissions that make each mistake",
        "22.5 of 75",
        "not graded",
        "1 min 10 s",
    ):
        assert shown in page, shown
    assert "<script" not in page
    without = "".join(class_html(run(), summed(run(), grades), grades, times=False))
    assert "1 min 10 s" not in without
    assert "2026-01-02" not in without


def test_no_text_harms_the_page_of_a_class(grade: GradeMaker, run: RunMaker, hostile_text: str) -> None:
    grades = a_class(lambda: grade(lambda text: f"{text}{hostile_text}"))
    whole = run(lambda text: f"{text}{hostile_text}")
    page = "".join(class_html(whole, summed(whole, grades), grades, link=lambda one: one.received.key))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", page)
    harmless = "".join(class_html(run(), summed(run(), a_class(grade)), a_class(grade), link=lambda one: "x"))
    assert re.findall(r"<\w+", page) == re.findall(r"<\w+", harmless)
    shown = class_text(whole, summed(whole, grades), files={"page": hostile_text})
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", shown)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]", changes_text([GradeChange(hostile_text, "1", "2")]))


def test_ten_thousand_rows_go_through_one_at_a_time(grade: GradeMaker, run: RunMaker) -> None:
    one = grade()

    def many() -> Iterator[Grade]:
        for number in range(10_000):
            yield replace(one, received=replace(one.received, key=str(number)), digest=f"{number:064x}")

    tally = ClassTally(run())
    tracemalloc.start()
    for each in many():
        tally.add(each)
    size = sum(len(piece) for piece in class_html(run(), tally.summary(), many()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (size > 2_000_000, peak < 12_000_000) == (True, True)


@pytest.mark.parametrize("colour", [True, False])
def test_the_terminal_view_fits_eighty_columns(grade: GradeMaker, run: RunMaker, colour: bool) -> None:
    stopped = replace(run(), complete=False)
    grades = a_class(grade)
    grades += [replace(grades[3], reason="x " * 100)] * 12
    shown = class_text(
        stopped,
        summed(stopped, grades),
        files={"grades": "results/grades.csv"},
        resume="ol grade T1 class.zip --out results --resume",
        colour=colour,
    )
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert (max(map(len, text.splitlines())) <= 80, "\x1b" in shown) == (True, colour)
    for part in (
        *(
            "Mean 7.5 of 75",
            "18 submissions",
            "Interrupted",
            "s01  2  adds one",
            "2  test_doubles",
            "a damaged archive",
        ),
        *("and 4 more", "grades  results/grades.csv", "Go on with:  ol grade T1 class.zip --out results --resume"),
    ):
        assert part in text, part


def test_what_a_regrade_changed() -> None:
    change = GradeChange("s1-2", "20.50", "12.00", ("test_halves",), ("test_doubles",))
    shown = changes_text([change])
    for part in ("1 grade changed", "s1-2", "20.50", "12.00", "fails test_halves", "passes test_doubles"):
        assert part in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert changes_text([]) == "No grade changed.\n"
