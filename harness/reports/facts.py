"""What several renderings say of one report, worked out once: each is a pure function of the records."""

from __future__ import annotations

from dataclasses import dataclass

from harness.records import CatalogEntry, Report, Status, Tier, Verdict
from harness.scoring import Counts, count

DETECTED = frozenset({Status.KILLED, Status.TIMEOUT, Status.CRASHED})
BUCKETS_S = (0.1, 1.0, 10.0, 60.0)
"""Upper ends of the buckets of kill times, as ETNA draws them."""


def mutants_of(report: Report) -> tuple[Verdict, ...]:
    """The verdicts on mutants; wheats are none."""
    return tuple(verdict for verdict in report.verdicts if verdict.mutant.tier is not Tier.WHEAT)


def wheats_of(report: Report) -> tuple[Verdict, ...]:
    """The verdicts on wheats."""
    return tuple(verdict for verdict in report.verdicts if verdict.mutant.tier is Tier.WHEAT)


def survivors_of(report: Report) -> tuple[Verdict, ...]:
    """The mutants that no test noticed."""
    return tuple(verdict for verdict in mutants_of(report) if verdict.status is Status.SURVIVED)


def is_required(verdict: Verdict) -> bool:
    """Whether its survival fails a run whatever the threshold (`harness.scoring.exit_code`)."""
    return verdict.mutant.required and verdict.mutant.tier is Tier.SEMANTIC


def score_words(counts: Counts) -> str:
    """The score as it is written everywhere: ``98.4 %`` or ``unavailable``."""
    return "unavailable" if counts.score_percent is None else f"{counts.score_percent:.1f} %"


def sentence(counts: Counts) -> str:
    """The score in words: ``15 of 15 mutants detected (15 killed): mutation score 100.0 %``."""
    if counts.score_percent is None:
        return "No mutant was scored: mutation score unavailable."
    words = {"killed": counts.killed, "timeout": counts.timeout, "crashed": counts.crashed}
    shown = ", ".join(f"{number} {word}" for word, number in words.items() if number) or "none"
    outside = {"survived": counts.survived, "equivalent": counts.equivalent, "invalid": counts.invalid}
    rest = "".join(f", {number} {word}" for word, number in outside.items() if number)
    rest += f", {counts.error} in error" if counts.error else ""
    detected = f"{counts.detected} of {counts.scored} mutants detected ({shown}){rest}"
    return f"{detected}: mutation score {score_words(counts)}"


def warnings_of(report: Report) -> tuple[str, ...]:
    """What must be read before the score: an interrupted run, a control that failed, errors. Empty of a sound run."""
    found = [interruption(report)] if not report.complete else []
    if not report.controls.hold and not is_before_controls(report):
        notes = "; ".join(report.controls.notes)
        found.append(f"A control failed, so no verdict can be believed: {notes}." if notes else "A control failed.")
    if inconclusive := count(report.verdicts).inconclusive:
        found.append(f"Inconclusive: {inconclusive}.")
    return tuple(found)


def interruption(report: Report) -> str:
    """What a report that is not complete says of itself."""
    if is_before_controls(report):
        return "Interrupted before the controls were done: there is no verdict on any mutant."
    judged = len(mutants_of(report))
    if judged == report.planned:
        return f"Interrupted after all {judged} mutants were judged."
    return f"Interrupted: {judged} of {report.planned} mutants were judged."


def is_before_controls(report: Report) -> bool:
    """Whether the run was interrupted so early that no control was tried."""
    return not report.complete and not report.controls.reference


def claims_of(report: Report) -> frozenset[tuple[str, str]]:
    """Pairs of mutant and test in which the one claims the other, whichever of the two says so."""
    told = {(mutant, entry.name) for entry in report.catalog for mutant in entry.catches}
    return frozenset(told | {(one.mutant.id, test) for one in report.verdicts for test in one.mutant.caught_by})


class Cell:
    """What one test did on one mutant, in a letter each."""

    KILLED = "k"
    CLAIMED = "c"
    """Killed, as it claims."""
    PASSED = "p"
    MISSED = "m"
    """Passed, although it claims the mutant."""
    NOT_RUN = "-"


CELL_WORDS = {
    Cell.KILLED: "killed",
    Cell.CLAIMED: "killed as claimed",
    Cell.PASSED: "passed",
    Cell.MISSED: "claimed, but passed",
    Cell.NOT_RUN: "not run",
}


def row_of(verdict: Verdict, tests: tuple[str, ...], claims: frozenset[tuple[str, str]]) -> str:
    """A letter of `Cell` for each test. What turned out to be no mutant breaks no claim."""
    is_mutant = verdict.status in DETECTED or verdict.status is Status.SURVIVED
    killers, ran, id_ = set(verdict.killed_by), set(verdict.tests), verdict.mutant.id
    # The test that was running when a mutant ran out of time or died is the one that noticed it.
    if verdict.status in DETECTED and not killers:
        killers = set(verdict.tests[-1:])
    return "".join(
        (Cell.CLAIMED if (id_, name) in claims else Cell.KILLED)
        if name in killers
        else (Cell.MISSED if is_mutant and (id_, name) in claims else Cell.PASSED)
        if name in ran
        else Cell.NOT_RUN
        for name in tests
    )


@dataclass(frozen=True, slots=True)
class TestFacts:
    """What one test did in a whole run."""

    name: str
    entry: CatalogEntry | None
    ran: int
    """Mutants that it ran on."""
    kills: int
    alone: int
    """Mutants that it alone killed: only a matrix tells."""
    missed: tuple[str, ...]
    """Ids of the mutants that it claims and let pass."""

    __test__ = False


def tests_of(report: Report) -> tuple[TestFacts, ...]:
    """The facts of each test, in the order in which they run."""
    entries = {entry.name: entry for entry in report.catalog}
    mutants, claims = mutants_of(report), claims_of(report)
    rows = [row_of(verdict, report.tests, claims) for verdict in mutants]
    killed = (Cell.KILLED, Cell.CLAIMED)
    sole = [row for row in rows if sum(map(row.count, killed)) == 1]
    return tuple(
        TestFacts(
            name=name,
            entry=entries.get(name),
            ran=sum(row[index] != Cell.NOT_RUN for row in rows),
            kills=sum(row[index] in killed for row in rows),
            alone=sum(row[index] in killed for row in sole) if report.matrix else 0,
            missed=tuple(one.mutant.id for one, row in zip(mutants, rows, strict=True) if row[index] == Cell.MISSED),
        )
        for index, name in enumerate(report.tests)
    )


def bucket_of(verdict: Verdict) -> int | None:
    """The bucket of a mutant's kill time: an index into `BUCKETS_S`, one more for unsolved, None for what is outside.

    A mutant that took longer than the last bucket, or that survived, is unsolved.
    """
    if verdict.status is Status.SURVIVED:
        return len(BUCKETS_S)
    if verdict.status not in DETECTED:
        return None
    return next((index for index, end in enumerate(BUCKETS_S) if verdict.elapsed_s <= end), len(BUCKETS_S))


def bucket_names() -> tuple[str, ...]:
    """A name for each bucket: ``up to 0.1 s``, ..., ``unsolved``."""
    return (*(f"up to {end:g} s" for end in BUCKETS_S), "unsolved")


def seconds(value: float) -> str:
    """A time as a person reads it: ``40 ms``, ``3.2 s``, ``2 min 5 s``."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value < 60 else f"{int(value) // 60} min {int(value) % 60} s"
