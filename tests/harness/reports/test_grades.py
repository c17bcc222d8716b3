"""What students, instructors and learning platforms get of a grade: read back, held to schemas, without secrets."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

from harness.errors import UsageError
from harness.records import (
    CatalogEntry,
    Cause,
    CheckedTest,
    Grade,
    GradedTest,
    GradeStatus,
    GradingRun,
    Kind,
    Module,
    Received,
    TestPoints,
    Visibility,
)
from harness.reports.feedback import feedback_markdown
from harness.reports.grade_facts import plain
from harness.reports.grades_csv import HEADINGS, grades_csv
from harness.reports.gradescope import CAP_TEST, CAP_TOP, results_json, skeleton_json
from harness.reports.junit import grades_junit
from harness.reports.lms_cells import canvas_cells, canvas_column, feedback_html, moodle_cells, moodle_column
from harness.reports.readable import csv_cell, readable
from harness.reports.student_page import student_html
from harness.reports.student_view import student_view

SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
RESULTS = jsonschema.Draft7Validator(json.loads((SCHEMAS / "gradescope-results.json").read_text("utf-8")))
JUNIT = etree.XMLSchema(etree.parse(str(SCHEMAS / "junit-10.xsd")))
GradeMaker = Callable[..., Grade]
RunMaker = Callable[..., GradingRun]
FOR_STUDENTS: dict[str, Callable[[Grade, GradingRun], str]] = {
    "results.json": results_json,
    "feedback": feedback_markdown,
    "page": student_html,
    "moodle": lambda grade, run: feedback_html(grade),
}


def results(text: str) -> dict[str, Any]:
    """A results.json that Gradescope takes."""
    document: dict[str, Any] = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    RESULTS.validate(document)
    return document


def elements(page: str) -> list[tuple[str, tuple[str, ...]]]:
    """The page's elements with the names of their attributes, in order."""
    found: list[tuple[str, tuple[str, ...]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, tuple(name for name, _ in attrs)))

    Reader().feed(page)
    return found


# --- Gradescope


def test_the_maxima_add_up_and_the_total_is_ours(grade: GradeMaker, run: RunMaker) -> None:
    document = results(results_json(grade(), run()))
    assert document["score"] == 20.5
    assert sum(test["max_score"] for test in document["tests"]) == 75
    assert [test["score"] for test in document["tests"]] == [0, 12.5, 0, 0, 0, 12.5]
    assert [test["status"] for test in document["tests"]].count("passed") == 2
    assert [test["visibility"] for test in document["tests"]] == [str(one.visibility) for one in run().scheme]
    assert document["tests"][1]["tags"] == ["property", "required"]
    for shown in ("20.5 of 75 points", "Late by 2 days: 4.5 points are lost", "Read this first: test_doubles fails"):
        assert shown in document["output"]
    for shown in ("may be this: adds one", "double(1)", "expected  2", "got       3"):
        assert shown in document["tests"][0]["output"]
    assert document["execution_time"] == 1.25
    assert document["stdout_visibility"] == "hidden"


def test_the_skeleton_has_every_test_and_no_point(run: RunMaker) -> None:
    document = results(skeleton_json(run()))
    assert (document["score"], sum(test["max_score"] for test in document["tests"])) == (0, 75)
    assert {(test["score"], test["status"], test["output"]) for test in document["tests"]} == {
        (0, "failed", "Not run yet.")
    }
    assert "ask for it to be graded again" in document["output"]


def test_a_grade_that_is_not_finished_has_every_test_all_the_same(grade: GradeMaker, run: RunMaker) -> None:
    started = replace(grade(), tests=grade().tests[:2], points=Decimal("12.5"))
    document = results(results_json(started, run()))
    assert [test["name"] for test in document["tests"]] == [worth.name for worth in run().scheme]
    assert [test["output"] for test in document["tests"][2:]] == ["This test did not run."] * 4


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (GradeStatus.INVALID, "The code could not be run."),
        (GradeStatus.UNREADABLE, "There was nothing in it that could be graded."),
        (GradeStatus.MISSING, "Nothing was handed in."),
        (GradeStatus.ERROR, "The grader itself failed"),
    ],
)
def test_what_was_not_graded_says_why_everywhere(
    grade: GradeMaker, run: RunMaker, status: GradeStatus, words: str
) -> None:
    failed = replace(grade(), status=status, points=Decimal(0), tests=(), causes=(), penalty=Decimal(0))
    document = results(results_json(failed, run()))
    assert (document["score"], {test["score"] for test in document["tests"]}) == (0, {0})
    for name, rendered in FOR_STUDENTS.items():
        text = rendered(failed, run())
        assert words in text, name
        assert ("halve is missing" in text) is (status is not GradeStatus.ERROR), name


