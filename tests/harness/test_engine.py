"""The engine on the tiny course: verdicts, both ways to install, controls, determinism, and an end without remains."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness.catalog import read_catalog
from harness.course import Course, load_course
from harness.engine.baseline import measure, raise_everywhere
from harness.engine.equivalence import equivalence_of
from harness.engine.jobs import Job, TestPlan, outcome_from_json, outcome_to_json, seed_for
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.engine.score import Options, score
from harness.errors import EngineError, NothingToRun
from harness.mutation.curated import load_curated
from harness.records import Ending, Mutant, Outcome, Report, Status, TestRun, Tier

TINY = Path(__file__).parent / "courses" / "tiny"
UNIT = "tinypkg/double.py"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A copy of the tiny course that a test may damage."""
    shutil.copytree(TINY, tmp_path / "course")
    return load_course(tmp_path / "course")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def run(course: Course, *, matrix: bool = False, seed: int = 1) -> Report:
    module = course.module("T1")
    return score(course, module, load_curated(course, module), Options(jobs=2, matrix=matrix, seed=seed))


def words(report: Report) -> dict[str, Status]:
    return {verdict.mutant.id: verdict.status for verdict in report.verdicts}


KILLED = {"s01": Status.KILLED, "m01": Status.KILLED, "m02": Status.KILLED, "w01": Status.SURVIVED}


def test_every_mutant_is_killed_and_the_wheat_passes() -> None:
    report = run(load_course(TINY))
    assert report.controls.hold
    assert words(report) == KILLED
    assert all(len(verdict.killed_by) == 1 for verdict in report.verdicts if verdict.mutant.tier is not Tier.WHEAT)


def test_the_matrix_has_every_killer_of_every_mutant() -> None:
    report = run(load_course(TINY), matrix=True)
    killers = {verdict.mutant.id: set(verdict.killed_by) for verdict in report.verdicts}
    assert killers == {
        "s01": {"test_three_doubles_to_six", "test_halving_undoes_doubling"},
        "m01": {"test_three_doubles_to_six"},
        "m02": {"test_negative_numbers_are_refused"},
        "w01": set(),
    }
    ran = {verdict.mutant.id: len(verdict.tests) for verdict in report.verdicts}
    assert ran == {"s01": 2, "m01": 3, "m02": 3, "w01": 3}  # one test never gets to the statement that s01 changes


def test_the_same_seed_gives_the_same_report() -> None:
    first, second = (run(load_course(TINY), matrix=True, seed=7) for _ in range(2))
    assert [replace(one, elapsed_s=0) for one in first.verdicts] == [
        replace(one, elapsed_s=0) for one in second.verdicts
    ]


def test_both_ways_to_install_give_the_same_verdict() -> None:
    course = load_course(TINY)
    module = course.module("T1")
    units = course.read_units(module)
    with WarmParent(course, module, jobs=1) as parent:
        baseline = measure(parent, units, run_seed=1)
        equivalence = equivalence_of(course, module, parent, units)
        scheduler = Scheduler(parent, baseline, units, read_catalog(course.test_files(module)), equivalence, 1)
        planned = 0
        for mutant in load_curated(course, module):
            plan = scheduler.plan(mutant)
            planned += plan.in_place is not None
            in_place, fresh = (
                parent.run(
                    Job(
                        sources=mutant.sources,
                        in_place=way,
                        tests=baseline.plans(plan.tests, run_seed=1, mutant_id=mutant.id),
                        stop_at_first_failure=False,
                        startup_limit_s=10,
                        memory_bytes=1 << 30,
                    )
                )
                for way in (plan.in_place, None)
            )
            assert [(one.name, one.passed, one.reason) for one in in_place.runs] == [
                (one.name, one.passed, one.reason) for one in fresh.runs
            ]
        assert planned == 2


def test_a_baseline_knows_what_each_test_reaches() -> None:
    course = load_course(TINY)
    module = course.module("T1")
    with WarmParent(course, module, jobs=1) as parent:
        baseline = measure(parent, course.read_units(module), run_seed=1)
    text = course.read_units(module)[UNIT].splitlines()
    reached = {
        name: {text[int(place.rpartition(":")[2]) - 1].strip() for place in places}
        for name, places in baseline.reached.items()
    }
    entry = {text[6].strip(), "if number < 0:"}
    assert reached["test_three_doubles_to_six"] == entry | {"return number * STEP"}
    assert reached["test_negative_numbers_are_refused"] == entry | {"raise ValueError(number)"}
    assert "return divmod(number, STEP)[0]" in reached["test_halving_undoes_doubling"]
    assert min(baseline.limits_s.values()) >= 1.0


def test_a_function_that_ran_during_collection_is_not_exchanged(course: Course) -> None:
    """What it returned then lives on in the tests, so its mutant must be imported before they are collected."""
    tests = course.test_files(course.module("T1"))[0]
    edit(tests, "\n\ndef test_three", "\n\nSIX = double(3)\n\n\ndef test_three")
    edit(tests, "assert double(3) == 6", "assert SIX == 6")
    assert words(run(course))["s01"] is Status.KILLED


# --- controls -----------------------------------------------------------------------------------------------------


