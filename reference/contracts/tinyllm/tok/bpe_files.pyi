"""The files of published vocabularies as plain data; nothing here encodes text. `bpe.py` is built on it.

A token is written in GPT-2's alphabet wherever it is a str. Files are UTF-8 on every machine. Whatever a file says
wrongly is a ValueError that names the file, the line or the key, and the value.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

PathLike: TypeAlias = str | os.PathLike[str]
Pair: TypeAlias = tuple[str, str]

GPT2_SPLIT: str

@dataclass(frozen=True, slots=True)
class Split:
    """A step of pre-tokenization: cut each piece by a pattern of the `regex` package.

    keep: which parts go on, what the pattern matches, what lies between, or both; empty parts never go on.
    """

    pattern: str
    keep: Literal["matches", "gaps", "both"] = "matches"

@dataclass(frozen=True, slots=True)
class PrefixSpace:
    """A step of pre-tokenization: put a space before each piece that does not begin with one."""

Step: TypeAlias = Split | PrefixSpace

@dataclass(frozen=True, slots=True)
class AddedToken:
    """A text with an id of its own. Special ones match only where the caller allows it; the others always.

    normalized: looked for only in what the tokens that are not normalized leave over.
    """

    text: str
    id: int
    special: bool = False
    normalized: bool = False

@dataclass(frozen=True, slots=True)
class TokenizerData:
    """Everything that makes a byte-level BPE tokenizer, as data; merges are in order of rank."""

    vocabulary: dict[str, int]
    merges: list[Pair]
    added: tuple[AddedToken, ...] = ()
    steps: tuple[Step, ...] = ...
    trim_offsets: bool = False

def read_vocabulary(path: PathLike) -> dict[str, int]:
    """Read an encoder.json: a JSON object from token to id, ids distinct integers from 0 up, gaps allowed."""

def read_merges(path: PathLike, vocabulary: Mapping[str, int]) -> list[Pair]:
    """Read a vocab.bpe in order of rank; both tokens of a merge and what they make are in vocabulary."""

def check_id(number: object, where: str) -> None:
    """Raise ValueError, beginning with where, unless number is an int from 0 up (no bool)."""

def read_ranks(path: PathLike) -> dict[bytes, int]:
    """Read a tiktoken file: token to rank, both distinct."""

def merges_of_ranks(ranks: Mapping[bytes, int]) -> list[Pair]:
    """Recover the merges of a rank file, in order of rank; a token that no pair reaches has none."""

def spell(token: bytes, table: Mapping[int, str]) -> str:
    """Write token in the alphabet of table, which is a byte map."""

def write_ranks(path: PathLike, ranks: Mapping[bytes, int]) -> None:
    """Write a tiktoken file, in order of rank."""

def read_tokenizer_json(path: PathLike) -> TokenizerData:
    """Read a byte-level BPE from a tokenizer.json; what is not understood is refused by its name."""

def check_dialect(pattern: str, where: str) -> None:
    """Raise ValueError, beginning with where, unless pattern means the same to Oniguruma and to `regex`."""

def write_tokenizer_json(path: PathLike, data: TokenizerData) -> None:
    """Write a tokenizer.json from which Hugging Face gives the same ids; ValueError for steps that it cannot say."""
