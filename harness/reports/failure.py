"""What a person reads of one failed test: labelled rows, the same in every format, and the same rows as plain text."""

from __future__ import annotations

import textwrap

from harness.records import Cause, CheckedTest
from harness.reports.readable import shortened

CODE = frozenset({"input", "where", "expected", "got", "again"})
"""Labels whose values are Python or a command, which no line may be broken in."""
LONGEST = 2000
"""Characters of one value; a reader who needs more has the command that shows it again."""
_WIDTH = 80
_LABEL = 10


def failure_rows(test: CheckedTest, cause: Cause | None) -> list[tuple[str, str]]:
    """Labels and values that are not empty: what was misunderstood, what was checked and why, then the input."""
    rows = [("hint", cause.hint), ("mistake", cause.diagnosis)] if cause is not None else []
    rows += [("checks", test.entry.checks), ("why", test.entry.why), ("input", test.input)]
    rows += [("where", value) for value in test.values]
    rows += [("expected", test.expected), ("got", test.got), ("again", test.replay)]
    return [(label, value) for label, value in rows if value]


def whole_rows(test: CheckedTest, cause: Cause | None) -> list[tuple[str, str]]:
    """The rows, and the other tests that likely fail for the same reason."""
    also = ", ".join(cause.tests[1:]) if cause is not None else ""
    return [*failure_rows(test, cause), *([("also", also)] if also else [])]


def failure_text(test: CheckedTest, cause: Cause | None) -> str:
    """The rows as lines of at most 80 columns, code excepted; every value readable and on the lines of its label."""
    lines = []
    for label, value in failure_rows(test, cause):
        shown = shortened(value, LONGEST)
        head = label.ljust(_LABEL)
        if label in CODE:
            lines.append(head + shown)
        else:
            lines += textwrap.wrap(shown, _WIDTH, initial_indent=head, subsequent_indent=" " * _LABEL)
    return "\n".join(lines)
