"""Where in the reference a mutant lies: the text that it takes out and the text that it puts there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.records import Mutant, Report

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Span:
    """A range of the reference's text. Lines and columns count from 1; the start is inclusive, the end is not."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    replacement: str


def span_of(mutant: Mutant, report: Report) -> Span:
    """The smallest range that the mutant replaces in its first unit; its whole first line where no diff says more."""
    before = report.reference.get(mutant.unit, "")
    after = _patched(before, mutant.diff, mutant.unit)
    if after is None or after == before:
        return _line(before, mutant.line)
    start = _shared(before, after)
    tail = _shared(before[start:][::-1], after[start:][::-1])
    end = len(before) - tail
    replacement = after[start : len(after) - tail]
    if start == end:
        # Text that is put in has no width of its own: the line on which it stands is shown with it.
        first = before.rfind("\n", 0, max(start - (start == len(before)), 0)) + 1
        last = before.find("\n", start) if "\n" in before[start:] else len(before)
        last += first == last < len(before)
        replacement = before[first:start] + replacement + before[start:last]
        start, end = first, last
    return Span(*_place(before, start), *_place(before, end), replacement)


def _shared(left: str, right: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left.startswith(right[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _line(text: str, number: int) -> Span:
    lines = text.split("\n")
    line = min(max(number, 1), len(lines))
    shown = lines[line - 1]
    return Span(line, 1, line, len(shown) + 1, shown)


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def _patched(text: str, diff: str, unit: str) -> str | None:
    """The text with the unit's hunks applied; None where they do not say how."""
    lines, result, at, inside = text.splitlines(keepends=True), [], 0, False
    for line in diff.splitlines(keepends=True):
        if line.startswith("--- "):
            inside = line.rstrip() == f"--- a/{unit}"
        elif not inside or line.startswith("+++ "):
            continue
        elif found := _HUNK.match(line):
            begin = max(int(found[1]) - 1, 0)
            if not at <= begin <= len(lines):
                return None
            result += lines[at:begin]
            at = begin
        elif line.startswith("+"):
            result.append(line[1:])
        elif line.startswith(("-", " ")):
            if at >= len(lines) or lines[at].rstrip("\n") != line[1:].rstrip("\n"):
                return None
            result += lines[at : at + 1] if line.startswith(" ") else []
            at += 1
    return "".join([*result, *lines[at:]]) if at else None
