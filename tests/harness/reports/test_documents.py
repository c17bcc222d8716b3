"""Result documents: what a run leaves, and that it comes back as it was or is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import results
from harness.cli import main
from harness.course import Course
from harness.errors import ExitCode, UsageError
from harness.records import CheckReport, Report, Status
from harness.reports.check_report import check_json
from harness.reports.history import history_line, past_runs
from harness.reports.json_report import score_json
from harness.reports.read_document import read_document

TINY = Path(__file__).parents[1] / "courses" / "tiny"
ScoreMaker = Callable[..., Report]
CheckMaker = Callable[..., CheckReport]


def read(document: object) -> Report | CheckReport:
    return read_document(json.dumps(document), where="result.json")


def test_a_score_comes_back_from_its_document_as_it_was(score: ScoreMaker) -> None:
    report = score()
    assert read_document(score_json([report], several=False), where="x") == report


def test_a_check_comes_back_from_its_document_as_it_was(check: CheckMaker) -> None:
    report = check()
    assert read_document(check_json(report), where="x") == report


def test_text_that_no_file_could_hold_comes_back_too(score: ScoreMaker) -> None:
    report = score(lambda text: f"{text}\ud800\x00\u202e")
    text = score_json([report], several=False)
    assert text.isascii()
    assert read_document(text, where="x") == report


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one.clear(), "schema is missing"),
        (lambda one: one.update(schema="tokproof-score"), "schema must be an object"),
        (lambda one: one["schema"].update(name="junit"), "its schema is 'junit'"),
        (
            lambda one: one["schema"].update(version=2),
            "version 2 of tokproof-score; this tokproof reads versions up to 1",
        ),
        (lambda one: one["schema"].update(version=True), "schema.version must be a whole number"),
        (lambda one: one.update(modules=[]), "holds several results"),
        (lambda one: one.pop("mutants"), "mutants is missing"),
        (lambda one: one.update(seed="7"), 'seed must be a whole number that is not negative, not "7"'),
        (lambda one: one.update(elapsed_s=float("nan")), "elapsed_s must be a number of seconds, not NaN"),
        (lambda one: one.update(complete=1), "complete must be true or false, not 1"),
        (lambda one: one["mutants"][2].update(status="slain"), "mutants[2].status must be one of killed, survived"),
        (lambda one: one["mutants"][0]["killed_by"].append(3), "mutants[0].killed_by[1] must be text, not 3"),
        (lambda one: one["mutants"].append(None), "mutants[9] must be an object, not null"),
        (lambda one: one["catalog"][1].update(line=-1), "catalog[1].line must be a whole number that is not negative"),
        (lambda one: one["search"]["pairs"][0].update(examples=[1.5]), "search.pairs[0].examples[0] must be a whole"),
    ],
)
def test_what_is_no_document_is_refused_with_the_place(
    score: ScoreMaker, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    document = json.loads(score_json([score()], several=False))
    change(document)
    with pytest.raises(UsageError) as refused:
        read(document)
    assert str(refused.value).startswith("result.json")
    assert said in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"schema": 1e999}'])
def test_what_is_not_even_an_object_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"result\.json"):
        read_document(text, where="result.json")


def test_a_cause_of_a_test_that_the_document_does_not_have_is_refused(check: CheckMaker) -> None:
    document = json.loads(check_json(check()))
    document["causes"][0]["tests"] = ["test_of_nobody"]
    with pytest.raises(UsageError, match=r"causes\[0\]"):
        read(document)


def test_keys_of_a_newer_release_are_passed_over(score: ScoreMaker) -> None:
    document = json.loads(score_json([score()], several=False)) | {"new": 1}
    assert read(document) == score()


# --- what the commands leave


def test_a_score_leaves_its_document_and_a_line_of_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert main(["--course", str(TINY), "score", "T1", "--no-generated", "--json"]) == ExitCode.PASS
        printed = capsys.readouterr().out
    folder = tmp_path / results.FOLDER
    assert (folder / "score-T1.json").read_text() == printed
    report = read_document(printed, where="x")
    assert isinstance(report, Report)
    assert (report.complete, report.planned, report.profile, report.isolation) == (True, 3, "tokproof-score", "none")
    assert {entry.path.as_posix() for entry in report.catalog} == {"tests/T1/test_double.py"}
    assert set(report.digests) == {"reference", "tests", "mutants"}
    history = (folder / results.HISTORY).read_text()
    assert history.count("\n") == 2
    runs = past_runs(history, report)
    assert [(run.module, run.score_percent, run.complete) for run in runs] == [("T1", 100.0, True)] * 2


def test_explain_adds_to_each_kill_what_a_person_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--course", str(TINY), "score", "T1", "--explain", "--out", "here.json"]) == ExitCode.PASS
    assert "input     double(" in capsys.readouterr().out
    report = read_document((tmp_path / "here.json").read_text(), where="x")
    assert isinstance(report, Report)
    killed = {one.mutant.id: one for one in report.verdicts if one.status is Status.KILLED}
    assert all(one.counterexample is not None and not one.flaky for one in killed.values())
    seen = killed["s01"].counterexample
    assert seen is not None
    assert (seen.test, seen.input) == (killed["s01"].killed_by[0], "double(3)")
    assert (seen.expected, seen.got) == ("6", "9")
    shrunk = [one.counterexample for one in killed.values() if one.killed_by[0] == "test_halving_undoes_doubling"]
    assert {one.input for one in shrunk if one is not None} == {"halve(double(0))", "halve(double(1))"}
    # The command that is shown does show this kill again, alone.
    assert seen.replay == f"ol --course {TINY} score T1 --only s01 --explain"
    assert main([*seen.replay.split()[1:], "--json"]) == ExitCode.PASS
    again = json.loads(capsys.readouterr().out)
    assert [one["counterexample"]["input"] for one in again["mutants"] if one["tier"] != "wheat"] == [seen.input]
    assert not (tmp_path / results.FOLDER / "score-T1.json").exists()


def test_only_names_mutants_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--course", str(TINY), "score", "T1", "--only", "s02"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert ("no mutant is called 's02'" in said, "did you mean" in said) == (True, True)


@pytest.mark.parametrize("options", [["--out", "x.json"], ["--only", "s01"]])
def test_all_leaves_a_result_for_each_module_and_cannot_be_told_otherwise(options: list[str]) -> None:
    assert main(["--course", str(TINY), "score", "--all", *options]) == ExitCode.USAGE


def test_a_place_that_cannot_be_written_is_a_note_and_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ol").write_text("a file where the folder would be")
    assert main(["--course", str(TINY), "score", "T1", "--no-generated"]) == ExitCode.PASS
    said = capsys.readouterr().err
    assert "the result was not left in .ol/results/score-T1.json: Not a directory" in said
    assert "history.jsonl cannot be written" in said


def test_a_result_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "deep" / "result.json"
    results.write(place, "one")
    monkeypatch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError("no")))
    with pytest.raises(OSError, match="no"):
        results.write(place, "two")
    assert [(path.name, path.read_text()) for path in place.parent.iterdir()] == [("result.json", "one")]


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    results.write(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    results.write(link, "through")
    assert (link.is_symlink(), (tmp_path / "target").read_text()) == (True, "through")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_what_it_had_and_says_so(
    tmp_path: Path, tiny: Course, number: signal.Signals
) -> None:
    slow, reached = tmp_path / "slow", tmp_path / "reached"
    slow.mkdir()
    text = (tiny.reference / "tinypkg" / "double.py").read_text()
    wait = f"    __import__('pathlib').Path({str(reached)!r}).touch()\n    __import__('time').sleep(0.05)\n"
    for index in range(8):
        changed = text.replace("    if number < 0:", f"{wait}    if number < -{index}:")
        assert changed != text
        (slow / f"slow{index}.py").write_text(changed)
    command = [sys.executable, "-m", "harness", "--course", str(tiny.root), "score", "T1", "--no-generated", "-j", "1"]
    run = subprocess.Popen(
        [*command, "--mutants", str(slow), "--json"],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts the tests in the background has them ignore Ctrl-C, and what they start with them.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    give_up = time.monotonic() + 60
    while not reached.exists() and time.monotonic() < give_up:
        time.sleep(0.02)
    run.send_signal(number)
    printed, said = run.communicate(timeout=60)
    assert (run.returncode, said.strip()) == (130, "ol: interrupted")
    report = read_document(printed, where="x")
    assert isinstance(report, Report)
    assert not report.complete
    assert 0 < len(report.verdicts) < report.planned == 11
    assert not any(one.status in (Status.CRASHED, Status.ERROR) for one in report.verdicts)
    assert (tmp_path / results.FOLDER / "score-T1.json").read_text() == printed


# --- the history


def test_history_draws_the_runs_of_one_module_up_to_the_report(score: ScoreMaker) -> None:
    report = score()
    lines = [
        history_line(replace(report, began_at=f"2026-01-0{day}T00:00:00+00:00", verdicts=report.verdicts[:3]))
        for day in (2, 1, 9)
    ]
    other = history_line(replace(report, module=replace(report.module, id="T2"), began_at="2025"))
    damaged = [
        "",
        "{",
        "[]",
        '{"score": null}',
        lines[0].replace("66.6", "-66.6"),
        lines[0].replace("66.66", "1e999, 66"),
    ]
    runs = past_runs("\n".join([*lines, other, *damaged]), report)
    assert [(run.began_at[:10], round(run.score_percent)) for run in runs] == [("2026-01-01", 67), ("2026-01-02", 67)]


# --- ol check


def test_a_check_leaves_its_document_below_the_students_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    student = tmp_path / "student"
    course = ["--course", str(TINY)]
    assert main([*course, "start", "T1", "--at", str(student)]) == ExitCode.PASS
    capsys.readouterr()
    assert main([*course, "check", "T1", "--at", str(student), "--json"]) == ExitCode.NOTHING
    printed = capsys.readouterr().out
    assert (student / results.FOLDER / "check-T1.json").read_text() == printed
    report = read_document(printed, where="x")
    assert isinstance(report, CheckReport)
    assert (report.verdict, report.profile) == ("not_started", "tokproof-check")
    code = (TINY / "reference" / "tinypkg" / "double.py").read_text()
    (student / "python" / "tinypkg" / "double.py").write_text(code.replace("number * STEP", "number + 1"))
    assert main([*course, "check", "T1", "--at", str(student), "--out", "mine.json"]) == ExitCode.FAIL
    report = read_document((tmp_path / "mine.json").read_text(), where="x")
    assert isinstance(report, CheckReport)
    assert set(report.digests) == {"reference", "tests", "submission"}
    failed = [test for test in report.tests if test.status == "fail"]
    assert failed
    assert all(test.got and test.replay and test.entry.line for test in failed)
    assert main(["report", "mine.json", "--html", "p.html", "--junit", "j.xml", "--markdown", "m.md"]) == ExitCode.PASS
    assert failed[0].entry.name in (tmp_path / "p.html").read_text()
