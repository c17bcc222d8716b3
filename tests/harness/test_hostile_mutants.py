"""Subjects that hang, allocate, fork, exit, print or do not parse get the right word and leave nothing behind."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.course import load_course
from harness.engine.score import Options, score
from harness.mutation.curated import load_curated, load_folder
from harness.records import Report, Status, Tier, Verdict
from harness.scoring import count

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hostile")]  # one run serves them all

HERE = Path(__file__).parent
EXPECTED = {
    "allocates_without_end": Status.KILLED,
    "closes_its_report": Status.CRASHED,
    "does_not_import": Status.INVALID,
    "does_not_parse": Status.INVALID,
    "exits_with_success": Status.CRASHED,
    "forks_without_end": Status.TIMEOUT,
    "hangs": Status.TIMEOUT,
    "hangs_and_ignores_signals": Status.TIMEOUT,
    "hangs_at_import": Status.TIMEOUT,
    "interrupts": Status.KILLED,
    "kills_its_watcher": Status.CRASHED,
    "kills_itself": Status.CRASHED,
    "lacks_a_name": Status.INVALID,
    "leaves_a_daemon": Status.SURVIVED,
    "prints_megabytes": Status.SURVIVED,
    "raises_systemexit": Status.KILLED,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in a folder of its own, so that its processes can be told from those of other tests."""
    return Path(shutil.copytree(HERE / "courses" / "tiny", tmp_path_factory.mktemp("hostile") / "course"))


@pytest.fixture(scope="module")
def report(root: Path) -> Report:
    course = load_course(root)
    module = course.module("T1")
    hostile = load_folder(HERE / "hostile", course, module, tier=Tier.SEMANTIC)
    return score(course, module, [*load_curated(course, module), *hostile], Options(jobs=2))


@pytest.fixture(scope="module")
def verdicts(report: Report) -> Mapping[str, Verdict]:
    return {verdict.mutant.id: verdict for verdict in report.verdicts}


def test_every_hostile_subject_has_an_expected_word() -> None:
    assert sorted(path.stem for path in (HERE / "hostile").glob("*.py")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_hostile_subject_gets_its_word(name: str, verdicts: Mapping[str, Verdict]) -> None:
    assert verdicts[name].status == EXPECTED[name], verdicts[name].reason


def test_the_mutants_beside_them_keep_their_verdicts(verdicts: Mapping[str, Verdict]) -> None:
    assert [verdicts[name].status for name in ("s01", "m01", "m02", "w01")] == [
        Status.KILLED,
        Status.KILLED,
        Status.KILLED,
        Status.SURVIVED,
    ]


def test_no_hostile_subject_is_believed_on_one_run_alone(verdicts: Mapping[str, Verdict]) -> None:
    """The second run has four times the limit, so the two together take at least five times one limit."""
    limit_s = float(re.findall(r"no end after ([0-9.]+) s", verdicts["hangs"].reason)[0])
    assert limit_s >= 4.0
    assert verdicts["hangs"].elapsed_s >= 1.25 * limit_s - 0.1


def test_a_tenth_of_timeouts_makes_the_run_inconclusive(report: Report) -> None:
    assert "ran out of time" in count(report.verdicts).inconclusive


def test_no_process_is_left_behind(report: Report, root: Path) -> None:
    """Not even the daemon that left its process group and its session."""
    del report
    alive = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if "harness.engine.warm" in command and str(root) in command and int(entry.parent.name) != os.getpid():
            alive.append(command)
    assert alive == []
