"""The doctor looks at everything that a verdict rests on, and goes on after what it finds."""

import importlib.metadata
import sys

import pytest

from harness import doctor
from harness.bytelevel import golden, vocab
from harness.bytelevel.golden import DamagedGolden
from harness.bytelevel.oracles import BYTE_MAP_ORACLES, GPT2_ORACLES, OracleRejected
from harness.doctor import examine
from harness.records import Finding, State
from harness.subject import sandbox
from harness.subject.sandbox import Level

ORACLES = [
    *(f"oracle {name}: byte map" for name in BYTE_MAP_ORACLES),
    *(f"oracle {name}: gpt2" for name in GPT2_ORACLES),
]


def findings():
    return {finding.name: finding for finding in examine()}


def test_every_part_has_one_finding_in_a_fixed_order():
    names = [finding.name for finding in examine()]
    files = ["GPT-2 encoder.json", "GPT-2 vocab.bpe", "golden byte map"]
    levels = [f"isolation L{level}" for level in range(6)]
    assert names == ["python", *doctor.LIBRARIES, *files, *ORACLES, *levels]


def test_where_all_is_well_nothing_has_a_remedy():
    for name in doctor.LIBRARIES:
        pytest.importorskip(name, reason=f"{name} is not installed, so not all is well")
    found = [finding for finding in examine() if not finding.name.startswith("isolation")]
    assert {(finding.state, finding.remedy) for finding in found} == {(State.OK, "")}


def test_a_level_that_does_not_hold_is_told_with_what_is_lost(monkeypatch):
    absent = sandbox.Probe(Level.L4, sandbox.State.ABSENT, "no Landlock here", "a subject can read every file")
    monkeypatch.setattr(sandbox, "probe", lambda: (absent,))
    assert findings()["isolation L4"] == Finding(
        "isolation L4", State.ABSENT, "no Landlock here", "without it a subject can read every file"
    )


def test_a_library_is_reported_with_its_version():
    assert findings()["hypothesis"] == Finding("hypothesis", State.OK, importlib.metadata.version("hypothesis"))


def test_a_library_that_is_not_installed_is_absent_with_the_way_to_install_it(monkeypatch):
    monkeypatch.setattr(doctor, "LIBRARIES", ("a-library-that-nobody-wrote",))
    assert findings()["a-library-that-nobody-wrote"] == Finding(
        "a-library-that-nobody-wrote",
        State.ABSENT,
        "not installed",
        "python -m pip install a-library-that-nobody-wrote",
    )


def test_an_oracle_whose_library_cannot_be_imported_is_absent_and_the_others_are_still_examined(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers.pre_tokenizers", None)
    found = findings()
    assert found["oracle tokenizers: byte map"].state == State.ABSENT
    assert found["oracle tokenizers: byte map"].remedy == "python -m pip install tokenizers"
    assert found["oracle tiktoken: gpt2"].state == State.OK


def test_damaged_data_are_damaged_and_so_is_every_oracle_that_needs_them(tmp_path, monkeypatch):
    (tmp_path / "vocab.bpe").write_text("#version: 0.2\n")
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    found = findings()
    assert found["GPT-2 vocab.bpe"].state == State.DAMAGED
    assert found["GPT-2 encoder.json"].state == State.OK
    assert found["oracle tiktoken: gpt2"].state == State.DAMAGED
    assert vocab.DATA_DIR_VARIABLE in found["oracle tiktoken: gpt2"].remedy


def test_data_that_are_nowhere_are_absent(monkeypatch):
    monkeypatch.delenv(vocab.DATA_DIR_VARIABLE, raising=False)
    monkeypatch.setattr(vocab, "PACKAGED", {})
    assert findings()["GPT-2 vocab.bpe"].state == State.ABSENT


def test_a_frozen_table_that_was_changed_is_damaged(monkeypatch):
    def damaged():
        raise DamagedGolden(golden.FOLDER, "it was changed")

    monkeypatch.setattr(doctor, "gpt2_byte_map", damaged)
    finding = findings()["golden byte map"]
    assert (finding.state, golden.COMMAND in finding.remedy) == (State.DAMAGED, True)


def test_an_oracle_that_fails_its_self_check_is_rejected_with_what_it_said(monkeypatch):
    name = "fake"

    def rejected():
        raise OracleRejected(name, "size", 50_257, 1)

    monkeypatch.setattr(doctor, "GPT2_ORACLES", {name: rejected})
    finding = findings()["oracle fake: gpt2"]
    assert finding.state == State.REJECTED
    assert finding.detail == "fake is no oracle here: size: expected 50257, got 1"
    assert finding.remedy == "try another version: python -m pip install --upgrade fake"
