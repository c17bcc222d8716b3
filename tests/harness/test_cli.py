"""The command line: what it prints, what it exits with, and that no traceback reaches a user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.cli import main
from harness.errors import ExitCode

TINY = Path(__file__).parent / "courses" / "tiny"


def ol(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ol` as a user would, in a process of its own, with its output in pipes, where a result may be left."""
    with tempfile.TemporaryDirectory() as elsewhere:
        return subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            env={**os.environ, "PYTHONPATH": ":".join(sys.path), "COLUMNS": "80", **environment},
            capture_output=True,
            text=True,
            cwd=cwd or elsewhere,
            check=False,
        )


def test_help_names_the_commands_and_every_exit_code() -> None:
    done = ol("--help")
    assert done.returncode == ExitCode.PASS
    for word in ("score", "tests", "doctor", *(code.meaning for code in ExitCode)):
        assert word in done.stdout


def test_what_only_some_commands_need_is_imported_by_none_of_the_others() -> None:
    heavy = ("hypothesis", "jinja2", "libcst", "mutmut", "pytest", "regex", "rich", "tiktoken")
    program = (
        "import sys; from harness.cli import main; main(['--version']); "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[1:] == ["[]"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["score"], ExitCode.USAGE, "name one module or use --all"),
        (["score", "T1", "--all"], ExitCode.USAGE, "name one module or use --all"),
        (["score", "T9"], ExitCode.USAGE, "no module 'T9'"),
        (["tests", "T9"], ExitCode.USAGE, "no module 'T9'"),
        (["scroe", "T1"], ExitCode.USAGE, "No such command"),
        (["score", "T1", "-j", "0"], ExitCode.USAGE, "not in the range"),
        (["score", "T1", "--fail-under", "nan"], ExitCode.USAGE, "--fail-under"),
        (["score", "T1", "--fail-under", "101"], ExitCode.USAGE, "not in the range"),
        (["score", "T1", "--seed", "-1"], ExitCode.USAGE, "not in the range"),
        (["score", "T1", "--wheats", "/nowhere"], ExitCode.USAGE, "is not a folder"),
    ],
)
def test_a_wrong_command_line_is_answered_with_the_way_out(arguments: list[str], code: ExitCode, said: str) -> None:
    done = ol("--course", str(TINY), *arguments)
    assert (done.returncode, said in done.stderr, done.stdout) == (code, True, "")
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_no_course_is_a_usage_error(tmp_path: Path) -> None:
    done = ol("--course", str(tmp_path), "score", "T1")
    assert (done.returncode, "it holds no course.toml" in done.stderr) == (ExitCode.USAGE, True)


def test_the_table_fits_a_terminal_and_has_no_escapes_in_a_pipe(tmp_path: Path) -> None:
    done = ol("--course", str(TINY), "score", "T1", cwd=tmp_path)
    assert done.returncode == ExitCode.PASS
    assert "mutation score 100.0 %" in done.stdout
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stderr == ""
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"score-T1.json", "history.jsonl"}


