"""The examples for other people's systems are what those systems read, and their scripts do what they say."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness.course import load_course

EXAMPLES = Path(__file__).parents[3] / "examples"
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: requirements-test.txt has it")


def read(*parts: str) -> Any:
    document = yaml.safe_load(EXAMPLES.joinpath(*parts).read_text("utf-8"))
    if True in document:  # YAML 1.1 takes the key `on` for a truth value
        document["on"] = document.pop(True)
    return document


def grading_step() -> dict[str, Any]:
    steps = read("github-classroom", "grade.yml")["jobs"]["grade"]["steps"]
    found: dict[str, Any] = next(step for step in steps if step.get("id") == "tokproof")
    return found


def test_a_students_workflow_only_calls_the_teachers() -> None:
    student = read("github-classroom", "classroom.yml")
    (job,) = student["jobs"].values()
    assert set(job) == {"if", "uses", "with"}
    assert job["uses"].endswith("/.github/workflows/grade.yml@main")
    teacher = read("github-classroom", "grade.yml")
    asked = teacher["on"]["workflow_call"]["inputs"]
    assert {name for name, one in asked.items() if one.get("required")} <= set(job["with"]) <= set(asked)
    load_course().module(job["with"]["module"])


def test_the_reporter_reads_the_step_that_graded() -> None:
    steps = read("github-classroom", "grade.yml")["jobs"]["grade"]["steps"]
    reporter = steps[-1]
    assert reporter["with"]["runners"] == "tokproof"
    assert reporter["env"] == {"TOKPROOF_RESULTS": "${{ steps.tokproof.outputs.result }}"}
    assert "${{" not in grading_step()["run"], "what others wrote reaches a script by the environment alone"


@pytest.mark.skipif(shutil.which("jq") is None, reason="there is no jq")
@pytest.mark.parametrize(("code", "score", "status"), [(0, 4, "pass"), (1, 1.5, "fail"), (5, 0, None)])
def test_the_step_hands_over_the_total(tmp_path: Path, code: int, score: float, status: str | None) -> None:
    results = {"score": score, "output": "all that is said", "tests": [{"max_score": 1.5}, {"max_score": 2.5}]}
    tool = tmp_path / "ol"
    tool.write_text(f"#!/bin/sh\ncat > results.json <<'END'\n{json.dumps(results)}\nEND\nexit {code}\n")
    tool.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "MODULE": "M05.2",
        "GITHUB_OUTPUT": str(tmp_path / "out"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", grading_step()["run"]], cwd=tmp_path, env=environment)
    if status is None:
        assert (done.returncode, (tmp_path / "out").exists()) == (5, False)
        return
    name, _, value = (tmp_path / "out").read_text().strip().partition("=")
    document = json.loads(base64.b64decode(value))
    (test,) = document.pop("tests")
    assert (name, document) == ("result", {"version": 1, "status": status, "max_score": 4})
    assert (test["name"], test["status"], test["score"]) == ("M05.2", status, score)
    assert f"{score} of 4 points" in (tmp_path / "summary").read_text()


def test_the_hook_runs_a_check_on_the_files_of_a_submission() -> None:
    (repository,) = read("pre-commit", ".pre-commit-config.yaml")["repos"]
    (hook,) = repository["hooks"]
    assert repository["repo"] == "local"
    assert {"id", "name", "entry", "language"} <= set(hook)
    tool, command, module = hook["entry"].split()
    assert (tool, command) == ("ol", "check")
    units = load_course().module(module).units
    assert all(re.search(hook["files"], f"python/{unit}") for unit in units)
    assert not re.search(hook["files"], "notes/tinyllm.md")
