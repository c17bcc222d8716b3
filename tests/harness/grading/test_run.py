"""`ol grade` as a whole on the tiny course: files, interruptions, kills, a cluster, and Gradescope's autograder."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from harness.cli import main
from harness.errors import ExitCode
from harness.grading import run as grading_run
from harness.grading.metadata import read_submission
from harness.grading.publish import file_name
from harness.process import children

pytestmark = pytest.mark.slow

COURSE = Path(__file__).parents[1] / "courses" / "tiny"
ROOT = Path(__file__).parents[3]
RIGHT = (COURSE / "reference" / "tinypkg" / "double.py").read_text()
WRONG = RIGHT.replace("* STEP", "+ STEP")
SLOW = "import time\ntime.sleep(0.4)\n"
ROSTER = "student,name,points\nada,Ada,\nbob,Bob,\ncyd,Cyd,\nfay,Fay,\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A class of five, one of whom is on no roster."""
    for student, text in {
        "ada": RIGHT,
        "bob": WRONG,
        "cyd": "def double(:\n",
        "dan": f"# mine\n{RIGHT}",
        "eve": "1 / 0\n",
    }.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "double.py").write_text(text)
    (tmp_path / "roster.csv").write_text(ROSTER)
    return tmp_path


def grade(home: Path, *more: str, out: str = "results") -> int:
    return main(["--course", str(COURSE), *words(home, out), *more])


def words(home: Path, out: str) -> list[str]:
    return ["grade", "T1", str(home / "class"), "--out", str(home / out), "--no-times"]


def table(home: Path, out: str = "results") -> dict[str, tuple[str, str]]:
    with (home / out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: (row["status"], row["points"]) for row in csv.DictReader(file)}


def bytes_of(home: Path, out: str) -> Mapping[str, str]:
    files = {path.relative_to(home / out): path for path in sorted((home / out).rglob("*")) if path.is_file()}
    return {
        str(name): hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if not path.name.startswith(("grades.sqlite", "."))
    }


EXPECTED = {
    "ada": ("graded", "100"),
    "bob": ("graded", "33.33"),
    "cyd": ("unreadable", "0"),
    "dan": ("graded", "100"),
    "eve": ("invalid", "0"),
}


def test_a_class_comes_out_with_everybody_in_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade(home, "--roster", str(home / "roster.csv")) == ExitCode.PASS
    assert table(home) == {**EXPECTED, "fay": ("missing", "0")}
    filled = (home / "results" / "roster-filled.csv").read_text()
    assert filled == "student,name,points\nada,Ada,100.00\nbob,Bob,33.33\ncyd,Cyd,0.00\nfay,Fay,\n"
    said = capsys.readouterr().out
    assert "cyd  unreadable  double.py is not Python: line 1" in said
    assert "Traceback" not in said
    feedback = (home / "results" / "students" / "bob.md").read_text()
    assert "ol check T1 --test test_three_doubles_to_six" in feedback
    assert json.loads((home / "results" / "students" / "bob.results.json").read_text())["score"] == 33.33


@pytest.mark.grading
def test_two_runs_leave_the_same_bytes(home: Path) -> None:
    assert grade(home) == grade(home, out="again") == ExitCode.PASS
    assert bytes_of(home, "results") == bytes_of(home, "again")
    assert len(bytes_of(home, "results")) == 3 + 3 * len(EXPECTED)


def test_a_second_run_into_the_same_folder_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade(home) == ExitCode.PASS
    assert grade(home) == ExitCode.USAGE
    assert "--resume goes on with it" in capsys.readouterr().err


def test_rules_lateness_and_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "rules.toml").write_text('max_points = 10\nrequired = ["*six"]\n[late]\npercent_per_day = 10\n')
    (home / "late.csv").write_text("student,days\nada,2\n")
    more = ["--rules", str(home / "rules.toml"), "--late", str(home / "late.csv"), "--json"]
    assert grade(home, *more) == ExitCode.PASS
    document = json.loads(capsys.readouterr().out)
    assert (document["submissions"], document["counts"]["graded"], document["complete"]) == (5, 3, True)
    assert table(home)["ada"] == ("graded", "8")
    assert table(home)["bob"] == ("graded", "0")


