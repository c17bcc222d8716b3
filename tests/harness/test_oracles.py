"""A library is believed only after a self-check, and its absence or refusal is told with the way out."""

import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import harness
from harness.bytelevel.oracles import (
    BYTE_MAP_ORACLES,
    BYTES_OUTSIDE_UTF8,
    GPT2_ORACLES,
    OracleAbsent,
    OracleRejected,
    examine_byte_map,
    examine_gpt2,
    gpt2_byte_map,
    oracle_of_transformers,
    tiktoken_byte_map,
    tiktoken_gpt2,
    tokenizers_gpt2,
    transformers_gpt2,
)
from harness.bytelevel.vocab import DATA_DIR_VARIABLE, MissingData, gpt2_files
from harness.errors import ExitCode

TEXTS = (
    "",
    "hello world",
    " two  spaces\n\n",
    "naïve café 春 \U0001f600",
    "can't  WE'LL 1234 <|endoftext|>",
    "\x00\x7f",
)


def library(name):
    """Skip the test, with the reason, where an optional library is not installed."""
    return pytest.importorskip(name, reason=f"{name} is not installed (extra `oracles`)")


@dataclass
class FakeByteMap:
    """An oracle that says what a test wants it to say."""

    table: dict
    name: str = "fake"
    version: str = "1"

    def byte_map(self):
        return dict(self.table)

    def alphabet(self):
        return frozenset(self.table.values())


@dataclass
class FakeGpt2:
    """What tiktoken's GPT-2, except for what a test spoils."""

    known: dict
    encoder: object
    name: str = "fake"
    version: str = "1"

    def token_bytes(self):
        return dict(self.known)

    def encode(self, text):
        return self.encoder(text)

    def decode_bytes(self, ids):
        return b"".join(self.known[token_id] for token_id in ids)


def test_a_tokenizer_of_transformers_that_is_silently_empty_is_rejected():
    """Release 5 ignores these arguments of release 4: its tokenizer encodes every text to nothing."""
    transformers = library("transformers")
    files = gpt2_files()
    empty = transformers.GPT2TokenizerFast(vocab_file=str(files.encoder_json), merges_file=str(files.vocab_bpe))
    if len(empty) > 1:
        pytest.skip(f"transformers {transformers.__version__} builds a whole tokenizer from the two file names")
    with pytest.raises(OracleRejected) as caught:
        oracle_of_transformers(empty)
    assert str(caught.value).startswith("transformers is no oracle here: tokens with known bytes: expected 50257, got ")
    assert caught.value.exit_code == ExitCode.ERROR


def rejected_byte_map(table):
    """The check that a byte map with this table fails."""
    with pytest.raises(OracleRejected) as caught:
        examine_byte_map(FakeByteMap(table))
    return caught.value.check


def test_a_byte_map_is_rejected_for_the_first_check_that_it_fails():
    table = gpt2_byte_map()
    missing = {byte: character for byte, character in table.items() if byte != 255}
    assert rejected_byte_map({}) == "bytes in the table"
    assert rejected_byte_map(missing) == "bytes in the table"
    assert rejected_byte_map({**table, 255: "A"}) == "distinct characters in the table"
    assert rejected_byte_map({byte: chr(byte) for byte in range(256)}) == "characters of published bytes"


def test_an_alphabet_that_lacks_a_character_of_the_table_is_rejected():
    oracle = FakeByteMap(gpt2_byte_map())
    oracle.alphabet = lambda: frozenset(map(chr, range(256)))
    with pytest.raises(OracleRejected, match="characters outside the alphabet"):
        examine_byte_map(oracle)


def rejected_gpt2(known, encoder):
    """The check that an oracle with these tokens and this encoder fails."""
    with pytest.raises(OracleRejected) as caught:
        examine_gpt2(FakeGpt2(known, encoder))
    return caught.value.check


def test_a_gpt2_is_rejected_for_the_first_check_that_it_fails():
    sound = tiktoken_gpt2()
    known = sound.token_bytes()
    every_byte_once = {token_id: known[token_id] for token_id in range(256)}
    right_on_published_texts = {text: sound.encode(text) for text in ("", "hello world", "<|endoftext|>")}
    assert rejected_gpt2(every_byte_once, sound.encode) == "tokens with known bytes"
    assert rejected_gpt2({**known, 50_256: b""}, sound.encode) == "bytes of id 50256"
    assert rejected_gpt2({**known, 0: b"\x01"}, sound.encode) == "bytes that are tokens"
    assert rejected_gpt2(known, lambda _: []) == "ids of 'hello world'"
    assert rejected_gpt2(known, lambda text: right_on_published_texts.get(text, [])) == (
        "round trip of a text with every byte of UTF-8"
    )


