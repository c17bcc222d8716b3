"""Take the pictures that the documentation shows: of a score that is run for them, and of a class that is made up.

Needs playwright and a Chromium: on the path, or named by TOKPROOF_CHROMIUM.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from made_up_class import made_up

from harness.reports.class_page import class_html
from harness.reports.class_summary import ClassTally
from harness.reports.student_page import student_html

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "img"
MODULE = "M05.2"


def main() -> int:
    """Score, render, open, photograph."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result", nargs="?", type=Path, help="a score document to take the place of a new run")
    parser.add_argument("--grades", action="store_true", help="only the pages of a class and of a student")
    chosen = parser.parse_args()
    executable = os.environ.get("TOKPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if executable is None:
        print("there is no Chromium on the path, and TOKPROOF_CHROMIUM names none", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="tokproof-screenshots-") as name:
        photograph_grades(Path(name), executable)
        if chosen.grades:
            return 0
        page = Path(name, "page.html")
        result = chosen.result.resolve() if chosen.result else Path(name, "result.json")
        if chosen.result is None:
            run("score", MODULE, "--matrix", "--explain", "--out", str(result), cwd=name)
        run("report", str(result), "--html", str(page), cwd=name)
        photograph(page, executable)
    return 0


def run(*arguments: str, cwd: str) -> None:
    """Run `ol`; a score with survivors is as good for a picture as any."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "harness", *arguments], cwd=cwd, env=environment, check=False)


def photograph(path: Path, executable: str) -> None:
    """The head and the matrix in light, a mutant in dark, and the whole on a small screen."""
    from playwright.sync_api import sync_playwright

    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)

        def opened(width: int, height: int, scheme: Any) -> Any:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(path.as_uri())
            return page

        page = opened(1100, 900, "light")
        page.evaluate("document.getElementById('score').closest('section').scrollIntoView()")
        page.locator("#window td.c").first.click()
        page.screenshot(path=IMAGES / "kill-matrix.png")
        page = opened(1100, 620, "dark")
        page.locator("#list > details").first.locator("summary").click()
        page.locator("#mutants").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('mutants').scrollIntoView()")
        page.screenshot(path=IMAGES / "mutant-dark.png")
        page = opened(360, 740, "light")
        page.screenshot(path=IMAGES / "small-screen.png")
        browser.close()


def photograph_grades(folder: Path, executable: str) -> None:
    """The head of a class's page, and of a student's who made two mistakes and was late."""
    from playwright.sync_api import sync_playwright

    run, grades = made_up()
    tally = ClassTally(run)
    for grade in grades:
        tally.add(grade)
    one = next(grade for grade in grades if len(grade.causes) > 1 and grade.penalty)
    pages = {
        "class-page": ("".join(class_html(run, tally.summary(), grades)), 1500),
        "student-page": (student_html(one, run), 980),
    }
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        for name, (text, height) in pages.items():
            path = folder / f"{name}.html"
            path.write_text(text, "utf-8")
            page = browser.new_page(viewport={"width": 1000, "height": height})
            page.goto(path.as_uri())
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    raise SystemExit(main())