def test_required_tests_take_all_points_and_say_so(grade: GradeMaker, run: RunMaker) -> None:
    lost = replace(grade(), points=Decimal(0), penalty=Decimal(0), failed_required=("test_doubles", "test_law"))
    for name, rendered in FOR_STUDENTS.items():
        text = re.sub("&#95;|`", lambda found: "_" if found[0] != "`" else "", rendered(lost, run()))
        assert "since test_doubles, test_law must pass and do not; the tests alone would give 25." in text, name


def test_long_output_is_cut_and_says_so(grade: GradeMaker, run: RunMaker) -> None:
    long = grade(lambda text: text if re.fullmatch(r"test_\w+", text) else text * 3000)
    document = results(results_json(long, run()))
    assert max(len(test["output"]) for test in document["tests"]) == CAP_TEST
    assert len(document["output"]) <= CAP_TOP
    assert document["tests"][0]["output"].endswith("too long to be shown here.]")
    many = replace(run(), scheme=tuple(replace(run().scheme[0], name=f"test_{number}") for number in range(300)))
    tests = tuple(
        replace(long.tests[0], test=replace(long.tests[0].test, entry=replace(long.tests[0].test.entry, name=one.name)))
        for one in many.scheme
    )
    assert len(results_json(replace(long, tests=tests), many)) < 700_000


@pytest.mark.parametrize("points", ["NaN", "Infinity"])
def test_no_number_that_is_none_gets_into_a_result(grade: GradeMaker, run: RunMaker, points: str) -> None:
    with pytest.raises(ValueError, match="no number of points"):
        results_json(replace(grade(), points=Decimal(points)), run())


def test_without_times_two_runs_give_the_same_bytes(grade: GradeMaker, run: RunMaker) -> None:
    first, second = grade(), replace(grade(), elapsed_s=99.0)
    later = replace(run(), began_at="2027-01-01T00:00:00+00:00")
    assert results_json(first, run(), times=False) == results_json(second, later, times=False)
    assert student_html(first, run(), times=False) == student_html(second, later, times=False)
    assert feedback_markdown(first, run()) == feedback_markdown(second, later)
    assert list(grades_csv([first], times=False)) == list(grades_csv([second], times=False))


# --- nothing hidden


def test_what_hidden_tests_show_is_in_nothing_that_a_student_reads(grade: GradeMaker, run: RunMaker) -> None:
    for name, rendered in FOR_STUDENTS.items():
        text = rendered(grade(), run())
        assert "nobody-reads-this" not in text, name
        assert "what is twice one?" in text, "a cause that a visible test shows is told"
    # Renderers leave it out as well: what they are given must already be without it.
    assert "nobody-reads-this" not in repr(student_view(grade()))
    assert "test_hidden" in feedback_markdown(grade(), run())
    assert "test_hidden" in student_html(grade(), run())


def test_a_cause_names_no_hidden_test(grade: GradeMaker, run: RunMaker) -> None:
    both = grade()
    shown = Cause((*both.causes[1].tests, "test_hidden"), "a hint")
    alone = replace(both, causes=(shown,))
    page = feedback_markdown(alone, run())
    assert "a hint" in page
    assert "same reason" not in page


