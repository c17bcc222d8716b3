"""Counts, the score, and what a run ends with."""

import pytest

from harness.engine.verdict import combine, judge
from harness.errors import ExitCode
from harness.records import Controls, Ending, Module, Mutant, Outcome, Report, Status, TestRun, Tier, Verdict
from harness.reports.facts import sentence
from harness.scoring import Counts, count, exit_code

MODULE = Module("T1", "title", ("unit.py",))
GOOD = Controls(reference=True, raises_everywhere=True, identity=True, wheats=True)


def mutant(tier: Tier = Tier.SEMANTIC, *, required: bool = True) -> Mutant:
    return Mutant("x", tier, {}, "unit.py", 1, "", "what", required=required)


def report(*verdicts: Verdict, controls: Controls = GOOD) -> Report:
    return Report(MODULE, verdicts, controls, ("t",), matrix=False, seed=0, elapsed_s=0.0, versions={})


def verdicts(tier: Tier = Tier.SEMANTIC, *, required: bool = True, **numbers: int) -> list[Verdict]:
    return [
        Verdict(mutant(tier, required=required), Status(word))
        for word, number in numbers.items()
        for _ in range(number)
    ]


@pytest.mark.parametrize(
    ("numbers", "score"),
    [
        ({"killed": 40, "survived": 0}, 100.0),
        ({"killed": 3, "survived": 1}, 75.0),
        ({"killed": 1, "timeout": 1, "crashed": 1, "survived": 1}, 75.0),
        ({"killed": 1, "survived": 1, "equivalent": 8, "invalid": 8}, 50.0),
        ({"survived": 2}, 0.0),
        ({}, None),
        ({"equivalent": 3, "invalid": 2}, None),
    ],
)
def test_the_score_is_detected_over_scored(numbers: dict[str, int], score: float | None) -> None:
    assert count(verdicts(**numbers)).score_percent == score


def test_wheats_are_never_counted() -> None:
    assert count(verdicts(Tier.WHEAT, survived=5, killed=5)) == Counts()


def test_timeouts_are_shown_apart_and_too_many_make_a_run_inconclusive() -> None:
    """Case B118 of the public faults: 40 killed and 8 timeouts of 48."""
    counts = count(verdicts(killed=40, timeout=8))
    assert (counts.killed, counts.timeout, counts.detected, counts.scored) == (40, 8, 48, 48)
    assert counts.inconclusive
    assert exit_code(report(*verdicts(killed=40, timeout=8))) == ExitCode.ERROR


def test_one_timeout_alone_is_no_reason_to_doubt() -> None:
    assert not count(verdicts(killed=2, timeout=1)).inconclusive


def test_a_score_of_nothing_is_unavailable() -> None:
    """Case B121 of the public faults."""
    assert sentence(Counts()) == "No mutant was scored: mutation score unavailable."
    assert exit_code(report()) == ExitCode.NOTHING


@pytest.mark.parametrize(
    ("found", "fail_under", "code"),
    [
        (verdicts(killed=4), None, ExitCode.PASS),
        (verdicts(killed=4, equivalent=1, invalid=1), None, ExitCode.PASS),
        (verdicts(killed=4, survived=1), None, ExitCode.FAIL),
        (verdicts(killed=4) + verdicts(Tier.GENERATED, survived=1), None, ExitCode.FAIL),
        (verdicts(killed=4) + verdicts(Tier.GENERATED, survived=1), 80.0, ExitCode.PASS),
        (verdicts(killed=4) + verdicts(Tier.GENERATED, survived=1), 80.1, ExitCode.FAIL),
        (verdicts(killed=4, survived=1), 80.0, ExitCode.FAIL),
        (verdicts(killed=4) + verdicts(required=False, survived=1), 80.0, ExitCode.PASS),
        (verdicts(killed=4, error=1), None, ExitCode.ERROR),
        (verdicts(killed=4) + verdicts(Tier.WHEAT, survived=2), None, ExitCode.PASS),
    ],
)
def test_the_exit_code_follows_survivors_threshold_and_errors(
    found: list[Verdict], fail_under: float | None, code: ExitCode
) -> None:
    assert exit_code(report(*found), fail_under_percent=fail_under) == code


@pytest.mark.parametrize("broken", ["reference", "raises_everywhere", "identity", "wheats"])
def test_no_score_counts_when_a_control_failed(broken: str) -> None:
    state = {"reference": True, "raises_everywhere": True, "identity": True, "wheats": True} | {broken: False}
    assert exit_code(report(*verdicts(killed=4), controls=Controls(**state))) == ExitCode.ERROR


def run(name: str, *, passed: bool) -> TestRun:
    return TestRun(name, passed, 0.0, "" if passed else "AssertionError")


@pytest.mark.parametrize(
    ("ending", "passed", "word"),
    [
        (Ending.FINISHED, (True, True), Status.SURVIVED),
        (Ending.FINISHED, (True, False), Status.KILLED),
        (Ending.TIMED_OUT, (True,), Status.TIMEOUT),
        (Ending.TIMED_OUT, (False,), Status.KILLED),
        (Ending.DIED, (True,), Status.CRASHED),
        (Ending.INVALID, (), Status.INVALID),
        (Ending.BROKEN, (True,), Status.ERROR),
        (Ending.FORGED, (True,), Status.ERROR),
        (Ending.REFUSED, (), Status.ERROR),
    ],
)
def test_a_run_that_could_not_start_is_never_a_kill(ending: Ending, passed: tuple[bool, ...], word: Status) -> None:
    runs = tuple(run(f"t{number}", passed=one) for number, one in enumerate(passed))
    assert judge(mutant(), Outcome(ending, runs, 0.0)).status == word


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["survived", "survived"], "survived"),
        (["survived", "killed"], "killed"),
        (["timeout", "killed"], "killed"),
        (["timeout", "survived"], "timeout"),
        (["crashed", "survived"], "crashed"),
        (["killed", "error"], "error"),
        (["killed", "invalid"], "invalid"),
    ],
)
def test_the_cells_of_a_row_give_its_strongest_word(words: list[str], word: str) -> None:
    cells = [Verdict(mutant(), Status(one), tests=(one,), reason=one) for one in words]
    combined = combine(cells)
    assert (combined.status, combined.reason, combined.tests) == (word, word, tuple(words))