def test_colour_is_there_when_forced_and_gone_with_no_color() -> None:
    assert "\x1b[" in ol("--course", str(TINY), "tests", "T1", FORCE_COLOR="1").stdout
    assert "\x1b[" not in ol("--course", str(TINY), "tests", "T1", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_json_is_one_document_with_the_promised_keys() -> None:
    done = ol("--course", str(TINY), "score", "T1", "--json", "--seed", "5")
    document = json.loads(done.stdout)
    assert {"module", "score", "counts", "controls", "mutants", "elapsed_s", "seed", "versions"} <= set(document)
    assert (document["module"], document["score"], document["seed"]) == ("T1", 100.0, 5)
    assert document["controls"] == dict.fromkeys(("reference", "raises_everywhere", "identity", "wheats"), True)
    judged = [one for one in document["mutants"] if one["tier"] != "wheat"]
    assert sum(document["counts"].values()) == len(judged) > 3
    first = document["mutants"][0]
    assert {"id", "tier", "status", "killed_by", "tests_run", "elapsed_s", "line", "description"} <= set(first)
    assert (first["id"], first["tier"], first["status"], first["line"]) == ("s01", "semantic", "killed", 10)
    assert [one["status"] for one in document["mutants"] if one["tier"] == "wheat"] == ["survived"]


def test_all_modules_are_one_document_too() -> None:
    document = json.loads(ol("--course", str(TINY), "score", "--all", "--json").stdout)
    assert [one["module"] for one in document["modules"]] == ["T1", "T2"]


def test_a_survivor_is_shown_with_its_diff_and_fails_the_run(tmp_path: Path) -> None:
    mutants = tmp_path / "mutants"
    mutants.mkdir()
    text = (TINY / "reference" / "tinypkg" / "double.py").read_text()
    (mutants / "big.py").write_text(text.replace("number < 0", "number < 0 or number > 10**9"))
    done = ol("--course", str(TINY), "score", "T1", "--mutants", str(mutants))
    assert done.returncode == ExitCode.FAIL
    for shown in ("big survived", "+    if number < 0 or number > 10**9:", "3 tests ran and passed", "93.8 %"):
        assert shown in done.stdout
    assert ol("--course", str(TINY), "score", "T1", "--mutants", str(mutants), "--fail-under", "93").returncode == 0


def test_a_broken_control_is_an_error_of_the_harness_and_named(tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(TINY, course)
    wheat = course / "mutants" / "T1" / "w01.py"
    wheat.write_text(wheat.read_text().replace("number + number", "number"))
    done = ol("--course", str(course), "score", "T1")
    assert done.returncode == ExitCode.ERROR
    assert "wheat w01 was killed" in " ".join(done.stdout.split())
    document = json.loads(ol("--course", str(course), "score", "T1", "--json").stdout)
    assert (document["controls"]["wheats"], document["score"]) == (False, None)


def test_two_mutants_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s01.py").write_text("x = 1\n")
    done = ol("--course", str(TINY), "score", "T1", "--mutants", str(tmp_path))
    assert (done.returncode, "two mutants are called 's01'" in done.stderr) == (ExitCode.USAGE, True)


def test_the_catalog_shows_what_each_test_says_of_itself() -> None:
    shown = ol("tests", "M05.2").stdout
    for text in ("test_roundtrip_random_bytes", "property", "checks", "why", "catches", "s05"):
        assert text in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_seeds_measures_random_search_against_plain_strategies() -> None:
    done = ol("--course", str(TINY), "score", "T1", "--seeds", "3", "--json")
    search = json.loads(done.stdout)["search"]
    pairs = {(pair["mutant"], pair["test"]): pair for pair in search["pairs"]}
    claimed = pairs["s01", "test_halving_undoes_doubling"]
    assert (claimed["claimed"], claimed["found"], claimed["plain_found"]) == (True, 3, 3)
    assert claimed["median_examples"] >= 2
    missed = pairs["m02", "test_halving_undoes_doubling"]
    assert (missed["claimed"], missed["found"], missed["median_examples"]) == (False, 0, None)
    assert (search["wheat_failures"], search["never_found_by_plain"]) == ([], [])


def test_a_fault_of_ours_is_one_line_and_a_traceback_only_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("harness.course.load_course", broken)
    assert main(["tests", "M05.2"]) == ExitCode.ERROR
    said = capsys.readouterr().err
    assert "a fault in tokproof itself: RuntimeError: boom" in said
    assert "Traceback" not in said
    monkeypatch.setenv("TOKPROOF_DEBUG", "1")
    main(["tests", "M05.2"])
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m harness tests M05.2 | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command], env={**os.environ, "PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_readme_counts_what_the_course_has() -> None:
    from harness.catalog import read_catalog
    from harness.course import load_course
    from harness.mutation.curated import load_curated
    from harness.records import Tier

    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    course = load_course()
    rows = [line.split("|")[1:-1] for line in readme.splitlines() if line.startswith(("| M0", "| L1"))]
    shown = {row[0].strip(): [int(cell) for cell in row[2:]] for row in rows}
    counted = {}
    for module in course.modules:
        curated = load_curated(course, module)
        wheats = sum(one.tier is Tier.WHEAT for one in curated)
        counted[module.id] = [len(read_catalog(course.test_files(module))), len(curated) - wheats, wheats]
    assert shown == counted


def test_continuous_integration_runs_the_readmes_test_command_and_nothing_else() -> None:
    root = Path(__file__).parents[2]
    commands = [
        line.strip() for line in (root / "README.md").read_text().splitlines() if line.startswith("    python3 -m venv")
    ]
    (test_command,) = [command for command in commands if command.endswith("tox")]
    script = (root / ".ci" / "run").read_text().splitlines()
    assert [line for line in script if line and not line.startswith(("#", "set ", "cd "))] == [test_command]


def test_the_readme_has_every_exit_code() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    assert all(f"| {int(code)} | {code.meaning} |" in readme for code in ExitCode)