MARKDOWN_TAGS = {"h1", "h2", "h3", "p", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"}
NAMES = tuple(f"test_{letter}" for letter in "abcdef")


@st.composite
def grades(draw: st.DrawFn) -> tuple[Grade, GradingRun]:
    """Any grade of six tests: every text of a hidden one holds the word that is looked for."""
    secret = "hid-\U0001f512-den"
    tests = []
    for number, name in enumerate(NAMES):
        visibility = draw(st.sampled_from(Visibility))
        text = st.text(max_size=8) if visibility is Visibility.VISIBLE else st.just(secret)
        status = draw(st.sampled_from(("pass", "fail", "not_run")))
        words = [draw(text) for _ in range(8)]
        kind = draw(st.sampled_from(Kind))
        entry = CatalogEntry(name, Path(words[0] or "x"), number, words[0], kind, words[1], words[2], ())
        test = CheckedTest(entry, status, words[3], (words[4],), words[5], words[6], words[7])
        worth = Decimal(draw(st.integers(0, 1000))) / 8
        tests.append(GradedTest(test, worth if status == "pass" else Decimal(0), worth, False, visibility))
    visible = {one.test.entry.name for one in tests if one.visibility is Visibility.VISIBLE}
    causes = []
    for _ in range(draw(st.integers(0, 3))):
        chosen = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True)))
        words = "a mistake" if visible.intersection(chosen) else secret
        causes.append(Cause(chosen, words, words, words, draw(st.booleans())))
    received = Received(draw(st.text(max_size=8)), draw(st.text(max_size=8)), draw(st.text(max_size=8)))
    scheme = tuple(TestPoints(one.test.entry.name, one.max_points, False, one.visibility) for one in tests)
    most = sum((one.max_points for one in tests), Decimal(0))
    run = GradingRun(Module("T1", "Doubling", ()), scheme, most, 0, "p", "L4", {}, {})
    status = draw(st.sampled_from(GradeStatus))
    points = sum((one.points for one in tests), Decimal(0))
    return Grade(received, status, points, most, draw(st.text(max_size=8)), tuple(tests), tuple(causes)), run


@given(grades())
def test_of_any_grade_nothing_hidden_is_shown(pair: tuple[Grade, GradingRun]) -> None:
    grade, run = pair
    assert "hid-" not in ascii(student_view(grade))
    for name, rendered in FOR_STUDENTS.items():
        assert "hid-" not in rendered(grade, run), name
    document = results(results_json(grade, run))
    assert Decimal(str(sum(test["max_score"] for test in document["tests"]))) == run.max_points
    if grade.status is GradeStatus.GRADED:
        assert sum(test["score"] for test in document["tests"]) == document["score"] == float(grade.points)


# --- the tables


def table(lines: list[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(lines), newline=""), strict=True))


def test_the_table_reads_back(grade: GradeMaker, hostile_text: str) -> None:
    text = f"x{hostile_text}"
    one = replace(
        grade(),
        received=replace(grade().received, student=hostile_text, name=text, notes=(text, hostile_text)),
        reason=hostile_text,
    )
    (row,) = table(list(grades_csv([one])))
    assert tuple(row) == (*HEADINGS, "seconds")
    assert (row["student"], row["name"]) == (csv_cell(hostile_text), csv_cell(text))
    assert (row["reason"], row["notes"]) == (csv_cell(hostile_text), csv_cell(f"{text}; {hostile_text}"))
    assert (row["points"], row["penalty"], row["seconds"]) == ("20.5", "4.5", "1.250")
    assert row["failed_tests"] == "test_doubles test_hidden test_later"
    for cell in row.values():
        assert cell.lstrip()[:1] not in tuple("=+-@\t\r") or not cell.strip()
        assert cell == readable(cell)


def test_who_we_failed_has_no_points_in_the_table(grade: GradeMaker) -> None:
    (row,) = table(list(grades_csv([replace(grade(), status=GradeStatus.ERROR)])))
    assert (row["points"], row["status"]) == ("", "error")


CANVAS = {"Student": "Example, Ada", "ID": "17", "SIS Login ID": "ada", "Section": "1", "Byte map (4711)": ""}


def test_canvas_gets_the_points_in_its_own_column(grade: GradeMaker) -> None:
    assert canvas_cells("Byte map (4711)", grade()) == {"Byte map (4711)": "20.5"}
    assert canvas_cells("Byte map (4711)", grade(), possible="10.00") == {"Byte map (4711)": "2.73"}
    assert canvas_cells("Byte map (4711)", grade(), possible="75.0") == {"Byte map (4711)": "20.5"}
    for status in (GradeStatus.MISSING, GradeStatus.ERROR):
        assert canvas_cells("Byte map (4711)", replace(grade(), status=status)) == {}


