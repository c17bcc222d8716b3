"""GPT-2's byte map: the frozen copy, and the three libraries from which it can be read afresh."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from harness.bytelevel.golden import read_golden
from harness.bytelevel.oracles.asking import attempt, library, require
from harness.bytelevel.oracles.interface import ByteMapOracle
from harness.bytelevel.vocab import gpt2_files, gpt2_vocabulary

GOLDEN_BYTE_MAP = "gpt2_byte_map.json"

BYTES_OUTSIDE_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""The 13 bytes that no UTF-8 text holds (Unicode Standard, table 3-7): a library fed with text hides them."""

PUBLISHED_CHARACTERS: Mapping[int, str] = {
    0x00: "\u0100",
    0x0A: "\u010a",
    0x20: "\u0120",
    0x21: "!",
    0x7E: "~",
    0xAD: "\u0143",
}
"""Spot checks that are not from our own table: the space, for one, opens the first merge of vocab.bpe."""


def gpt2_byte_map() -> dict[int, str]:
    """GPT-2's table, byte to character, from the frozen copy; DamagedGolden unless its digest holds."""
    entries: dict[str, str] = json.loads(read_golden(GOLDEN_BYTE_MAP))
    return {int(byte): character for byte, character in entries.items()}


class _ByteMap:
    """A byte map that was read from a library once."""

    def __init__(self, name: str, table: Mapping[int, str], alphabet: Iterable[str]) -> None:
        self.name = name
        self.version = importlib.metadata.version(name)
        self._table = dict(table)
        self._alphabet = frozenset(alphabet)

    def byte_map(self) -> dict[int, str]:
        return dict(self._table)

    def alphabet(self) -> frozenset[str]:
        return self._alphabet


def transformers_byte_map() -> ByteMapOracle:
    """Ask transformers, which publishes the table as a function: all 256 entries."""
    module = library("transformers", "transformers.convert_slow_tokenizer")
    table: dict[int, str] = attempt("transformers", "bytes_to_unicode()", module.bytes_to_unicode)
    return examine_byte_map(_ByteMap("transformers", table, table.values()))


def tokenizers_byte_map() -> ByteMapOracle:
    """Ask tokenizers' ByteLevel, which shows 243 entries, and the set of all 256 characters.

    `ByteLevel.alphabet()` is a set, without bytes. The pre-tokenizer shows the character of every byte that
    occurs in UTF-8. It takes text only, and the decoder turns each of the other 13 bytes
    (BYTES_OUTSIDE_UTF8) into the same U+FFFD; of those it can show no more than that, together, they have
    the 13 characters that are left.
    """
    byte_level = library("tokenizers", "tokenizers.pre_tokenizers").ByteLevel

    def read() -> dict[int, str]:
        pre_tokenizer = byte_level(add_prefix_space=False, use_regex=False)
        table: dict[int, str] = {}
        for text in texts_with_every_byte():
            characters = "".join(piece for piece, _ in pre_tokenizer.pre_tokenize_str(text))
            table.update(zip(text.encode(), characters, strict=True))
        return table

    table = attempt("tokenizers", "ByteLevel gives one character a byte", read)
    alphabet: list[str] = attempt("tokenizers", "ByteLevel.alphabet()", byte_level.alphabet)
    return examine_byte_map(_ByteMap("tokenizers", table, alphabet), outside=BYTES_OUTSIDE_UTF8)


def tiktoken_byte_map() -> ByteMapOracle:
    """Ask tiktoken's loader, by feeding it OpenAI's own files: all 256 entries.

    The loader keeps its table to itself and returns token bytes to rank. `encoder.json` has token strings
    to the same numbers; so the 256 tokens of one byte and the 256 strings of one character meet in their
    number.
    """
    module = library("tiktoken", "tiktoken.load")
    files = gpt2_files()
    character_of = {number: token for token, number in gpt2_vocabulary().items() if len(token) == 1}

    def read() -> dict[int, str]:
        ranks = module.data_gym_to_mergeable_bpe_ranks(str(files.vocab_bpe), str(files.encoder_json))
        return {token[0]: character_of[number] for token, number in ranks.items() if len(token) == 1}

    table = attempt("tiktoken", "the loader reads OpenAI's files", read)
    return examine_byte_map(_ByteMap("tiktoken", table, table.values()))


BYTE_MAP_ORACLES: Mapping[str, Callable[[], ByteMapOracle]] = {
    "transformers": transformers_byte_map,
    "tokenizers": tokenizers_byte_map,
    "tiktoken": tiktoken_byte_map,
}
"""Every source of the byte map, by distribution."""


def examine_byte_map(oracle: ByteMapOracle, *, outside: frozenset[int] = frozenset()) -> ByteMapOracle:
    """Return `oracle` if it is a byte map, bytes `outside` its reach apart; OracleRejected otherwise."""
    name, table, alphabet = oracle.name, oracle.byte_map(), oracle.alphabet()
    characters = set(table.values())
    published = {byte: table.get(byte) for byte in PUBLISHED_CHARACTERS}
    require(name, "bytes in the table", expected=set(range(256)) - outside, got=set(table))
    require(name, "distinct characters in the table", expected=256 - len(outside), got=len(characters))
    require(name, "characters in the alphabet", expected=256, got=len(alphabet))
    require(name, "characters outside the alphabet", expected=set(), got=characters - alphabet)
    require(name, "characters of published bytes", expected=PUBLISHED_CHARACTERS, got=published)
    return oracle


def texts_with_every_byte() -> Iterator[str]:
    """Yield one-character texts in which all 243 bytes of UTF-8 occur: each lead, each continuation byte."""
    yield from map(chr, range(0x800))
    yield from map(chr, range(0x800, 0xD800, 0x400))
    yield from map(chr, range(0xE000, 0x11_0000, 0x1000))
