"""The pages in a browser: headless Chromium opens them, clicks through them, and holds them to axe's rules.

``tox -e pages`` fetches axe-core and Stryker's viewer with npm. Where a browser or one of the two is not there, the
tests that need it are skipped and say so.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.records import CheckReport, Grade, GradeStatus, GradingRun, PastRun, Report, Status
from harness.reports.class_page import class_html
from harness.reports.class_summary import ClassTally
from harness.reports.formats import rendered
from harness.reports.student_page import student_html

pytestmark = pytest.mark.pages
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: tox -e pages has it")

ScoreMaker = Callable[..., Report]
CheckMaker = Callable[..., CheckReport]
WIDTHS = (360, 1440)
HISTORY = tuple(PastRun(f"2026-01-0{day}T00:00:00+00:00", "T1", 60.0 + 5 * day, day != 2) for day in (1, 2, 3))


def chromium() -> str:
    """The browser that the environment names, or else one on the path."""
    named = os.environ.get("TOKPROOF_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium on the path, and TOKPROOF_CHROMIUM names none")
    return found


def node_file(path: str) -> str:
    """A file of an npm package that `tox -e pages` has fetched."""
    home = os.environ.get("TOKPROOF_NODE_MODULES")
    if not home or not Path(home, path).is_file():
        pytest.skip(f"TOKPROOF_NODE_MODULES has no {path}: tox -e pages fetches it where there is npm")
    return Path(home, path).read_text("utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of this file."""
    executable = chromium()
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=executable)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page's text as a file; afterwards, nothing may have been said on any console, nor any box opened."""
    said: list[str] = []
    contexts = []

    def open_(text: str, *, width: int = 1440, scheme: str = "light", scripts: bool = True) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=scripts
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: request.url.startswith("file:") or said.append(request.url))
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_text(text, "utf-8")
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []


def violations(page: Any) -> list[str]:
    """What axe holds against the page as it is now."""
    page.evaluate(node_file("axe-core/axe.min.js"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def page_of(score: ScoreMaker) -> str:
    return rendered("html", score(), history=HISTORY)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_its_width_and_keeps_axes_rules(
    score: ScoreMaker, opened: Callable[..., Any], width: int, scheme: str
) -> None:
    page = opened(page_of(score), width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_cell_of_the_matrix_leads_to_its_mutant(score: ScoreMaker, opened: Callable[..., Any], width: int) -> None:
    page = opened(page_of(score), width=width)
    page.locator("#window tbody tr").nth(1).locator("td").nth(1).click()
    assert page.locator("#cell").inner_text() == "s02 survived, test_halves: claimed, but passed"
    page.locator("#window table").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#cell").inner_text() == "s01 killed, test_doubles: killed as claimed"
    page.keyboard.press("Enter")
    mutant = page.locator("#m0")
    assert mutant.is_visible()
    for shown in ("double(1)", "expected\n2", "got\n3", "4 tried up to the kill", "ol score T1 --only s01 --explain"):
        assert shown in mutant.inner_text()
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_matrix_is_sorted_by_what_a_person_asks_for(score: ScoreMaker, opened: Callable[..., Any]) -> None:
    page = opened(page_of(score))

    def ids() -> list[str]:
        return page.locator("#window tbody th").all_inner_texts()

    assert ids() == [f"s0{number}" for number in range(1, 9)]
    page.locator("#rows").select_option("status")
    assert ids()[:2] == ["s04", "s06"]
    page.locator("#window thead button").nth(0).click()
    assert ids()[:2] == ["s01", "s07"]
    page.locator("#columns").select_option("kills")
    assert page.locator("#window thead button").nth(0).inner_text() == "doubles"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_mutant_in_the_margin_opens_below(score: ScoreMaker, opened: Callable[..., Any], width: int) -> None:
    page = opened(page_of(score), width=width)
    assert not page.locator("#m1").is_visible()
    page.locator(".source a", has_text="s02").click()
    assert page.locator("#m1 ins").inner_text() == "+    return number + number + 1"
    top = page.locator("#m1").bounding_box()["y"]
    assert 0 <= top < 900


@pytest.mark.parametrize("width", WIDTHS)
def test_a_bar_of_the_chart_shows_its_mutants(score: ScoreMaker, opened: Callable[..., Any], width: int) -> None:
    page = opened(page_of(score), width=width)
    bars = page.locator("a[data-bucket]").all_text_contents()
    assert bars == ["up to 0.1 s1", "up to 1 s1", "up to 10 s0", "up to 60 s2", "unsolved1"]
    page.locator("a[data-bucket='3']").click()
    assert page.locator("#shown").inner_text() == "2 of 8"
    assert page.locator("#list details:visible summary b").all_inner_texts() == ["s03", "s07"]
    page.locator("#filter button").click()
    page.locator("#words").fill("adds")
    page.locator("#status").select_option("equivalent")
    assert page.locator("#list details:visible summary b").all_inner_texts() == ["s06"]
    page.locator("figure details summary", has_text="Figures").first.click()
    assert page.locator("figure table").first.is_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_without_scripts_everything_can_be_read(score: ScoreMaker, opened: Callable[..., Any], width: int) -> None:
    page = opened(page_of(score), width=width, scripts=False)
    assert not page.locator("#grid").is_visible()
    assert page.locator("#survivors + p + ul li").all_inner_texts() == ["s02 at pkg/double.py:4: adds one"]
    page.locator("#survivors + p + ul a").click()
    assert page.locator("#m1 ins").is_visible(), "a link into a closed mutant opens it"
    page.locator("#list summary", has_text="s01").click()
    assert "killed by\ntest_doubles" in page.locator("#m0").inner_text()


def test_on_paper_every_mutant_is_open(score: ScoreMaker, opened: Callable[..., Any]) -> None:
    page = opened(page_of(score))
    page.emulate_media(media="print")
    assert page.locator("#m0 pre").is_visible()
    assert not page.locator("#grid").is_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_five_thousand_mutants_times_a_hundred_tests_open_and_scroll(
    score: ScoreMaker, opened: Callable[..., Any], width: int
) -> None:
    text, rendering_cpu_s = big_page(score())
    assert rendering_cpu_s < 5
    assert len(text.encode()) < 8_000_000
    page = opened(text, width=width)
    rows = page.locator("#window tbody tr[aria-rowindex]")
    assert 20 < rows.count() < 100
    assert page.locator("#window table").get_attribute("aria-rowcount") == "5001"
    page.evaluate("document.getElementById('window').scrollTop = 1e9")
    page.locator("#window tbody th", has_text="g04999").wait_for()
    assert rows.count() < 100
    page.locator("#words").fill("g04321")
    assert page.locator("#shown").inner_text() == "1 of 5000"
    small = opened(rendered("html", score()), width=width)
    assert longest_frame_ms(page) < 20 * longest_frame_ms(small)


def longest_frame_ms(page: Any) -> float:
    """The longest wait for a frame while the page scrolls; at least that of a screen with 60 a second."""
    return float(
        page.evaluate(
            """async () => {
                let longest = 1000 / 60, last = performance.now();
                for (let step = 0; step < 60; step += 1) {
                    scrollTo(0, step * 2000);
                    await new Promise(requestAnimationFrame);
                    longest = Math.max(longest, performance.now() - last);
                    last = performance.now();
                }
                return longest;
            }"""
        )
    )


def big_page(report: Report) -> tuple[str, float]:
    tests = tuple(f"test_number_{number:03}_is_a_sentence_of_usual_length" for number in range(100))
    first = report.verdicts[0]
    verdicts = tuple(
        replace(
            first,
            mutant=replace(first.mutant, id=f"g{number:05}", line=1 + number % 4),
            status=Status.KILLED if number % 20 else Status.SURVIVED,
            killed_by=tests[number % 50 :: 3] if number % 20 else (),
            tests=tests,
        )
        for number in range(5000)
    )
    big = replace(report, verdicts=verdicts, tests=tests, planned=5000)
    began = time.process_time()
    return rendered("html", big), time.process_time() - began


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_a_check_keeps_axes_rules(check: CheckMaker, opened: Callable[..., Any], width: int) -> None:
    page = opened(rendered("html", check()), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("dd", has_text="what is twice one?").is_visible()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_a_grade_keeps_axes_rules(
    grade: Callable[..., Grade], run: Callable[..., GradingRun], opened: Callable[..., Any], width: int, scheme: str
) -> None:
    page = opened(student_html(grade(), run()), width=width, scheme=scheme)
    assert page.locator("dd", has_text="may be this: adds one").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []
    page.emulate_media(media="print")
    assert page.locator("th", has_text="test_hidden").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_a_class_keeps_axes_rules(
    grade: Callable[..., Grade], run: Callable[..., GradingRun], opened: Callable[..., Any], width: int, scheme: str
) -> None:
    page = opened(class_page(grade(), run()), width=width, scheme=scheme)
    assert page.locator("svg[aria-label='Submissions by points']").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert violations(page) == []
    page.locator("nav a", has_text="Submissions").click()
    assert page.locator("a", has_text="s1").first.get_attribute("href") == "students/s1-2.html"


def class_page(grade: Grade, run: GradingRun) -> str:
    """The page of a class with submissions of every status."""
    grades = [replace(grade, status=status) for status in GradeStatus]
    tally = ClassTally(run)
    for one in grades:
        tally.add(one)
    return "".join(class_html(run, tally.summary(), grades, link=lambda one: f"students/{one.received.key}.html"))


@pytest.mark.parametrize(
    "hostile",
    [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '" autofocus onfocus="alert(1)',
        "\u202e\ud800\x00",
    ],
)
def test_hostile_text_runs_nothing(
    score: ScoreMaker,
    check: CheckMaker,
    grade: Callable[..., Grade],
    run: Callable[..., GradingRun],
    opened: Callable[..., Any],
    hostile: str,
) -> None:
    for text in (
        rendered("html", score(lambda text: f"{text}{hostile}")),
        rendered("html", check(lambda _: hostile)),
        student_html(grade(lambda _: hostile), run(lambda _: hostile)),
        class_page(grade(lambda _: hostile), run(lambda _: hostile)),
    ):
        page = opened(text)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.locator("h1").is_visible()


def test_strykers_viewer_opens_the_report_and_shows_our_score(score: ScoreMaker, opened: Callable[..., Any]) -> None:
    report = json.dumps(json.loads(rendered("stryker", score()))).replace("<", "\\u003c")
    viewer = node_file("mutation-testing-elements/dist/mutation-test-elements.js")
    page = opened(
        f"<!doctype html><meta charset=utf-8><title>viewer</title><script>{viewer}</script>"
        f"<mutation-test-report-app></mutation-test-report-app>"
        f"<script>document.querySelector('mutation-test-report-app').report = {report};</script>"
    )
    page.get_by_text("80.00").first.wait_for()
    page.get_by_role("link", name="double.py").first.click()
    page.get_by_text("return number + number").first.wait_for()
    page.get_by_text("Survived").first.wait_for()
