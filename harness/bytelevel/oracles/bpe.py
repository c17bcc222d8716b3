"""What judges a byte-level BPE: a plain model of the merge loop, tiktoken and tokenizers over any vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import regex

from harness.bytelevel.oracles.asking import attempt, library, require
from harness.bytelevel.oracles.byte_maps import gpt2_byte_map
from harness.bytelevel.oracles.gpt2 import GPT2_END_OF_TEXT, GPT2_END_OF_TEXT_ID
from harness.bytelevel.oracles.ids import LibraryIds
from harness.bytelevel.oracles.interface import IdOracle
from harness.bytelevel.small_vocabularies import gpt2_slice
from harness.bytelevel.vocab import CL100K_BASE, O200K_BASE, PublishedFile, tiktoken_cache

# --- the rule, written down ---------------------------------------------------------------------------------------


def merged(symbols: Sequence[str], merges: Sequence[tuple[str, str]]) -> list[str]:
    """Merge as the official loop does: the known pair of lowest rank, every occurrence from the left, and again.

    Slow on purpose: each round looks at everything.
    """
    word = list(symbols)
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while True:
        known = [pair for pair in pairwise(word) if pair in ranks]
        if not known:
            return word
        best = min(known, key=lambda pair: ranks[pair])
        after: list[str] = []
        place = 0
        while place < len(word):
            if tuple(word[place : place + 2]) == best:
                after.append(word[place] + word[place + 1])
                place += 2
            else:
                after.append(word[place])
                place += 1
        word = after


@lru_cache
def gpt2_pattern() -> str:
    """GPT-2's pattern in the spelling of the installed tiktoken, which is not OpenAI's first one."""
    found: str = library("tiktoken", "tiktoken_ext.openai_public").r50k_pat_str
    pieces = regex.findall(found, "I'll  say 'S 12\u0663!\n\n x ")
    expected = ["I", "'ll", " ", " say", " '", "S", " 12\u0663", "!", "\n\n", " x", " "]
    require("tiktoken", "pieces by r50k_pat_str", expected=expected, got=pieces)
    return found


def gpt2_pieces(text: str) -> list[str]:
    """Cut `text` as GPT-2 does: tiktoken's pattern, run by `regex`."""
    pieces: list[str] = regex.findall(gpt2_pattern(), text)
    return pieces


# --- tiktoken -----------------------------------------------------------------------------------------------------


def tiktoken_over(vocabulary: Mapping[str, int], special: Mapping[str, int], *, pattern: str | None = None) -> IdOracle:
    """Let tiktoken encode with a vocabulary written in GPT-2's alphabet, whose ids are in the order of its merges.

    `special` are the tokens that are not ordinary; `pattern` is GPT-2's where None.
    """
    module = library("tiktoken", "tiktoken")
    byte_of = {character: byte for byte, character in gpt2_byte_map().items()}
    ranks = {
        bytes(byte_of[character] for character in token): number
        for token, number in vocabulary.items()
        if token not in special
    }
    encoding = attempt(
        "tiktoken",
        "Encoding over given ranks",
        lambda: module.Encoding(
            "given",
            pat_str=gpt2_pattern() if pattern is None else pattern,
            mergeable_ranks=ranks,
            special_tokens=dict(special),
        ),
    )
    token_bytes = {number: token for token, number in ranks.items()}
    token_bytes |= {number: text.encode("utf-8") for text, number in special.items()}
    return _examined(LibraryIds("tiktoken", encoding.encode_ordinary, token_bytes))


@lru_cache
def tiktoken_slice() -> IdOracle:
    """Build tiktoken over the slice of GPT-2 that the tests of L1.2 use."""
    return tiktoken_over(gpt2_slice().ids, {GPT2_END_OF_TEXT: GPT2_END_OF_TEXT_ID})


PUBLISHED: Mapping[str, PublishedFile] = {"cl100k_base": CL100K_BASE, "o200k_base": O200K_BASE}
"""tiktoken's encodings whose ranks are one file, by name."""

_PUBLISHED_IDS: Mapping[str, tuple[str, list[int]]] = {
    "cl100k_base": ("\u3000\u3000a", [23249, 23249, 64]),
    "o200k_base": ("test token", [3190, 6602]),
}


def tiktoken_published(name: str) -> IdOracle:
    """Load an encoding of `PUBLISHED` from its verified file, without the network; MissingData where it is absent."""
    encoding = published_encoding(name)
    token_bytes = {rank: token for token, rank in encoding._mergeable_ranks.items()}
    token_bytes |= {rank: text.encode() for text, rank in encoding._special_tokens.items()}
    oracle = LibraryIds("tiktoken", encoding.encode_ordinary, token_bytes)
    text, ids = _PUBLISHED_IDS[name]
    require("tiktoken", f"{name}: ids of {text!r}", expected=ids, got=oracle.encode(text))
    return _examined(oracle)


def published_encoding(name: str) -> Any:
    """Tiktoken's own object, for its pattern and special tokens; typed no closer, as in `library`."""
    module = library("tiktoken", "tiktoken")
    with tiktoken_cache(PUBLISHED[name]):
        return attempt("tiktoken", f"get_encoding({name!r})", lambda: module.get_encoding(name))


# --- tokenizers ---------------------------------------------------------------------------------------------------


def tokenizers_of_file(path: Path) -> Callable[[str], list[int]]:
    """What tokenizers encodes with a `tokenizer.json`: text to ids, special tokens in it recognised.

    It is no `IdOracle`: bytes that the vocabulary lacks vanish, so that nothing need decode to its text.
    """
    module = library("tokenizers", "tokenizers")
    tokenizer = attempt("tokenizers", f"Tokenizer.from_file({path})", lambda: module.Tokenizer.from_file(str(path)))
    require("tokenizers", "ids of the empty text", expected=[], got=tokenizer.encode("").ids)

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    single = tokenizer.get_vocab().get("a")
    require("tokenizers", "ids of 'a'", expected=[single], got=encode("a"))
    return encode


# --- self-check ---------------------------------------------------------------------------------------------------

_ROUND_TRIPS = (
    "",
    "hello world",
    "  na\u00efve caf\u00e9 \u6625 \U0001f600 12\u0663\n\n",
    "".join(map(chr, range(256))),
)


def _examined(oracle: LibraryIds) -> IdOracle:
    """The oracle, if what it encodes decodes to the text."""
    for text in _ROUND_TRIPS:
        check = f"round trip of {text!r}"
        got = attempt(oracle.name, check, partial(_round_trip, oracle, text))
        require(oracle.name, check, expected=text.encode("utf-8"), got=got)
    return oracle


def _round_trip(oracle: LibraryIds, text: str) -> bytes:
    return oracle.decode_bytes(oracle.encode(text))
