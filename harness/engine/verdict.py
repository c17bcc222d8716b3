"""From what a child did to the word on its mutant. Pure: no process is started here."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records import Ending, Mutant, Outcome, Status, Verdict

_WORDS = {
    Ending.TIMED_OUT: Status.TIMEOUT,
    Ending.DIED: Status.CRASHED,
    Ending.INVALID: Status.INVALID,
    Ending.FORGED: Status.ERROR,
    Ending.BROKEN: Status.ERROR,
    Ending.REFUSED: Status.ERROR,
}
UNCERTAIN = frozenset({Status.TIMEOUT, Status.CRASHED})
"""Words that count only when a second, longer run says the same."""


def judge(mutant: Mutant, outcome: Outcome) -> Verdict:
    """The verdict of one child. A test that failed is a kill, whatever became of the process afterwards."""
    failed = tuple(run.name for run in outcome.runs if not run.passed)
    examples = next((run.examples for run in outcome.runs if not run.passed), 0)
    names = tuple(run.name for run in outcome.runs)
    if failed:
        status, reason = Status.KILLED, next(run.reason for run in outcome.runs if not run.passed)
    elif outcome.ending is Ending.FINISHED:
        status, reason = Status.SURVIVED, ""
    else:
        status = _WORDS[outcome.ending]
        reason = f"{outcome.running}: {outcome.detail}" if outcome.running else outcome.detail
        names += (outcome.running,) if outcome.running else ()
    return Verdict(mutant, status, failed, names, outcome.elapsed_s, reason, examples)


_STRONGEST_FIRST = (
    Status.ERROR,
    Status.INVALID,
    Status.KILLED,
    Status.TIMEOUT,
    Status.CRASHED,
    Status.SURVIVED,
)


def combine(cells: Sequence[Verdict]) -> Verdict:
    """One verdict of several children that each ran some of the tests on the same mutant."""
    status = min((cell.status for cell in cells), key=_STRONGEST_FIRST.index)
    return Verdict(
        mutant=cells[0].mutant,
        status=status,
        killed_by=tuple(name for cell in cells for name in cell.killed_by),
        tests=tuple(name for cell in cells for name in cell.tests),
        elapsed_s=sum(cell.elapsed_s for cell in cells),
        reason=next(cell.reason for cell in cells if cell.status is status),
        examples=next((cell.examples for cell in cells if cell.killed_by), 0),
    )
