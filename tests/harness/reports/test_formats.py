"""Each format against its own schema or reader: with every verdict word, and with hostile text everywhere."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from harness.errors import UsageError
from harness.records import CheckReport, Controls, Report, Status
from harness.reports.against import against
from harness.reports.check_report import check_json
from harness.reports.formats import FORMATS, rendered
from harness.reports.json_report import score_json
from harness.reports.markdown import CAP_BYTES
from harness.reports.read_document import read_document
from harness.reports.readable import csv_cell, markdown_text, readable, readable_lines
from harness.reports.result_text import result_text
from harness.reports.spans import Span, span_of
from harness.scoring import count

SCHEMAS = Path(__file__).parents[1] / "data" / "schemas"
ScoreMaker = Callable[..., Report]
CheckMaker = Callable[..., CheckReport]


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text("utf-8"))


JUNIT = etree.XMLSchema(etree.parse(str(SCHEMAS / "junit-10.xsd")))
STRYKER = jsonschema.Draft7Validator(schema("mutation-testing-report-schema.json"))
SARIF = jsonschema.Draft4Validator(schema("sarif-2.1.0-rtm.5.json"))
ALLOWED_TAGS = {"code", "details", "summary", "h2", "h3", "p", "blockquote", "strong", "ul", "li", "pre", "em"} | {
    *("table", "thead", "tbody", "tr", "th", "td")
}


class Tags(HTMLParser):
    """Tags and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.addresses: list[str] = []
        self.scripts = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action", "xlink:href")]
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def check_stryker(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    STRYKER.validate(document)
    tests = {test["id"] for file in document["testFiles"].values() for test in file["tests"]}
    for file in document["files"].values():
        for mutant in file["mutants"]:
            assert {*mutant["killedBy"], *mutant["coveredBy"]} <= tests
            start, end = mutant["location"]["start"], mutant["location"]["end"]
            assert (start["line"], start["column"]) <= (end["line"], end["column"])
    return document


def check_junit_xml(text: str) -> etree._Element:
    tree = etree.fromstring(text.encode())
    JUNIT.assertValid(tree)
    for suite in tree:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    return tree


def check_sarif(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    SARIF.validate(document)
    return document


def check_csv(text: str) -> list[list[str]]:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    for row in rows:
        assert not [cell for cell in row if cell.lstrip()[:1] in ("=", "+", "-", "@", "\t", "\r")]
    return rows


def check_markdown(text: str) -> Tags:
    assert len(text.encode()) <= CAP_BYTES
    page = Tags(MarkdownIt("commonmark").enable("table").render(text))
    assert page.tags <= ALLOWED_TAGS, page.tags - ALLOWED_TAGS
    assert page.attributes <= {"class", "open", "style"}, page.attributes
    return page


_TAGS = """a b body button circle code dd del details div dl dt figcaption figure form h1 h2 h3 head header html input
ins label li line main meta nav ol option output p polyline pre rect script section select span strong style summary
svg table tbody td text th thead title tr ul"""
_ATTRIBUTES = """aria-describedby aria-label aria-labelledby autocomplete charset class content cx cy data-b data-bucket
data-s height hidden href http-equiv id lang name open points r role rx scope tabindex text-anchor type value viewbox
width x x1 x2 y y1 y2"""
PAGE_TAGS, PAGE_ATTRIBUTES = set(_TAGS.split()), set(_ATTRIBUTES.split())


def check_html(text: str) -> Tags:
    """Nothing in the page but what the templates put there: no other element, attribute, script or address."""
    page = Tags(text)
    assert page.tags <= PAGE_TAGS, page.tags - PAGE_TAGS
    assert page.attributes <= PAGE_ATTRIBUTES, page.attributes - PAGE_ATTRIBUTES
    assert all(re.fullmatch(r"#[a-z]+\d*", address) for address in page.addresses)
    assert page.scripts == 2
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)
    (embedded,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    matrix = json.loads(embedded)
    assert {len(row[2]) for row in matrix["mutants"]} <= {len(matrix["tests"])}
    return page


def check_badge(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    assert document["schemaVersion"] == 1
    assert {"label", "message", "color"} <= set(document) <= {"schemaVersion", "label", "message", "color", "isError"}
    return document


CHECKS: dict[str, Callable[[str], Any]] = {
    "html": check_html,
    "stryker": check_stryker,
    "junit": check_junit_xml,
    "markdown": check_markdown,
    "badge": check_badge,
    "sarif": check_sarif,
    "csv": check_csv,
}


@pytest.mark.parametrize("name", CHECKS)
def test_each_format_is_what_its_own_reader_takes(score: ScoreMaker, name: str) -> None:
    text = rendered(name, score())
    CHECKS[name](text)
    assert rendered(name, score()) == text


def test_every_format_is_checked() -> None:
    assert set(FORMATS) == set(CHECKS)


def interrupted(report: Report) -> Report:
    return replace(report, complete=False, verdicts=report.verdicts[:3])


def never_began(report: Report) -> Report:
    controls = Controls(False, False, False, False, ("the run ended before them",))
    return replace(report, complete=False, verdicts=(), tests=(), controls=controls, search=None)


@pytest.mark.parametrize("name", [*CHECKS, "terminal"])
@pytest.mark.parametrize("cut", [interrupted, never_began])
def test_an_interrupted_run_renders_and_says_so(score: ScoreMaker, name: str, cut: Callable[[Report], Report]) -> None:
    report = cut(score())
    text = result_text(report) if name == "terminal" else rendered(name, report)
    if name != "terminal":
        CHECKS[name](text)
    if name != "csv":  # a table has no place to say anything beside its rows
        assert re.search("[Ii]nterrupted|unavailable", text)


# --- what each one says


def test_a_viewer_that_counts_as_stryker_does_shows_our_score(score: ScoreMaker) -> None:
    report = score()
    document = check_stryker(rendered("stryker", report))
    words = [mutant["status"] for file in document["files"].values() for mutant in file["mutants"]]
    detected = words.count("Killed") + words.count("Timeout")
    theirs = 100 * detected / (detected + words.count("Survived") + words.count("NoCoverage"))
    assert theirs == count(report.verdicts).score_percent
    assert sorted(words) == sorted(
        ["Killed", "Survived", "Timeout", "Killed", "CompileError", "Ignored", "Killed", "RuntimeError"]
    )


def test_a_mutant_lies_where_its_diff_says(score: ScoreMaker) -> None:
    report = score()
    first = report.verdicts[0].mutant
    span = span_of(first, report)
    assert (span.start_line, span.start_column, span.end_line, span.end_column) == (4, 1, 4, 27)
    assert span.replacement == "    return number + number + 1"
    less = first.diff.replace("number + number + 1", "number")
    assert span_of(replace(first, diff=less), report) == Span(4, 18, 4, 27, "")
    unknown = replace(first, diff="no diff", line=2)
    assert span_of(unknown, report).replacement == "    if number < 0:"


def test_junit_fails_for_survivors_and_for_a_control(score: ScoreMaker) -> None:
    tree = check_junit_xml(rendered("junit", score()))
    failed = [case.get("name") for case in tree.iter("testcase") if case.find("failure") is not None]
    errors = [case.get("name") for case in tree.iter("testcase") if case.find("error") is not None]
    skipped = [case.get("name") for case in tree.iter("testcase") if case.find("skipped") is not None]
    assert (failed, errors) == (["s02: adds one"], ["s08: adds one", "control wheats"])
    assert skipped == ["s05: adds one", "s06: adds one"]


def test_sarif_shows_survivors_at_their_lines_and_keeps_their_fingerprints(score: ScoreMaker) -> None:
    report = score()
    (result,) = check_sarif(rendered("sarif", report))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("reference/pkg/double.py", 4)
    assert result["level"] == "error"
    moved = [
        replace(one, mutant=replace(one.mutant, diff=one.mutant.diff.replace("@@ -1,4 +1,4 @@", "@@ -9,4 +9,4 @@")))
        for one in report.verdicts
    ]
    (later,) = check_sarif(rendered("sarif", replace(report, verdicts=tuple(moved))))["runs"][0]["results"]
    assert later["partialFingerprints"] == result["partialFingerprints"]


@pytest.mark.parametrize(
    ("complete", "scored", "message", "colour", "is_error"),
    [
        (True, True, "80.0 %", "yellow", False),
        (False, True, "80.0 % (interrupted)", "lightgrey", True),
        (True, False, "unavailable", "lightgrey", False),
    ],
)
def test_a_badge_is_coloured_by_a_score_that_can_be_used(
    score: ScoreMaker, complete: bool, scored: bool, message: str, colour: str, is_error: bool
) -> None:
    report = replace(score(), controls=Controls(True, True, True, True), complete=complete)
    verdicts = tuple(one for one in report.verdicts if one.status is not Status.ERROR and scored)
    document = check_badge(rendered("badge", replace(report, verdicts=verdicts)))
    assert (document["message"], document["color"], document.get("isError", False)) == (message, colour, is_error)


def test_a_broken_control_leaves_no_score_on_the_badge(score: ScoreMaker) -> None:
    document = check_badge(rendered("badge", score()))
    assert (document["message"], document["isError"]) == ("unavailable", True)


def test_the_table_has_a_row_for_each_mutant_and_a_word_for_each_test(score: ScoreMaker) -> None:
    report = score()
    rows = check_csv(rendered("csv", report))
    assert (len(rows), len(rows[0])) == (len(report.verdicts) + 1, 10 + len(report.tests))
    by_id = {row[0]: row for row in rows}
    assert by_id["s01"][-3:] == ["killed as claimed", "claimed, but passed", "not run"]
    assert by_id["s06"][-3:] == ["passed", "passed", "not run"], "an equivalent mutant breaks no claim"


def test_markdown_is_cut_below_its_cap_and_counts_what_is_left_out(score: ScoreMaker) -> None:
    report = score()
    survivor = report.verdicts[1]
    many = [replace(survivor, mutant=replace(survivor.mutant, id=f"g{number}")) for number in range(5000)]
    text = rendered("markdown", replace(report, verdicts=tuple(many)))
    check_markdown(text)
    shown, left = text.count("<details open>"), int(re.search(r"(\d+) more are too many", text).group(1))  # type: ignore[union-attr]
    assert (shown + left, shown > 1000) == (5000, True)
    assert len(text.encode()) > 0.9 * CAP_BYTES


def test_a_check_is_rendered_where_that_makes_sense(check: CheckMaker) -> None:
    report = check()
    tree = check_junit_xml(rendered("junit", report))
    assert [len(list(tree.iter(tag))) for tag in ("testcase", "failure", "skipped")] == [3, 1, 1]
    page = check_markdown(rendered("markdown", report))
    diagnosis = "behaves exactly as if: adds one"
    for shown in ("what is twice one?", diagnosis):
        assert shown in " ".join(page.words)
        assert shown in tree.find("testsuite/testcase/failure").text
    words = " ".join(Tags(rendered("html", report)).words)
    for shown in ("what is twice one?", diagnosis, "double(1)", "Not every test ran", "--test test_doubles"):
        assert shown in words
    for name in ("stryker", "badge", "sarif", "csv"):
        with pytest.raises(UsageError, match=f"--{name} shows mutants"):
            rendered(name, report)


# --- against an older result


def test_what_changed_is_told_by_the_words_of_two_results(score: ScoreMaker) -> None:
    old = score()
    words = {one.mutant.id: one for one in old.verdicts}
    changed = [
        replace(words["s01"], status=Status.SURVIVED),
        replace(words["s02"], status=Status.KILLED, killed_by=("test_doubles",)),
        replace(words["s03"], mutant=replace(words["s03"].mutant, id="s99")),
        *(one for one in old.verdicts if one.mutant.id not in ("s01", "s02", "s03")),
    ]
    new = replace(old, verdicts=tuple(changed), digests={"reference": "cd"})
    found = against(new, old)
    assert (found.newly_surviving, found.newly_killed, found.newly_flaky) == (("s01",), ("s02",), ())
    assert (found.added, found.gone) == (("s99",), ("s03",))
    same_causes = against(replace(new, digests=old.digests), old)
    assert same_causes.newly_flaky == ("s01", "s02")
    assert against(old, old).is_empty
    assert against(old, replace(old, complete=False)).heading.endswith(", which was interrupted")
    shown = result_text(new, compared=found)
    for line in ("Newly surviving: s01", "Newly killed: s02", "Not in the older result: s99"):
        assert line in shown
    assert "Newly surviving" in rendered("markdown", new, compared=found)


def test_a_new_mutant_that_survives_is_a_new_survivor(score: ScoreMaker) -> None:
    new = score()
    old = replace(new, verdicts=new.verdicts[:1])
    assert against(new, old).newly_surviving == ("s02",)


# --- the terminal


@pytest.mark.parametrize("colour", [True, False])
def test_the_terminal_view_fits_eighty_columns(score: ScoreMaker, colour: bool) -> None:
    shown = result_text(score(), colour=colour)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert (max(map(len, plain.splitlines())) <= 80, "\x1b" in shown) == (True, colour)
    for text in ("Mutation score  80.0 %", "s02 survived", "Claims that did not hold", "up to 1 s", "A control failed"):
        assert text in plain


# --- hostile text


def test_there_are_two_hundred_hostile_strings(hostile_texts: list[str]) -> None:
    assert len(set(hostile_texts)) >= 200


def test_no_text_harms_any_format(score: ScoreMaker, check: CheckMaker, hostile_text: str) -> None:
    whole, around = score(lambda _: hostile_text), score(lambda text: f"{text}{hostile_text}")
    for report in (whole, around):
        for name, holds in CHECKS.items():
            holds(rendered(name, report))
        shown = result_text(report, compared=against(report, report))
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", shown)
        assert read_document(score_json([report], several=False), where="x") == report
    for checked in (check(lambda _: hostile_text), check(lambda text: f"{text}{hostile_text}")):
        check_junit_xml(rendered("junit", checked))
        check_markdown(rendered("markdown", checked))
        page = Tags(rendered("html", checked))
        assert (page.tags <= PAGE_TAGS, page.attributes <= PAGE_ATTRIBUTES, page.scripts) == (True, True, 0)
        assert read_document(check_json(checked), where="x") == checked


def test_what_was_written_can_still_be_read_in_every_format(score: ScoreMaker, hostile_text: str) -> None:
    text = f"x{hostile_text}y"
    report = score(lambda given: text if given == "adds one" else given)
    tree = check_junit_xml(rendered("junit", report))
    assert tree.find("testsuite/testcase").get("name") == f"s01: {readable(text)}"
    assert check_csv(rendered("csv", report))[1][9] == csv_cell(text)
    files = check_stryker(rendered("stryker", report))["files"]
    assert files["reference/pkg/double.py"]["mutants"][0]["description"] == readable(text)
    assert readable(text) in check_sarif(rendered("sarif", report))["runs"][0]["results"][0]["message"]["text"]
    shown = " ".join(" ".join(check_html(rendered("html", report)).words).split())
    assert " ".join(readable(text).split()) in shown
    page = Tags(MarkdownIt("commonmark").render(f"<b>{markdown_text(text)}</b>"))
    assert "".join(page.words).strip() == readable(text)
    assert (page.tags, page.attributes) == ({"p", "b"}, set())


def test_escapes_are_those_of_python() -> None:
    text = "a\x00\x1b\x9b\ud800\u202e\U0001fffe\n\t"
    assert readable(text) == "a\\x00\\x1b\\x9b\\ud800\\u202e\\U0001fffe\\n\\t"
    assert readable_lines("a\n\tb\r") == "a\n\tb\\r"
    assert [csv_cell(one) for one in ("=1", " =1", "a=1")] == ["'=1", "' =1", "a=1"]
