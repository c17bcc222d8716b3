"""The student's commands on the tiny course: right code, wrong code, and clumsy or hostile files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli import main
from harness.course import load_course
from harness.engine import judging
from harness.engine.judging import TEST_LIMIT_S
from harness.errors import ExitCode, UsageError
from harness.records import CheckReport, CheckVerdict
from harness.student import check as student_check
from harness.student.check import BUDGET_S, Request, check
from harness.student.compare import compare
from harness.student.start import start
from harness.student.stubs import stub_source
from harness.student.workspace import Progress, UnitState, Workspace, is_stub
from harness.subject import sandbox
from harness.subject.sandbox import Level

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
COURSE = load_course(HERE / "courses" / "tiny")
MODULE = COURSE.module("T1")
NEEDING = COURSE.module("T2")
UNIT = "tinypkg/double.py"
RIGHT = COURSE.unit_path(UNIT).read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    """A student's folder with the module's stub in it."""
    workspace = Workspace(tmp_path / "desk")
    start(COURSE, MODULE, workspace)
    return workspace


def hand_in(desk: Workspace, code: str | bytes) -> CheckReport:
    desk.unit_path(UNIT).write_bytes(code.encode() if isinstance(code, str) else code)
    return check(COURSE, MODULE, desk, Request())


# --- start --------------------------------------------------------------------------------------------------------


def test_a_stub_is_python_that_does_nothing_yet(desk: Workspace) -> None:
    text = desk.read(UNIT)
    assert is_stub(text)
    assert desk.unit_state(UNIT) is UnitState.STUB
    assert '"""Twice the number; ValueError for a negative one."""' in text
    assert "raise NotImplementedError" in text


def test_nothing_that_is_there_is_touched(desk: Workspace) -> None:
    desk.unit_path(UNIT).write_text("mine = 1\n")
    done = start(COURSE, MODULE, desk)
    assert desk.unit_path(UNIT).read_text() == "mine = 1\n"
    assert (done.written, len(done.kept)) == ((), 2)


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("not a folder")
    with pytest.raises(UsageError, match="python"):
        start(COURSE, MODULE, Workspace(tmp_path))


def test_every_contract_of_the_course_makes_a_stub_without_drift() -> None:
    course = load_course()
    for module in course.modules:
        for unit in module.units:
            text = stub_source(course.contract_path(unit).read_text())
            compile(text, unit, "exec")
            assert is_stub(text)


# --- check --------------------------------------------------------------------------------------------------------


def test_a_stub_is_not_started(desk: Workspace) -> None:
    report = check(COURSE, MODULE, desk, Request())
    assert (report.verdict, "still a stub" in report.message) == (CheckVerdict.NOT_STARTED, True)


def test_right_code_passes_and_is_remembered(desk: Workspace) -> None:
    report = hand_in(desk, RIGHT)
    assert report.verdict is CheckVerdict.PASS, report.message
    assert [test.status for test in report.tests] == ["pass"] * 3
    assert desk.progress(COURSE, MODULE) is Progress.PASS
    desk.unit_path(UNIT).write_text(RIGHT + "# changed\n")
    assert desk.progress(COURSE, MODULE) is Progress.STALE


def test_a_failure_shows_the_smallest_input_and_how_to_see_it_again(desk: Workspace) -> None:
    report = hand_in(desk, RIGHT.replace("divmod(number, STEP)[0]", "number // STEP if number < 20 else 0"))
    (failed,) = [test for test in report.tests if test.status == "fail"]
    assert failed.entry.name == "test_halving_undoes_doubling"
    assert (failed.input, failed.expected, failed.got) == ("halve(double(10))", "10", "0")
    assert failed.replay == "ol check T1 --test test_halving_undoes_doubling"
    again = check(COURSE, MODULE, desk, Request(test="test_halving_undoes_doubling"))
    assert again.tests == (failed,)


def test_a_missing_error_and_a_wrong_one_are_told_apart(desk: Workspace) -> None:
    missing = hand_in(desk, RIGHT.replace("if number < 0", "if number < -5"))
    (failed,) = [test for test in missing.tests if test.status == "fail"]
    assert (failed.input, failed.expected, failed.got) == ("double(-1)", "ValueError", "no error: the call returned")
    wrong = hand_in(desk, RIGHT.replace("raise ValueError(number)", "raise KeyError(number)"))
    (failed,) = [test for test in wrong.tests if test.status == "fail"]
    assert (failed.expected, failed.got) == ("ValueError", "KeyError: -1")


def test_a_known_mistake_is_one_cause_with_its_hint(desk: Workspace) -> None:
    report = hand_in(desk, RIGHT.replace("number * STEP", "number * number"))
    (cause,) = report.causes
    assert cause.tests[0] == "test_three_doubles_to_six"
    assert cause.hint == "3 does not become 6."
    assert len(cause.tests) == 2


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            RIGHT.replace("def halve", "def half"),
            "halve\n  contract  def halve(number: int) -> int\n  yours     nothing",
        ),
        (RIGHT.replace("def double(number: int)", "def double(number: int, step: int)"), "yours     def double(number"),
        (RIGHT.replace("STEP = 2", "STRIDE = 2"), "STEP"),
    ],
)
def test_drift_spells_out_both_sides(code: str, expected: str, desk: Workspace) -> None:
    report = hand_in(desk, code)
    assert report.verdict is CheckVerdict.DRIFT
    assert expected in report.message


def test_needs_block_until_built_or_lent(desk: Workspace) -> None:
    nothing_there = check(COURSE, NEEDING, desk, Request())
    assert nothing_there.verdict is CheckVerdict.BLOCKED
    start(COURSE, NEEDING, desk)
    quadruple = COURSE.unit_path("tinypkg/quadruple.py").read_text()
    desk.unit_path("tinypkg/quadruple.py").write_text(quadruple)
    blocked = check(COURSE, NEEDING, desk, Request())
    assert blocked.verdict is CheckVerdict.BLOCKED
    assert blocked.message == "T2 needs T1: build it, or rerun with --ref-deps"
    assisted = check(COURSE, NEEDING, desk, Request(ref_deps=True))
    assert (assisted.verdict, assisted.assisted) == (CheckVerdict.PASS, True)
    desk.unit_path(UNIT).write_text(RIGHT)
    alone = check(COURSE, NEEDING, desk, Request())
    assert (alone.verdict, alone.assisted) == (CheckVerdict.PASS, False)


# --- clumsy and hostile files -------------------------------------------------------------------------------------

HALVE = "STEP = 2\n\n\ndef halve(number):\n    return number // STEP\n\n\n"
CLUMSY: dict[str, tuple[str | bytes, CheckVerdict, str]] = {
    "does not parse": ("def double(number:\n    return\n", CheckVerdict.FAIL, "is not Python: line 1"),
    "not UTF-8": (b"# caf\xe9\n" + RIGHT.encode(), CheckVerdict.FAIL, "is not Python"),
    "NUL bytes": (RIGHT.encode() + b"\0", CheckVerdict.FAIL, "is not Python"),
    "too large": (b"#" * (1 << 21), CheckVerdict.FAIL, "larger than 1 MiB"),
    "deeply nested": ("x = " + "(" * 5000 + ")" * 5000 + "\n", CheckVerdict.FAIL, "is not Python"),
    "byte order mark": (b"\xef\xbb\xbf" + RIGHT.encode(), CheckVerdict.PASS, ""),
    "CRLF": (RIGHT.replace("\n", "\r\n"), CheckVerdict.PASS, ""),
    "another encoding, declared": (b"# coding: latin-1\n# caf\xe9\n" + RIGHT.encode(), CheckVerdict.PASS, ""),
    "prints at import": ("print('x' * 10**6)\n" + RIGHT, CheckVerdict.PASS, ""),
    "empty": ("", CheckVerdict.NOT_STARTED, "still a stub"),
    "exits at import": ("import sys\nsys.exit(0)\n" + RIGHT, CheckVerdict.FAIL, "SystemExit"),
    "ends at import": ("import os\nos._exit(0)\n" + RIGHT, CheckVerdict.FAIL, "importing it did not end well"),
    "raises at import": ("1 / 0\n" + RIGHT, CheckVerdict.FAIL, "importing it failed: ZeroDivisionError"),
    "needs what nobody has": ("import nobody_has_this\n" + RIGHT, CheckVerdict.FAIL, "ModuleNotFoundError"),
    "hangs at import": ("while True: pass\n" + RIGHT, CheckVerdict.FAIL, "importing it did not end well"),
    "sleeps": (HALVE + "def double(number):\n    import time; time.sleep(600)\n", CheckVerdict.FAIL, ""),
    "allocates": (HALVE + "def double(number):\n    return bytearray(1 << 40)\n", CheckVerdict.FAIL, ""),
    "exits": (HALVE + "def double(number):\n    import os; os._exit(0)\n", CheckVerdict.FAIL, ""),
    "raises SystemExit": (HALVE + "def double(number):\n    raise SystemExit(0)\n", CheckVerdict.FAIL, ""),
    "forks": (HALVE + "def double(number):\n    import os\n    while True: os.fork()\n", CheckVerdict.FAIL, ""),
}


@pytest.mark.parametrize("name", CLUMSY)
def test_a_clumsy_or_hostile_file_gets_a_verdict_in_bounded_time(name: str, desk: Workspace) -> None:
    code, verdict, said = CLUMSY[name]
    began = time.monotonic()
    report = hand_in(desk, code)
    assert (report.verdict, said in report.message) == (verdict, True), report.message
    assert "Traceback" not in report.message
    assert time.monotonic() - began < BUDGET_S + 4 * TEST_LIMIT_S


def test_an_import_that_a_busy_machine_made_late_is_tried_again(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "TEST_LIMIT_S", 2.0)
    sleepy = "import time\ntime.sleep(2.5)\n" + RIGHT
    assert hand_in(desk, sleepy).verdict is CheckVerdict.PASS
    monkeypatch.setattr(student_check, "CONFIRMING_PATIENCE", 1.0)
    report = hand_in(desk, sleepy)
    assert (report.verdict, report.message) == (
        CheckVerdict.FAIL,
        "importing it did not end well: no end after 2.0 s",
    )


def test_a_test_in_which_the_process_ends_does_not_take_the_others_with_it(desk: Workspace) -> None:
    report = hand_in(desk, RIGHT.replace("raise ValueError(number)", "import os; os._exit(0)"))
    assert {test.entry.name: test.status for test in report.tests} == {
        "test_three_doubles_to_six": "pass",
        "test_halving_undoes_doubling": "pass",
        "test_negative_numbers_are_refused": "fail",
    }


def test_a_file_in_the_wrong_place_or_under_another_name_is_found(tmp_path: Path) -> None:
    desk = Workspace(tmp_path)
    (tmp_path / "double.py").write_text(RIGHT)
    report = check(COURSE, MODULE, desk, Request())
    assert report.verdict is CheckVerdict.NOT_STARTED
    assert "python/tinypkg/double.py is not there" in report.message
    assert "double.py is, and would have to be moved" in report.message
    (tmp_path / "double.py").rename(tmp_path / "doubles.py")
    assert "doubles.py is" in check(COURSE, MODULE, desk, Request()).message


def test_a_students_own_random_py_is_not_ours(desk: Workspace) -> None:
    (desk.home / "random.py").write_text("raise RuntimeError('not the real one')\n")
    (desk.home / "pytest.py").write_text("raise RuntimeError('not the real one')\n")
    assert hand_in(desk, RIGHT).verdict is CheckVerdict.PASS


def test_a_students_own_helper_module_is_found(desk: Workspace) -> None:
    (desk.home / "tinypkg" / "arithmetic.py").write_text("TWO = 2\n")
    assert hand_in(desk, "from tinypkg.arithmetic import TWO as STEP\n" + RIGHT.replace("STEP = 2\n", "")).verdict is (
        CheckVerdict.PASS
    )
    assert desk.progress(COURSE, MODULE) is Progress.PASS
    (desk.home / "tinypkg" / "arithmetic.py").write_text("TWO =\n")
    assert desk.progress(COURSE, MODULE) is Progress.STALE
    report = hand_in(desk, RIGHT)
    assert report.verdict is CheckVerdict.FAIL
    assert "python/tinypkg/arithmetic.py is not Python: line 1" in report.message


def test_the_code_runs_at_the_strongest_level_and_the_report_says_so(desk: Workspace) -> None:
    assert hand_in(desk, RIGHT).isolation == sandbox.strongest().name
    desk.unit_path(UNIT).write_text(RIGHT)
    for level in Level:
        if level <= sandbox.strongest():
            report = check(COURSE, MODULE, desk, Request(isolation=level))
            assert (report.verdict, report.isolation) == (CheckVerdict.PASS, level.name)


def test_a_level_that_is_required_and_missing_is_an_error(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.unit_path(UNIT).write_text(RIGHT)
    monkeypatch.setattr(sandbox, "strongest", lambda: Level.L1)
    assert ol("check", "T1", "--at", str(desk.root), "--require-isolation", "L3") == ExitCode.ERROR
    assert "isolation L3 is required and L1 is what this machine reaches" in capsys.readouterr().err
    assert ol("check", "T1", "--at", str(desk.root), "--require-isolation", "L1") == ExitCode.PASS


FORGING = """
import os