@pytest.mark.parametrize("column", ["Byte map", "byte map (4711)", "Section", "Other (1)"])
def test_canvas_gets_no_new_assignment(column: str) -> None:
    with pytest.raises(UsageError, match="no assignment") as refused:
        canvas_column(tuple(CANVAS), column)
    assert "Byte map (4711)" in refused.value.remedy


def test_canvas_has_its_only_assignment_filled_and_of_several_the_one_that_is_named() -> None:
    assert canvas_column(tuple(CANVAS)) == "Byte map (4711)"
    several = (*CANVAS, "Codec (4712)")
    assert canvas_column(several, "Codec (4712)") == "Codec (4712)"
    with pytest.raises(UsageError, match="2 assignments"):
        canvas_column(several)
    with pytest.raises(UsageError, match="no assignment"):
        canvas_column(("Student", "ID"))


@pytest.mark.parametrize("possible", ["ten", "0", "-1", "NaN", "Infinity"])
def test_a_scale_that_is_none_is_refused(grade: GradeMaker, possible: str) -> None:
    with pytest.raises(UsageError, match="no number of points"):
        canvas_cells("Byte map (4711)", grade(), possible=possible)


MOODLE = {
    "Identifier": "Participant 12",
    "Grade": "",
    "Maximum Grade": "30,00",
    "Grade can be changed": "Yes",
    "Feedback comments": "",
}


def test_moodle_gets_points_on_its_own_scale_and_feedback(grade: GradeMaker) -> None:
    cells = moodle_cells(MOODLE, grade())
    assert (set(cells), cells["Grade"]) == ({"Grade", "Feedback comments"}, "8.2")
    assert {tag for tag, _ in elements(cells["Feedback comments"])} == {"p", "pre", "br"}
    assert "may be this: adds one" in cells["Feedback comments"]
    assert "\n" not in cells["Feedback comments"]
    without = {name: cell for name, cell in MOODLE.items() if name != "Feedback comments"}
    assert moodle_cells(without, grade()) == {"Grade": "8.2"}
    assert moodle_cells({**MOODLE, "Grade can be changed": "No"}, grade()) == {}
    with pytest.raises(UsageError, match="no column 'Grade'"):
        moodle_column(("Identifier", "Full name"))


@pytest.mark.parametrize(
    ("points", "words"), [("100.00", "100"), ("0.00", "0"), ("1E+2", "100"), ("87.50", "87.5"), ("-0", "0")]
)
def test_points_are_plain_decimals(points: str, words: str) -> None:
    assert plain(Decimal(points)) == words


# --- JUnit


def test_junit_has_a_suite_for_each_submission(grade: GradeMaker, run: RunMaker) -> None:
    gone = replace(grade(), status=GradeStatus.UNREADABLE, tests=(), causes=())
    text = "".join(grades_junit(replace(run(), complete=False), [grade(), gone]))
    tree = etree.fromstring(text.encode())
    JUNIT.assertValid(tree)
    assert [suite.get("name") for suite in tree] == ["s1-2", "s1-2", "run"]
    assert [(suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in tree] == [
        ("6", "3", "0"),
        ("1", "0", "1"),
        ("1", "0", "1"),
    ]
    JUNIT.assertValid(etree.fromstring("".join(grades_junit(run(), [])).encode()))


# --- hostile text


def test_no_text_harms_what_is_said_of_a_grade(grade: GradeMaker, run: RunMaker, hostile_text: str) -> None:
    def around(text: str) -> str:
        return f"{text}{hostile_text}"

    plain_page = elements(student_html(grade(), run()))
    assert elements(student_html(grade(around), run(around))) == plain_page
    for text in (around, lambda _: hostile_text):
        one, whole = grade(text), run(text)
        page = student_html(one, whole)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", page)
        assert "script" not in {tag for tag, _ in elements(page)}
        results(results_json(one, whole)).items()
        results(skeleton_json(whole))
        JUNIT.assertValid(etree.fromstring("".join(grades_junit(whole, [one])).encode()))
        assert {tag for tag, _ in elements(feedback_html(one))} <= {"p", "pre", "br"}
        shown = elements(MarkdownIt("commonmark").enable("table").render(feedback_markdown(one, whole)))
        assert {tag for tag, _ in shown} <= MARKDOWN_TAGS
        results_json(one, whole).encode()
        feedback_markdown(one, whole).encode()
