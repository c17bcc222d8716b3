"""`ol report`: which result it takes, what it writes, and what it ends with."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness import results
from harness.cli import main, ol
from harness.errors import ExitCode
from harness.records import CheckReport, Report, Status
from harness.reports.check_report import check_json
from harness.reports.formats import FORMATS
from harness.reports.history import history_line
from harness.reports.json_report import score_json

ScoreMaker = Callable[..., Report]
CheckMaker = Callable[..., CheckReport]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the command runs in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def leave(report: Report, path: Path) -> Path:
    results.write(path, score_json([report], several=False))
    return path


def test_without_a_result_the_newest_is_shown(
    folder: Path, score: ScoreMaker, check: CheckMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    leave(score(), folder / results.FOLDER / "score-T1.json")
    results.write(folder / results.FOLDER / "check-T1.json", check_json(check()))
    os.utime(folder / results.FOLDER / "check-T1.json", (1, 1))
    assert main(["report"]) == ExitCode.PASS
    assert "Mutation score  80.0 %" in capsys.readouterr().out
    os.utime(folder / results.FOLDER / "score-T1.json", (0, 0))
    assert main(["report"]) == ExitCode.PASS
    assert "FAIL  test_doubles" in capsys.readouterr().out


def test_every_format_is_written_to_the_file_that_is_named(
    folder: Path, score: ScoreMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    result = leave(score(), folder / "result.json")
    options = [word for name in FORMATS for word in (f"--{name}", f"out/{name}")]
    assert main(["report", str(result), *options]) == ExitCode.PASS
    assert capsys.readouterr().out.splitlines() == [f"wrote out/{name}" for name in FORMATS]
    assert {path.name for path in (folder / "out").iterdir()} == set(FORMATS)
    before = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    assert main(["report", str(result), *options]) == ExitCode.PASS
    assert {path.name: path.read_bytes() for path in (folder / "out").iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], ".ol/results holds no result"),
        (["gone.json"], "gone.json cannot be read: No such file or directory"),
        (["result.json", "--against", "gone.json"], "gone.json cannot be read"),
        (["result.json", "--against", "check.json"], "are not two scores of one module"),
        (["result.json", "--fail-on-new-survivors"], "needs an older result"),
        (["result.json", "--html", "/proc/no/page.html"], "/proc/no/page.html cannot be written"),
        (["check.json", "--csv", "x.csv"], "--csv shows mutants, and a check has none"),
        (["latin.json"], "latin.json is no result document: byte 0 is not UTF-8"),
        (["result.json", "--pdf", "x.pdf"], "No such option"),
    ],
)
def test_bad_input_is_answered_with_the_way_out(
    folder: Path,
    score: ScoreMaker,
    check: CheckMaker,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    leave(score(), folder / "result.json")
    (folder / "check.json").write_text(check_json(check()))
    (folder / "latin.json").write_bytes(b"\xff")
    assert main(["report", *arguments]) == ExitCode.USAGE
    assert said in capsys.readouterr().err


def test_new_survivors_fail_where_that_is_asked_for(
    folder: Path, score: ScoreMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    old = score()
    first = replace(old.verdicts[0], status=Status.SURVIVED, killed_by=())
    new = leave(replace(old, verdicts=(first, *old.verdicts[1:])), folder / "new.json")
    before = leave(old, folder / "old.json")
    compare = ["report", str(new), "--against", str(before)]
    assert main(compare) == ExitCode.PASS
    assert "Newly surviving: s01" in capsys.readouterr().out
    assert main([*compare, "--fail-on-new-survivors"]) == ExitCode.FAIL
    assert main([*compare, "--fail-on-new-survivors", "--markdown", "m.md"]) == ExitCode.FAIL
    assert "Newly surviving" in (folder / "m.md").read_text()
    assert main(["report", str(before), "--against", str(new), "--fail-on-new-survivors"]) == ExitCode.PASS


def test_the_history_beside_a_result_is_drawn(
    folder: Path, score: ScoreMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    report = score()
    leave(report, folder / "ci" / "result.json")
    for day, verdicts in enumerate((report.verdicts[:2], report.verdicts), 1):
        results.append(
            folder / "ci" / results.HISTORY,
            history_line(replace(report, began_at=f"2026-01-0{day}T00:00:00+00:00", verdicts=verdicts)),
        )
    assert main(["report", "ci/result.json", "--html", "page.html"]) == ExitCode.PASS
    assert "Score over the last 2 runs" in (folder / "page.html").read_text()
    capsys.readouterr()
    main(["report", "ci/result.json"])
    assert "last 2 runs ▁█" in capsys.readouterr().out


def test_colour_goes_where_colour_is_wanted(
    folder: Path, score: ScoreMaker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leave(score(), folder / "result.json")
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["report", "result.json"])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["report", "result.json"])
    assert "\x1b[" not in capsys.readouterr().out


def test_a_document_of_a_newer_tokproof_is_refused_by_name(
    folder: Path, score: ScoreMaker, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(score_json([score()], several=False))
    document["schema"]["version"] = 99
    (folder / "new.json").write_text(json.dumps(document))
    assert main(["report", "new.json"]) == ExitCode.USAGE
    assert "new.json has version 99 of tokproof-score" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["examples/github/action.yml", "examples/gitlab-ci.yml", "tox.ini"])
def test_the_recipes_for_ci_use_options_that_there_are(name: str) -> None:
    text = (Path(__file__).parents[3] / name).read_text("utf-8")
    commands = re.findall(r"\bol (?:\S+ )*?(score|report)\b((?:[^\n]|\\\n|\n {6,}--)*)", text)
    assert {command for command, _ in commands} == {"score", "report"}
    for command, rest in commands:
        known = {option for parameter in ol.commands[command].params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+\b", rest)) <= known