def test_a_reference_that_fails_stops_the_run(course: Course) -> None:
    edit(course.test_files(course.module("T1"))[0], "double(3) == 6", "double(3) == 7")
    report = run(course)
    assert not report.controls.reference
    assert "test_three_doubles_to_six" in report.controls.notes[0]
    assert report.verdicts == ()


def test_a_test_that_passes_on_anything_stops_the_run(course: Course) -> None:
    edit(course.test_files(course.module("T1"))[0], "assert double(3) == 6", "assert True")
    report = run(course)
    assert not report.controls.raises_everywhere
    assert report.controls.notes == ("test_three_doubles_to_six passes on a subject that raises everywhere",)


def test_a_wheat_that_fails_stops_the_run_and_is_named(course: Course) -> None:
    edit(course.mutants(course.module("T1")) / "w01.py", "number + number", "number + number + 0.5")
    report = run(course)
    assert not report.controls.wheats
    assert words(report) == {"w01": Status.KILLED}
    assert "wheat w01 was killed" in report.controls.notes[0]


def test_a_test_that_depends_on_chance_breaks_the_identity_control(course: Course) -> None:
    """A test that passes once and then never again would kill every mutant; the unchanged copy shows it up."""
    tests = course.test_files(course.module("T1"))[0]
    counter = course.root / "counter"
    edit(
        tests,
        "assert double(3) == 6",
        f"path = __import__('pathlib').Path({str(counter)!r}); seen = path.exists(); path.touch()\n"
        "    assert double(3) == 6 and not seen",
    )
    report = run(course)
    assert not report.controls.identity


def test_tests_that_do_not_collect_end_in_an_error_that_says_why(course: Course) -> None:
    edit(course.test_files(course.module("T1"))[0], "import pytest", "import no_such_module_anywhere")
    with pytest.raises(EngineError, match="no_such_module_anywhere"):
        run(course)


def test_a_module_without_tests_or_mutants_is_nothing_to_run(course: Course) -> None:
    module = course.module("T1")
    before = threading.active_count()
    with pytest.raises(NothingToRun, match="has no mutants"):
        score(course, module, [], Options(jobs=1))
    assert threading.active_count() == before  # nothing was begun that nobody ends
    shutil.rmtree(course.tests(module))
    with pytest.raises(NothingToRun, match="has no tests"):
        run(course)


def test_the_control_that_raises_does_so_in_every_function() -> None:
    source = "def f():\n    return 1\nclass A:\n    def g(self):\n        return 2\n"
    namespace: dict[str, object] = {}
    exec(raise_everywhere(source), namespace)
    for call in ("f()", "A().g()"):
        with pytest.raises(RuntimeError, match="control"):
            eval(call, namespace)


def test_a_mutant_that_does_not_differ_is_invalid() -> None:
    course = load_course(TINY)
    module = course.module("T1")
    text = course.read_units(module)[UNIT] + "# only a comment\n"
    same = Mutant("same", Tier.PINNED, {UNIT: text}, UNIT, 1, "", "nothing")
    report = score(course, module, [same], Options(jobs=1))
    assert (report.verdicts[0].status, report.verdicts[0].reason) == (
        Status.INVALID,
        "does not differ from the reference",
    )


# --- protocol and processes ---------------------------------------------------------------------------------------


def test_jobs_and_outcomes_survive_the_line_between_the_processes() -> None:
    job = Job({"u.py": "x = '\ud800'"}, {"u.py": ("f", "A.g")}, (TestPlan("t", 1, 2.0),), True, 3.0, 4)
    assert Job.from_json(job.to_json()) == job
    outcome = Outcome(Ending.DIED, (TestRun("t", False, 0.5, "why\u2028"),), 1.0, "detail", "t")
    assert "\n" not in outcome_to_json(outcome)
    assert outcome_from_json(outcome_to_json(outcome)) == outcome


def test_every_pair_of_mutant_and_test_has_its_own_seed() -> None:
    seeds = {seed_for(run, mutant, test) for run in (0, 1) for mutant in ("s01", "s02") for test in ("a", "b")}
    assert len(seeds) == 8


SCORE_AND_WAIT = """
import sys
from pathlib import Path
from harness.course import load_course
from harness.engine.score import Options, score
from harness.mutation.curated import load_folder
from harness.records import Tier
course = load_course(Path(sys.argv[1])); module = course.module("T1")
score(course, module, load_folder(Path(sys.argv[2]), course, module, tier=Tier.SEMANTIC), Options(jobs=2))
"""


def running_under(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_killing_the_scheduler_leaves_no_process(course: Course, tmp_path: Path) -> None:
    hangs = tmp_path / "hangs"
    hangs.mkdir()
    shutil.copy(Path(__file__).parent / "hostile" / "hangs.py", hangs)
    scheduler = subprocess.Popen(
        [sys.executable, "-c", SCORE_AND_WAIT, str(course.root), str(hangs)],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )
    mark = str(course.root)
    wait_until(lambda: len(running_under(mark)) >= 5)
    scheduler.send_signal(signal.SIGKILL)
    scheduler.wait()
    wait_until(lambda: running_under(mark) == [])


def wait_until(condition: object, *, give_up_s: float = 20.0) -> None:
    assert callable(condition)
    end = time.monotonic() + give_up_s
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
