"""`ol verify` on tokenizers that are right, wrong, dead, endless or greedy, in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from harness.bytelevel.conformance.domain import Effort
from harness.bytelevel.conformance.known import read_known
from harness.bytelevel.encodings import ENCODINGS, Encoding
from harness.bytelevel.oracles import OracleAbsent
from harness.bytelevel.vocab import MissingData, gpt2_files
from harness.errors import EngineError
from harness.records import ConformanceReport, Difference
from harness.subject.sandbox import strongest
from harness.verify.run import Wanted, verify
from harness.verify.target import Options, resolve
from tinyllm.tok.bpe import load_gpt2, save_tokenizer_json
from tinyllm.tok.bpe_files import write_ranks

pytestmark = pytest.mark.sandbox

HERE = Path(__file__).parent
SUBJECTS = HERE / "verify_subjects"
ROOT = HERE.parents[1]


@lru_cache
def gpt2() -> Encoding:
    try:
        return ENCODINGS["gpt2"]()
    except (MissingData, OracleAbsent) as problem:
        pytest.skip(str(problem))


def judged(name: str, *only: str, call_limit_s: float = 20.0, memory_mib: int = 4096) -> ConformanceReport:
    options = Options(paths=(SUBJECTS,), level=strongest(), call_limit_s=call_limit_s, memory_bytes=memory_mib << 20)
    target = resolve([f"python:faulty:{name}"], (), gpt2(), options)
    wanted = Wanted(effort=Effort.QUICK, known=read_known(), only=only)
    return verify(target, gpt2(), wanted)


def the_only(report: ConformanceReport) -> Difference:
    (found,) = report.faults
    return found


def test_a_right_tokenizer_is_equal() -> None:
    report = judged("Right", "bytes", "texts", "cases", "bad input", "state")
    assert report.is_equal, report.faults
    assert report.texts > 2000
    assert {part.name for part in report.parts} == {"bytes", "texts", "cases", "bad input", "state"}


def test_a_call_that_kills_the_process_is_found_shrunk_and_survived() -> None:
    report = judged("Dies", "texts", "bytes")
    found = the_only(report)
    assert found.call == "encode('\\xe9')"
    assert "signal 11" in found.got or "status 139" in found.got  # as bubblewrap says it
    assert report.deaths > 0
    assert next(part for part in report.parts if part.name == "bytes").differing == 0


def test_a_call_that_does_not_end_is_found() -> None:
    found = judged("Hangs", "scalars", call_limit_s=0.5).faults[0]
    assert found.call == "encode('\\xe9')"
    assert "no answer within 0.5 s" in found.got


def test_memory_without_measure_is_found() -> None:
    found = the_only(judged("Hogs", "scalars", memory_mib=2048))
    assert found.call == "encode('\\xe9')"
    assert "MemoryError" in found.got or "memory" in found.got


def test_what_it_prints_is_a_finding_and_breaks_nothing() -> None:
    found = the_only(judged("Prints", "texts"))
    assert found.call == "standard output"
    assert "encoding" in found.got


def test_a_result_that_its_caller_can_spoil_is_found() -> None:
    assert judged("Remembers", "state").faults[0].call.startswith("encode_changed(")


def test_a_negative_id_that_counts_from_the_end_is_found() -> None:
    assert any(one.call.startswith("decode([-1") for one in judged("Wraps", "bad input").faults)


@pytest.mark.parametrize(
    ("name", "part", "call", "mutant"),
    [
        ("NormalizesToNfc", "texts", "encode", "s28"),
        ("DecodesAlone", "ids", "decode", "s17"),
    ],
)
def test_a_fault_is_told_by_the_mutant_that_makes_it(name: str, part: str, call: str, mutant: str) -> None:
    found = the_only(judged(name, part))
    assert found.mutant == mutant
    assert found.call.startswith(call)
    assert found.count > 1


def test_a_state_between_calls_is_told_as_such() -> None:
    found = judged("KeepsBytes", "ids").faults
    assert any("keeps a state" in one.diagnosis and "--only ids" in one.replay for one in found), found


def test_an_error_on_a_text_is_found_without_a_diagnosis() -> None:
    found = the_only(judged("RaisesOn", "texts"))
    assert found.call == "encode('\\u4e2d')"
    assert "LookupError" in found.got
    assert found.diagnosis == ""


def test_floats_are_no_ids() -> None:
    found = judged("NotANumber", "bytes", "cases").faults[0]
    assert ".0" in found.got


def test_what_is_no_tokenizer_is_an_error_of_the_command() -> None:
    with pytest.raises(EngineError, match="has no encode"):
        judged("Nothing", "bytes")


# --- the command --------------------------------------------------------------------------------------------------


def ol(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "harness", "verify", *words]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)


SUBJECT = ("--path", str(SUBJECTS), "--effort", "quick")


def test_the_replay_command_shows_the_difference_again() -> None:
    run = ol("python:faulty:NormalizesToNfc", *SUBJECT, "--try", "encode('e\\u0301')")
    assert run.returncode == 1
    assert "normalizes text to NFC" in run.stdout
    assert ol("python:faulty:NormalizesToNfc", *SUBJECT, "--try", "encode('e')").returncode == 0


def test_json_is_one_document_and_the_badge_a_file(tmp_path: Path) -> None:
    badge = tmp_path / "badge.json"
    run = ol("python:faulty:Right", *SUBJECT, "--only", "bytes", "--json", "--badge", str(badge))
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert document["verdict"] == "equal"
    assert document["differences"] == []
    assert document["judge_s"] >= 0
    assert json.loads(badge.read_text())["message"].startswith("equals GPT-2: 50,257 tokens, ")


def test_a_badge_that_cannot_be_written_costs_a_note_and_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    run = ol("python:faulty:Right", *SUBJECT, "--only", "bytes", "--badge", str(tmp_path / "file" / "badge.json"))
    assert run.returncode == 0
    assert "badge.json" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_question_of_many_texts_is_cut_and_asked_again_with_its_part() -> None:
    (found,) = [one for one in judged("RefusesThreads", "state").differences if one.call.startswith("encode_threads")]
    assert (len(found.call), found.call[-3:]) == (300, "...")
    assert found.replay.endswith("--only state")


def test_lines_have_at_most_eighty_columns() -> None:
    run = ol("python:faulty:DecodesAlone", *SUBJECT, "--only", "ids")
    assert run.returncode == 1
    assert max(map(len, run.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("python:faulty:Right", "--encoding", "gpt5"), 64, "gpt5"),
        (("nosuch",), 64, "nosuch"),
        ((), 64, "one tokenizer"),
        (("a.json", "b.json"), 64, "a.json b.json"),
        (("nosuch.tiktoken",), 64, "nosuch.tiktoken"),
        (("python:faulty:Right", "--only", "everything"), 64, "everything"),
        (("python:faulty:Right", "--try", "print('a')"), 64, "print"),
        (("python:faulty:Right", "--python", "nosuch"), 64, "nosuch"),
        (("python:faulty:Right(x)",), 64, "(x)"),
        (("--", "nosuch-program"), 64, "nosuch-program"),
        (("--", "true"), 5, "died"),
        (("python:nosuch:Right",), 5, "nosuch"),
    ],
)
def test_bad_input_gets_one_clear_line(words: tuple[str, ...], code: int, says: str) -> None:
    run = ol(*words)
    assert run.returncode == code, run.stderr
    assert says in run.stderr
    assert "Traceback" not in run.stderr


def test_files_are_read_by_the_library_of_their_kind(tmp_path: Path) -> None:
    merges = gpt2_files().vocab_bpe
    ranks = tmp_path / "gpt2.tiktoken"
    write_ranks(ranks, gpt2().ids)
    document = tmp_path / "tokenizer.json"
    save_tokenizer_json(load_gpt2(gpt2_files().encoder_json, merges), document)
    for path in (merges, ranks, document):
        run = ol(str(path), "--effort", "quick", "--only", "bytes", "--only", "special tokens")
        assert run.returncode == 0, run.stdout + run.stderr


def test_a_file_without_its_last_line_is_found(tmp_path: Path) -> None:
    short = tmp_path / "vocab.bpe"
    short.write_bytes(gpt2_files().vocab_bpe.read_bytes().rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n")
    run = ol(str(short), "--effort", "quick", "--only", "tokens")
    assert run.returncode == 1
    assert "drops the last merge" in run.stdout
