"""What goes to a warm parent and what comes back: one JSON line each way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from harness.records import Ending, Outcome, TestRun


@dataclass(frozen=True, slots=True)
class TestPlan:
    """One test to run: its name, its own Hypothesis seed, and how long it may take."""

    name: str
    seed: int
    limit_s: float

    __test__ = False


@dataclass(frozen=True, slots=True)
class Job:
    """One subject and the tests to run on it, in order, in one forked child."""

    sources: Mapping[str, str]
    """Whole text of each changed unit; empty for the reference as it is."""
    in_place: Mapping[str, tuple[str, ...]] | None
    """Per unit, the functions whose code is exchanged; None where the change needs the fresh way."""
    tests: tuple[TestPlan, ...]
    stop_at_first_failure: bool
    startup_limit_s: float
    memory_bytes: int
    """Address space that the child may take beyond what its warm parent has."""
    most_late: int | None = None
    """After so many tests in which a subject over the wire gave no answer in time, the child ends."""
    tells: bool = False
    """Whether each test's run is sent as soon as it is known, ahead of the outcome (`run_to_json`)."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Text of further files of a subject over the wire, by path below the folder of its package."""
    scope: str = ""
    """Path of a ``scope.py`` whose scopes are enumerated in the place of tests; `tests` then name scopes."""
    trusted: bool = False
    """Whether `sources` are the course's own: they run in the child itself even where a submission would not."""
    trace: bool = False
    """Whether `sources` note which statements each test reaches (`harness.subject.reach`)."""

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(line: str) -> Job:
        """The inverse of `to_json`."""
        document = json.loads(line)
        tests = tuple(TestPlan(**plan) for plan in document.pop("tests"))
        in_place = document.pop("in_place")
        if in_place is not None:
            in_place = {unit: tuple(names) for unit, names in in_place.items()}
        return Job(tests=tests, in_place=in_place, **document)


def outcome_to_json(outcome: Outcome) -> str:
    """One line of JSON."""
    return json.dumps(asdict(outcome))


def outcome_from_json(line: str) -> Outcome:
    """The inverse of `outcome_to_json`."""
    document = json.loads(line)
    runs = tuple(run_from(run) for run in document.pop("runs"))
    return Outcome(runs=runs, ending=Ending(document.pop("ending")), **document)


def run_to_json(run: TestRun) -> str:
    """One line of JSON that is no outcome."""
    return json.dumps({"run": asdict(run)})


def told_run(line: str) -> TestRun | None:
    """The run that a line of `run_to_json` holds; None for an outcome."""
    document = json.loads(line)
    return run_from(document["run"]) if "run" in document else None


def run_from(document: dict[str, object]) -> TestRun:
    """One test's run from its JSON object."""
    reached = document.pop("reached", ())
    assert isinstance(reached, list | tuple)
    return TestRun(reached=tuple(reached), **document)  # type: ignore[arg-type]


def seed_for(run_seed: int, mutant_id: str, test: str) -> int:
    """The seed of one test on one mutant: its own, and the same in every order and on every machine."""
    digest = hashlib.sha256(f"{run_seed}\0{mutant_id}\0{test}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