def test_a_regrade_shows_what_it_changed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade(home) == ExitCode.PASS
    (home / "class" / "bob" / "double.py").write_text(RIGHT)
    assert grade(home, "--regrade") == ExitCode.PASS
    said = capsys.readouterr().out
    assert "1 grade changed" in said
    assert "passes test_three_doubles_to_six" in said
    assert table(home)["bob"] == ("graded", "100")


def start(home: Path, *more: str, out: str = "killed", scratch: Path | None = None) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-m", "harness", "--course", str(COURSE), *words(home, out), "-j", "1", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **({"TMPDIR": str(scratch)} if scratch else {})}
    # A shell that starts the tests in the background has them ignore Ctrl-C, and what they start with them.
    return subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Where a judge and all below it make their temporary files: a place that every user id can go through."""
    folder = Path(tempfile.mkdtemp(prefix="tokproof-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def wait_until_empty(folder: Path) -> None:
    give_up = time.monotonic() + 30
    while (left := list(folder.glob("tokproof-*"))) and time.monotonic() < give_up:
        time.sleep(0.05)
    assert left == []


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def settled(home: Path, out: str = "killed") -> int:
    try:
        with sqlite3.connect(f"file:{home / out / 'grades.sqlite'}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT COUNT(*) FROM submission WHERE status != 'pending'").fetchone()[0])
    except sqlite3.Error:
        return 0


def slow_class(home: Path) -> None:
    """Enough to do for a kill to hit it in the middle."""
    for number in range(8):
        folder = home / "class" / f"s{number}"
        folder.mkdir()
        (folder / "double.py").write_text(f"{SLOW}# {number}\n{RIGHT}")


@pytest.mark.grading
def test_a_judge_that_is_killed_leaves_nothing_and_goes_on_with_resume(home: Path, scratch: Path) -> None:
    slow_class(home)
    assert grade(home) == ExitCode.PASS
    for kills, after in enumerate((1, 4, 6)):
        with start(home, *(["--resume"] if kills else []), scratch=scratch) as process:
            wait_for(lambda after=after: settled(home) >= after, process)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
    wait_until_empty(scratch)
    assert after <= settled(home) < len(EXPECTED) + 8
    assert grade(home, "--resume", out="killed") == ExitCode.PASS
    assert bytes_of(home, "killed") == bytes_of(home, "results")


@pytest.mark.grading
def test_an_interrupt_ends_with_a_summary_and_the_command_that_resumes(home: Path) -> None:
    slow_class(home)
    with start(home) as process:
        wait_for(lambda: settled(home) >= 3, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"--resume" in out
    assert "interrupted" in (home / "killed" / "junit.xml").read_text()
    assert grade(home, "--resume", out="killed") == ExitCode.PASS
    assert len(table(home, "killed")) == len(EXPECTED) + 8


@pytest.mark.grading
def test_two_runs_do_not_write_into_one_folder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow_class(home)
    with start(home) as process:
        wait_for(lambda: settled(home) >= 1, process)
        assert grade(home, "--resume", out="killed") == ExitCode.USAGE
        assert "another run is writing" in capsys.readouterr().err
        process.terminate()
        process.communicate(timeout=60)


# --- a cluster ----------------------------------------------------------------------------------------------------


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.grading
def test_a_cluster_gives_the_same_even_where_a_worker_is_lost(home: Path, scratch: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed, the extra `cluster`, is not installed")
    slow_class(home)
    assert grade(home) == ExitCode.PASS
    with start(home, "--cluster", "local", "-j", "2", scratch=scratch) as process:
        wait_for(lambda: settled(home) >= 4, process)
        workers = [pid for pid in children(process.pid) if b"resource_tracker" not in command_line(pid)]
        os.kill(workers[0], signal.SIGKILL)
        _, err = process.communicate(timeout=240)
    assert (process.returncode, b"Traceback" in err) == (0, False), err
    wait_until_empty(scratch)
    assert bytes_of(home, "killed") == bytes_of(home, "results")


@pytest.mark.grading
def test_a_scheduler_that_is_not_there_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed", reason="dask.distributed, the extra `cluster`, is not installed")
    assert grade(home, "--cluster", "nobody") == ExitCode.USAGE
    assert "no scheduler answers at nobody" in capsys.readouterr().err


# --- Gradescope ---------------------------------------------------------------------------------------------------

METADATA = {
    "created_at": "2030-02-02T10:00:00.000000-08:00",
    "assignment": {"due_date": "2030-01-31T10:00:00.000000-08:00", "total_points": "100.0"},
    "users": [{"email": "bob@example.org", "name": "Bob", "assignment": {"due_date": "2030-02-01T10:00:00-08:00"}}],
}


def test_gradescope_has_a_result_after_every_test(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, object]] = []
    (home / "metadata.json").write_text(json.dumps(METADATA))
    (home / "rules.toml").write_text("[late]\npercent_per_day = 10\n")
    place = home / "results.json"
    one = grading_run.grade_one

    def watched(*arguments: object, write: Callable[[str], None], **named: object) -> object:
        def both(text: str) -> None:
            write(text)
            seen.append(json.loads(place.read_text()))

        return one(*arguments, write=both, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(grading_run, "grade_one", watched)
    more = ["--gradescope", str(place), "--metadata", str(home / "metadata.json"), "--rules", str(home / "rules.toml")]
    assert main(["--course", str(COURSE), "grade", "T1", str(home / "class" / "ada"), *more]) == ExitCode.PASS
    passed = [sum(test["status"] == "passed" for test in document["tests"]) for document in seen]  # type: ignore[attr-defined]
    assert passed == [0, 1, 2, 3, 3]
    assert [document["score"] for document in seen][-1] == 90
    assert not list(home.glob("results-*"))


@pytest.mark.parametrize(("text", "student"), [("{}", ""), ('{"users": [7], "created_at": 5}', "")])
def test_metadata_that_says_little_is_taken_as_it_is(tmp_path: Path, text: str, student: str) -> None:
    (tmp_path / "metadata.json").write_text(text)
    assert read_submission(tmp_path / "metadata.json").student == student


@pytest.mark.parametrize(
    ("files", "score", "said"),
    [
        ({"first/double.py": RIGHT, "notes/plan.py": "x = 1\n"}, 100, "100 of 100 points"),
        ({"first/double.py": RIGHT, "second/double.py": WRONG}, 0, "several different files double.py"),
        ({}, 0, "double.py was not found"),
    ],
    ids=["two folders", "two different units", "nothing"],
)
def test_a_folder_of_gradescope_is_one_submission(
    tmp_path: Path, files: Mapping[str, str], score: int, said: str
) -> None:
    """Its folders are no students, whatever they are called."""
    (tmp_path / "submission").mkdir()
    for name, text in files.items():
        (tmp_path / "submission" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "submission" / name).write_text(text)
    place = tmp_path / "results.json"
    main(["--course", str(COURSE), "grade", "T1", str(tmp_path / "submission"), "--gradescope", str(place)])
    document = json.loads(place.read_text())
    assert (document["score"], said in document["output"]) == (score, True), document["output"]


@pytest.mark.parametrize(
    ("roster", "column", "said"),
    [
        (ROSTER, "grade", "has no column 'grade'"),
        ("Student,ID,SIS Login ID,Section,Map (1)\nAda,1,ada,A,\n", "Map", "no assignment 'Map'"),
        ("Student,ID,SIS Login ID,Section,Map (1)\nPoints Possible,,,,ten\nAda,1,ada,A,\n", "", "no number of points"),
    ],
    ids=["plain", "canvas", "canvas with another scale"],
)
def test_a_roster_that_cannot_be_filled_is_refused_before_anything_is_judged(
    home: Path, capsys: pytest.CaptureFixture[str], roster: str, column: str, said: str
) -> None:
    (home / "roster.csv").write_text(roster)
    assert grade(home, "--roster", str(home / "roster.csv"), "--column", column) == ExitCode.USAGE
    assert said in capsys.readouterr().err
    assert not (home / "results").exists()


def test_any_key_is_a_name_of_its_own_on_any_file_system() -> None:
    keys = ["ada", "Ada", "a" * 300, "a.b" * 100, "../x", "-rf", "", "\udcff", "doe (2)", "CON"]
    names = [file_name(key) for key in keys]
    assert len({name.casefold() for name in names}) == len(keys)
    assert all(len(name) < 100 and name[0] not in ".-" and "/" not in name for name in names)
