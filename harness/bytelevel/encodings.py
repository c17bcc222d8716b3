"""The published encodings that a tokenizer can be held to, each as a self-checked oracle knows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import regex

from harness.bytelevel.oracles import (
    GPT2_END_OF_TEXT,
    GPT2_END_OF_TEXT_ID,
    PUBLISHED,
    IdOracle,
    gpt2_pattern,
    published_encoding,
    tiktoken_gpt2,
    tiktoken_published,
)
from harness.bytelevel.oracles.asking import library
from harness.bytelevel.vocab import GPT2_ENCODER_JSON, GPT2_VOCAB_BPE, PublishedFile

_OPENAI_FIRST = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""GPT-2's pattern as OpenAI first spelled it; tiktoken's spelling says the same in another way."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """One published encoding, as an oracle knows it."""

    name: str
    title: str
    """What people call it."""
    oracle: IdOracle
    pattern: str
    """How text is cut, in the syntax of `regex`."""
    oracle_pattern: str
    """The same in the spelling of the oracle's own engine."""
    special: Mapping[str, int]
    files: tuple[PublishedFile, ...]
    token_bytes: Mapping[int, bytes]
    """Id to bytes, special tokens included."""
    size: int
    """The highest id plus one."""
    ids: Mapping[bytes, int] = field(repr=False)
    """Bytes to id of the ordinary tokens."""

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, in which a special token is ordinary text."""
        return self.oracle.encode(text)

    def encode_special(self, text: str) -> list[int]:
        """Ids of `text`, in which special tokens are recognised, the longest first."""
        ids: list[int] = []
        done = 0
        longest_first = "|".join(map(regex.escape, sorted(self.special, key=len, reverse=True)))
        for match in regex.finditer(longest_first, text):
            ids += self.encode(text[done : match.start()])
            ids.append(self.special[match.group()])
            done = match.end()
        return ids + self.encode(text[done:])

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Bytes of `ids`, joined; KeyError for an id that no token has."""
        return b"".join([self.token_bytes[number] for number in ids])

    def decode(self, ids: Iterable[int]) -> str:
        """Text of `ids`: their bytes are joined, then decoded once, what is no UTF-8 replaced."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def stream(self, ids: Sequence[int]) -> list[str]:
        """What each id completes, as early as the bytes allow, and what is left at the end."""
        import codecs

        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return [*(decoder.decode(self.token_bytes[number]) for number in ids), decoder.decode(b"", final=True)]

    def with_offsets(self, text: str) -> list[list[int]]:
        """Id, start and end of each token of `text`, in characters: a token covers each character it has a part of."""
        starts = [place for place, character in enumerate(text) for _ in character.encode("utf-8")]
        found, done = [], 0
        for number in self.encode(text):
            after = done + len(self.token_bytes[number])
            found.append([number, starts[done], starts[after - 1] + 1])
            done = after
        return found

    def pieces(self, text: str) -> list[str]:
        """How `text` is cut, by `regex`."""
        found: list[str] = regex.findall(self.pattern, text)
        return found


def _gpt2() -> Encoding:
    oracle = tiktoken_gpt2()
    return _encoding(
        "gpt2",
        "GPT-2",
        oracle,
        (GPT2_ENCODER_JSON, GPT2_VOCAB_BPE),
        pattern=_OPENAI_FIRST,
        oracle_pattern=gpt2_pattern(),
        special={GPT2_END_OF_TEXT: GPT2_END_OF_TEXT_ID},
    )


def _published(name: str) -> Callable[[], Encoding]:
    def load() -> Encoding:
        oracle = tiktoken_published(name)
        theirs = published_encoding(name)
        return _encoding(
            name,
            name,
            oracle,
            (PUBLISHED[name],),
            pattern=theirs._pat_str,
            oracle_pattern=theirs._pat_str,
            special=dict(theirs._special_tokens),
        )

    return load


def _encoding(name: str, title: str, oracle: IdOracle, files: tuple[PublishedFile, ...], **rest: Any) -> Encoding:
    token_bytes = oracle.token_bytes()
    special = set(rest["special"].values())
    ids = {token: number for number, token in token_bytes.items() if number not in special}
    return Encoding(
        name, title, oracle, files=files, token_bytes=token_bytes, size=max(token_bytes) + 1, ids=ids, **rest
    )


ENCODINGS: Mapping[str, Callable[[], Encoding]] = {
    "gpt2": _gpt2,
    "cl100k_base": _published("cl100k_base"),
    "o200k_base": _published("o200k_base"),
}
"""By name; each raises MissingData, OracleAbsent or OracleRejected where it cannot be had or believed."""


def merger(encoding: Encoding, *, without: Collection[bytes] = ()) -> Callable[[bytes], list[int]]:
    """The merging of one encoding without its pattern, and without some tokens: one piece to ids, by tiktoken."""
    module = library("tiktoken", "tiktoken")
    ranks = {token: number for token, number in encoding.ids.items() if token not in without}
    made = module.Encoding("pieces", pat_str=r"(?s:.+)", mergeable_ranks=ranks, special_tokens={})
    merge: Callable[[bytes], list[int]] = made._encode_single_piece
    return merge
