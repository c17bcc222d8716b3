"""The two small vocabularies of the tests of L1.2, read once a process; `make_vocabularies` says what they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.bytelevel.golden import FOLDER, read_golden

HERE = FOLDER / "vocabularies"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-level BPE as data: nobody changes it."""

    ids: dict[str, int]
    """Token, written in GPT-2's alphabet, to id."""
    merges: list[tuple[str, str]]
    """In order of rank."""


@lru_cache
def gpt2_slice() -> Vocabulary:
    """Part of GPT-2's vocabulary, with GPT-2's ids and so with gaps; `<|endoftext|>` is in it."""
    document = json.loads(read_golden("gpt2_slice.json", folder=HERE))
    return Vocabulary(document["vocabulary"], [_pair(line) for line in document["merges"]])


def smol_tokenizer_json() -> Path:
    """Path of the synthetic `tokenizer.json`; DamagedGolden unless it is what it was made to be."""
    read_golden("smol_tokenizer.json", folder=HERE)
    return HERE / "smol_tokenizer.json"


def byte_ids() -> dict[str, int]:
    """The 256 one-byte tokens, numbered as in GPT-2: a base for toy vocabularies, new each time."""
    alphabet: dict[str, str] = json.loads(read_golden("gpt2_byte_map.json"))
    return {token: number for number, token in enumerate(sorted(alphabet.values()))}


def _pair(line: str) -> tuple[str, str]:
    left, _, right = line.partition(" ")
    return left, right
