"""The zip for Gradescope, unpacked: modes, scripts, pins, what it carries, and a run of it without a grader."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.course import Course, load_course
from harness.errors import HarnessError
from harness.grading.gradescope_build import build, pinned

SKELETON = json.dumps({"score": 0, "tests": []})
PINS = ("click==8.1.7", "pytest==8.3.0")


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course()


def built(course: Course, module: str = "M05.2", **others: object) -> bytes:
    options = {"skeleton": SKELETON, "version": "1.2.3", "requirements": PINS, "python": "3.12"} | others
    return build(course, course.module(module), **options)  # type: ignore[arg-type]


@pytest.fixture
def source(course: Course, tmp_path: Path) -> Path:
    """The zip as Gradescope unpacks it, below a home of its own."""
    home = tmp_path / "home"
    with zipfile.ZipFile(io.BytesIO(built(course, arguments=("--points", "it's 5")))) as archive:
        archive.extractall(home / "source")
        for entry in archive.infolist():
            (home / "source" / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
    return home / "source"


def test_the_same_inputs_give_the_same_bytes(course: Course) -> None:
    assert built(course) == built(course)
    assert built(course) != built(course, version="1.2.4")


def test_the_scripts_can_be_run_and_nothing_else(course: Course) -> None:
    with zipfile.ZipFile(io.BytesIO(built(course))) as archive:
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"setup.sh", "run_autograder"}
    assert all(stat.S_ISREG(mode) for mode in modes.values())
    assert {"setup.sh", "run_autograder", "requirements.txt", "skeleton.json", "README.md"} <= set(modes)


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_the_scripts_are_bash_and_filled_in(source: Path, name: str) -> None:
    text = (source / name).read_text()
    assert text.startswith("#!/usr/bin/env bash\n")
    assert not re.search(r"@[A-Z]+@", text)
    subprocess.run(["bash", "-n", source / name], check=True)


def test_everything_is_pinned(source: Path) -> None:
    lines = (source / "requirements.txt").read_text().splitlines()
    assert lines == list(PINS)
    found = pinned("pytest")
    assert all(re.fullmatch(r"[a-z0-9-]+==\S+", line) for line in found)
    assert "pluggy" in {line.partition("==")[0] for line in found}
    assert "pytest" not in {line.partition("==")[0] for line in found}


def test_what_needs_what_is_followed_with_its_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def install(name: str, *needs: str) -> None:
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {one}" for one in needs)]
        (folder / "METADATA").write_text("\n".join(lines))

    install("top", "Middle_One[more]>=1", 'never; python_version < "3"', 'test-only; extra == "test"')
    install("middle_one", "leaf", 'deep; extra == "more"', 'other; extra == "less"', "top")
    install("leaf")
    install("deep", "gone")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(HarnessError, match="gone is not installed here"):
        pinned("top")
    install("gone")
    assert pinned("top") == ("deep==1.0", "gone==1.0", "leaf==1.0", "middle-one==1.0")


def test_it_carries_the_module_and_what_it_needs_and_no_other(course: Course) -> None:
    with zipfile.ZipFile(io.BytesIO(built(course, "L1.1"))) as archive:
        names = archive.namelist()
    carried = {
        name.split("/")[3] for name in names if name.startswith("tokproof/course/tests/") and name.count("/") > 3
    }
    assert carried == {"L1.1", "M05.2"}
    assert "tokproof/course/mutants/L1.1/behaviour.json" in names
    assert "tokproof/harness/cli/__init__.py" in names
    assert not [name for name in names if "__pycache__" in name or "_course" in name or "tests/harness" in name]


def test_what_it_carries_runs_and_knows_its_version(source: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(source / "tokproof"), "PYTHONDONTWRITEBYTECODE": "1"}
    script = "import importlib.metadata, harness; print(importlib.metadata.version('tokproof'), harness.__file__)"
    asked = [sys.executable, "-P", "-c", script]
    shown = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["1.2.3", str(source / "tokproof/harness/__init__.py")]
    course = str(source / "tokproof/course")
    command = [sys.executable, "-P", "-m", "harness", "--course", course, "tests", "M05.2"]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=source)
    assert "test_matches_gpt2_table" in shown.stdout


@pytest.mark.parametrize("ending", [0, 1, 5, "absent"])
def test_a_result_is_there_whatever_happens(source: Path, ending: int | str) -> None:
    home = source.parent
    if ending != "absent":
        python = home / "venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{home}/arguments"\nexit {ending}\n')
        python.chmod(0o755)
    done = subprocess.run(
        [source / "run_autograder"],
        env={"PATH": os.environ["PATH"], "TOKPROOF_AUTOGRADER": str(home)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert (home / "results/results.json").read_text() == SKELETON
    assert (home / "results").stat().st_mode & 0o077 == 0
    assert (source / "tokproof/course").stat().st_mode & 0o077 == 0
    if ending != "absent":
        assert f"ended with {ending}" in done.stdout
        assert (home / "arguments").read_text().splitlines() == [
            *("-P", "-m", "harness", "--course", f"{source}/tokproof/course", "grade", "M05.2", f"{home}/submission"),
            *("--gradescope", f"{home}/results/results.json", "--metadata", f"{home}/submission_metadata.json"),
            *("--points", "it's 5"),
        ]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="there is no shellcheck")
@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_shellcheck_has_nothing_to_say(source: Path, name: str) -> None:
    subprocess.run(["shellcheck", source / name], check=True)
