"""Counts and the score. Each formula stands here once and nowhere else.

detected = killed + timeout + crashed; score = detected / (detected + survived). Equivalent and invalid mutants stand
outside, and so do errors; wheats are not mutants and are never counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.errors import ExitCode
from harness.records import Report, Status, Tier, Verdict

_UNCLEAR_SHARE = 0.10


@dataclass(frozen=True, slots=True)
class Counts:
    """How many mutants have each verdict word."""

    killed: int = 0
    survived: int = 0
    timeout: int = 0
    crashed: int = 0
    invalid: int = 0
    equivalent: int = 0
    error: int = 0

    @property
    def detected(self) -> int:
        """Mutants that some test noticed, in whatever way."""
        return self.killed + self.timeout + self.crashed

    @property
    def scored(self) -> int:
        """Mutants that the score is a share of."""
        return self.detected + self.survived

    @property
    def score_percent(self) -> float | None:
        """0 to 100, or None where nothing was scored: an empty run is neither perfect nor hopeless."""
        return 100.0 * self.detected / self.scored if self.scored else None

    @property
    def inconclusive(self) -> str:
        """Why the score must not be used, or nothing.

        A timeout is detected, but it is a clock's word and not an assertion's: a run in which more than a tenth (and
        more than one) of the mutants have no better verdict more often shows an overloaded machine than good tests.
        """
        if self.error:
            return f"{self.error} of {self.scored + self.error} mutants ended in an error of the harness"
        unclear = self.timeout
        if unclear > 1 and unclear > _UNCLEAR_SHARE * self.scored:
            return f"{unclear} of {self.scored} mutants only ran out of time"
        return ""


def count(verdicts: Iterable[Verdict]) -> Counts:
    """Count the words of all verdicts on mutants."""
    tally = dict.fromkeys(Status, 0)
    for verdict in verdicts:
        if verdict.mutant.tier is not Tier.WHEAT:
            tally[verdict.status] += 1
    return Counts(**{str(status): number for status, number in tally.items()})


def exit_code(report: Report, *, fail_under_percent: float | None = None) -> ExitCode:
    """What a run ends with.

    Without a threshold every survivor fails it; with one, the score must reach it and no required mutant may survive.
    """
    if not report.controls.hold:
        return ExitCode.ERROR
    counts = count(report.verdicts)
    if counts.inconclusive:
        return ExitCode.ERROR
    score = counts.score_percent
    if score is None:
        return ExitCode.NOTHING
    survivors = [verdict.mutant for verdict in report.verdicts if _is_survivor(verdict)]
    if fail_under_percent is None:
        return ExitCode.FAIL if survivors else ExitCode.PASS
    missed = any(mutant.required and mutant.tier is Tier.SEMANTIC for mutant in survivors)
    return ExitCode.FAIL if missed or score < fail_under_percent else ExitCode.PASS


def _is_survivor(verdict: Verdict) -> bool:
    return verdict.status is Status.SURVIVED and verdict.mutant.tier is not Tier.WHEAT