def test_a_library_that_raises_during_its_self_check_is_rejected_with_its_exception():
    def encoder(text):
        raise RuntimeError(text)

    with pytest.raises(OracleRejected, match=r"ids of '': expected 'no exception', got RuntimeError\(''\)"):
        examine_gpt2(FakeGpt2(tiktoken_gpt2().token_bytes(), encoder))


def test_the_message_of_a_rejection_stays_short_whatever_was_expected():
    rejection = OracleRejected("fake", "everything", "x" * 100_000, list(range(100_000)))
    assert len(str(rejection)) < 500
    assert len(rejection.got) == 100_000


def absent(construct):
    with pytest.raises(OracleAbsent) as caught:
        construct()
    return caught.value


def test_each_byte_map_without_its_library_says_which_one_to_install(monkeypatch):
    for module in ("transformers.convert_slow_tokenizer", "tokenizers.pre_tokenizers", "tiktoken.load"):
        monkeypatch.setitem(sys.modules, module, None)
    for name, construct in BYTE_MAP_ORACLES.items():
        assert absent(construct).remedy == f"python -m pip install {name}"


def test_each_gpt2_without_its_library_says_which_one_to_install(monkeypatch):
    for name, construct in GPT2_ORACLES.items():
        monkeypatch.setitem(sys.modules, name, None)
        assert absent(construct).remedy == f"python -m pip install {name}"


def test_without_the_files_of_gpt2_the_missing_data_are_reported_not_the_library(tmp_path, monkeypatch):
    (tmp_path / "encoder.json").write_text("{}")
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    for construct in (tiktoken_byte_map, tiktoken_gpt2):
        with pytest.raises(MissingData, match=r"encoder\.json is damaged"):
            construct()


def test_importing_the_oracles_imports_none_of_the_libraries():
    program = (
        "import sys, harness.bytelevel.oracles\n"
        "print(sorted({'tiktoken', 'tokenizers', 'transformers', 'hypothesis'} & set(sys.modules)))"
    )
    root = Path(harness.__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_):
        message = "a test that must not use the network tried to"
        raise AssertionError(message)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def tiktoken_forgets(monkeypatch):
    """What tiktoken keeps each encoding that it has built; here it has to build gpt2 again."""
    registry = pytest.importorskip("tiktoken.registry")
    monkeypatch.delitem(registry.ENCODINGS, "gpt2", raising=False)


def test_tiktoken_builds_gpt2_without_network_and_without_touching_the_users_cache(
    tmp_path, monkeypatch, no_network, tiktoken_forgets
):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert tiktoken_gpt2().encode("hello world") == [31373, 995]
    assert list(tmp_path.iterdir()) == []


def test_transformers_agrees_with_tiktoken_on_every_token_and_on_sample_texts():
    library("transformers")
    mine, other = transformers_gpt2(), tiktoken_gpt2()
    assert mine.token_bytes() == other.token_bytes()
    assert [mine.encode(text) for text in TEXTS] == [other.encode(text) for text in TEXTS]


def test_tokenizers_agrees_with_tiktoken_on_every_token_that_it_can_show_and_on_sample_texts():
    library("tokenizers")
    mine, other = tokenizers_gpt2(), tiktoken_gpt2()
    hidden = {token_id: token for token_id, token in other.token_bytes().items() if set(token) & BYTES_OUTSIDE_UTF8}
    assert mine.token_bytes().items() == other.token_bytes().items() - hidden.items()
    assert [mine.encode(text) for text in TEXTS] == [other.encode(text) for text in TEXTS]


def test_decoding_gives_back_the_bytes_of_the_text():
    oracle = tiktoken_gpt2()
    assert [oracle.decode_bytes(oracle.encode(text)) for text in TEXTS] == [text.encode() for text in TEXTS]


def test_an_id_outside_the_vocabulary_is_a_key_error():
    with pytest.raises(KeyError, match="50257"):
        tiktoken_gpt2().decode_bytes([50_257])
