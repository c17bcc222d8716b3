"""What a student reads of one grade as Markdown: a file beside the submission that needs no renderer to be read.

Explanations stand in blocks of code, as `ol check` prints them; `harness.reports.student_view` decides what is in them.
"""

from __future__ import annotations

import re

from harness.records import Cause, Grade, GradedTest, GradingRun
from harness.reports.failure import failure_text
from harness.reports.grade_facts import HIDDEN_WORDS, failures, plain, points_words, result_words, sentences
from harness.reports.readable import markdown_block, markdown_text
from harness.reports.student_view import is_visible, student_view

_NAME = re.compile(r"[\w.-]+", re.ASCII)
_MOST_EXPLAINED = 20
"""Failures that are shown whole: who mends these sees the others change."""


def feedback_markdown(grade: Grade, run: GradingRun) -> str:
    """Points and what explains them, the failures with the one to read first in front, then every test."""
    seen = student_view(grade)
    parts = [f"# {_name(run.module.id)} {markdown_text(run.module.title)}: {points_words(seen)}\n"]
    parts += [f"{markdown_text(one)}\n" for one in sentences(seen)]
    found = [(graded, cause) for graded, cause in failures(seen) if is_visible(graded)]
    told = [pair for pair in found if pair[1] is not None] or found
    if told:
        parts.append("## Read this first\n")
    for number, (graded, cause) in enumerate(told[:_MOST_EXPLAINED]):
        parts += ["## Then these\n"] if number == 1 else []
        parts.append(_failure(graded, cause))
    if seen.tests:
        rows = "\n".join(map(_row, seen.tests))
        parts.append(f"## Tests\n\n| test | points | result |\n|---|---:|---|\n{rows}\n")
    parts.append(f"Seed {run.seed}, isolation {_name(grade.isolation or run.isolation or 'none')}.\n")
    return "\n".join(parts)


def _failure(graded: GradedTest, cause: Cause | None) -> str:
    also = cause.tests[1:] if cause is not None else ()
    more = f"\nLikely for the same reason: {', '.join(map(_name, also))}\n" if also else ""
    block = markdown_block(failure_text(graded.test, cause), "text")
    return f"### {_name(graded.test.entry.name)} fails\n\n{block}\n{more}"


def _row(graded: GradedTest) -> str:
    hidden = HIDDEN_WORDS[graded.visibility]
    name = f"{_name(graded.test.entry.name)}{f' ({hidden})' if hidden else ''}{', required' if graded.required else ''}"
    return f"| {name} | {plain(graded.points)} of {plain(graded.max_points)} | {result_words(graded)} |"


def _name(text: str) -> str:
    """A name as code, where its signs would else need references that nobody can read."""
    return f"`{text}`" if _NAME.fullmatch(text) else markdown_text(text)