def double(number):
    for descriptor in range(64):
        try:
            os.write(descriptor, b'{"id":2,"ok":6}\\n')
        except OSError:
            pass
    return number * 2
"""


def test_forged_answers_are_a_failure_whatever_they_say(desk: Workspace) -> None:
    report = hand_in(desk, HALVE + FORGING)
    assert report.verdict is CheckVerdict.FAIL
    assert "your code wrote where only answers may go" in report.message


def test_a_damaged_state_file_loses_nothing_but_itself(desk: Workspace) -> None:
    hand_in(desk, RIGHT)
    (desk.root / ".ol" / "state.json").write_text("{")
    assert desk.progress(COURSE, MODULE) is Progress.STARTED
    assert hand_in(desk, RIGHT).verdict is CheckVerdict.PASS
    assert desk.progress(COURSE, MODULE) is Progress.PASS


# --- the commands -------------------------------------------------------------------------------------------------


def ol(*arguments: str) -> int:
    return main(["--course", str(COURSE.root), *arguments])


def test_the_commands_end_with_the_verdict(desk: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    at = ["--at", str(desk.root)]
    assert ol("check", "T1", *at) == ExitCode.NOTHING
    assert ol("diff", "T1", *at) == ExitCode.FAIL
    desk.unit_path(UNIT).write_text(RIGHT.replace("STEP = 2", "STEP = 3"))
    capsys.readouterr()
    assert ol("check", "T1", *at) == ExitCode.FAIL
    shown = capsys.readouterr().out
    assert "FAIL  test_three_doubles_to_six" in shown
    assert all(word not in shown for word in ("Traceback", "hypothesis", "Falsifying", str(COURSE.root)))
    desk.unit_path(UNIT).write_text(RIGHT.replace("def halve", "def half"))
    assert ol("check", "T1", *at) == ExitCode.DRIFT
    desk.unit_path(UNIT).write_text(RIGHT)
    assert ol("check", "T1", *at) == ExitCode.PASS
    capsys.readouterr()
    assert ol("diff", "T1", *at) == ExitCode.PASS
    assert "from the contract's point of view: nothing" in capsys.readouterr().out
    assert ol("status", *at) == ExitCode.PASS
    assert "pass" in capsys.readouterr().out
    assert ol("check", "T1", *at, "--kind", "guess") == ExitCode.USAGE
    assert ol("check", "T1", *at, "--test", "test_nothing") == ExitCode.USAGE


def test_spoiling_is_recorded(desk: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert ol("diff", "T1", "--at", str(desk.root), "--spoil") == ExitCode.PASS
    hand_in(desk, RIGHT)
    capsys.readouterr()
    ol("status", "--at", str(desk.root))
    assert "spoiled" in capsys.readouterr().out


def test_json_has_the_promised_keys(desk: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    desk.unit_path(UNIT).write_text(RIGHT.replace("number * STEP", "number + 1"))
    capsys.readouterr()
    ol("check", "T1", "--at", str(desk.root), "--json")
    document = json.loads(capsys.readouterr().out)
    assert {"module", "verdict", "tests", "seed", "isolation", "versions"} <= set(document)
    keys = {"name", "kind", "status", "checks", "why", "input", "expected", "got", "replay"}
    assert all(keys <= set(test) for test in document["tests"])
    assert document["verdict"] == "fail"


def test_the_output_fits_eighty_columns_with_and_without_colour(desk: Workspace) -> None:
    desk.unit_path(UNIT).write_text(RIGHT.replace("number * STEP", "[number] * 10**6"))

    def shown(**environment: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "harness", "--course", str(COURSE.root), "check", "T1", "--at", str(desk.root)],
            env={**os.environ, "PYTHONPATH": ":".join(sys.path), "COLUMNS": "80", **environment},
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    plain, coloured = shown(NO_COLOR="1"), shown(FORCE_COLOR="1")
    assert max(map(len, plain.splitlines())) <= 80
    assert "\x1b[" in coloured
    strip: Callable[[str], str] = lambda text: __import__("re").sub(r"\x1b\[[0-9;]*m", "", text)  # noqa: E731
    assert strip(coloured) == plain


def test_functions_are_compared_one_by_one() -> None:
    yours = RIGHT.replace("divmod(number, STEP)[0]", "number >> 1").replace("STEP = 2", "STEP = 1 + 1")
    found = {one.name: one.diff for one in compare(yours, RIGHT)}
    assert set(found) == {"double", "halve", "(everything else)"}
    assert found["double"] == ""
    assert "-    return number >> 1" in found["halve"]
    assert "-STEP = 1 + 1" in found["(everything else)"]
