"""What a tokenizer is asked: calls in a fixed order, the same on every run.

A question is a function's name and one argument; the expected answer follows from the encoding alone
(`truth.expected`). Nothing here knows who is asked.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from harness.bytelevel import bpe_strategies
from harness.bytelevel.encodings import Encoding

SEED_OF_TEXTS = 20190214


class Effort(StrEnum):
    """How much is tried."""

    FULL = "full"
    """Every token, byte and scalar value, and 20,000 texts."""
    QUICK = "quick"
    """Every token and byte, every 61st scalar value and those that tell, and 2,000 texts: for slow tokenizers."""


_TEXTS = {Effort.FULL: 20_000, Effort.QUICK: 2_000}
_STEP = {Effort.FULL: 1, Effort.QUICK: 61}
_AT_ONCE = 32_768


@dataclass(frozen=True, slots=True)
class Part:
    """Questions of one kind."""

    name: str
    what: str
    """What is tried, in words that a report prints."""
    questions: Callable[[], Iterator[tuple[str, Sequence[Any]]]]
    """Yields a function and many arguments for it, again and again."""
    whole: bool = False
    """Whether this is all there is, so that a pass is a proof."""


PART_NAMES = ("tokens", "bytes", "scalars", "scalars before 's", "texts", "special tokens", "ids", "offsets", "state")


def parts(encoding: Encoding, effort: Effort) -> list[Part]:
    """Every part for an encoding, in order; what a tokenizer does not offer is left out by whoever asks."""
    step = _STEP[effort]
    every = "every scalar value" if step == 1 else f"every {step}st scalar value, and telling ones"
    return [
        Part("tokens", f"every token by itself ({len(encoding.token_bytes):,})", lambda: _tokens(encoding), whole=True),
        Part(
            "bytes",
            "every byte by itself, and every pair of one byte after another",
            lambda: _bytes(encoding),
            whole=True,
        ),
        Part("scalars", f"{every}, alone", lambda: _scalars(effort, ""), whole=step == 1),
        Part("scalars before 's", f"{every}, before 's", lambda: _scalars(effort, "'s"), whole=step == 1),
        Part("texts", f"{_TEXTS[effort]:,} texts that tell tokenizers apart", lambda: _texts(encoding, _TEXTS[effort])),
        Part(
            "special tokens",
            "texts with special tokens, their prefixes and neighbours",
            lambda: _specials(encoding, effort),
        ),
        Part("ids", "lists of any ids, cut inside characters as often as not", lambda: _ids(encoding, effort)),
        Part("offsets", "which characters each token stands for", lambda: _offsets(encoding, effort)),
        Part("state", "a changed result, a second instance, eight threads at once", lambda: _state(encoding, effort)),
    ]


# --- exhaustive ---------------------------------------------------------------------------------------------------


def _tokens(encoding: Encoding) -> Iterator[tuple[str, Sequence[Any]]]:
    numbers = sorted(encoding.token_bytes)
    yield "token_bytes", numbers
    yield "decode", [[number] for number in numbers]
    yield "decode_bytes", [[number] for number in numbers]
    texts = [token.decode() for token in encoding.ids if _is_text(token)]
    yield "encode", texts


def _bytes(encoding: Encoding) -> Iterator[tuple[str, Sequence[Any]]]:
    single = [encoding.ids[bytes([byte])] for byte in range(256)]
    pairs = [[first, second] for first, second in itertools.product(single, repeat=2)]
    yield "decode", [[number] for number in single]
    yield "decode", pairs
    yield "decode_bytes", pairs


def scalars(effort: Effort) -> str:
    """The scalar values that are tried one by one, in order."""
    codes: Iterable[int] = range(sys.maxunicode + 1)
    if effort is not Effort.FULL:
        telling = map(ord, bpe_strategies.telling_characters())
        codes = sorted({*range(0, sys.maxunicode + 1, _STEP[effort]), *range(0x250), *telling})
    return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)


def _scalars(effort: Effort, after: str) -> Iterator[tuple[str, Sequence[Any]]]:
    characters = scalars(effort)
    for start in range(0, len(characters), _AT_ONCE):
        yield "encode", [character + after for character in characters[start : start + _AT_ONCE]]


def _is_text(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- drawn --------------------------------------------------------------------------------------------------------


def drawn(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    """At most `count` values of a strategy, without repetition, the same on every run."""
    from hypothesis import Phase, seed

    from harness.bytelevel.conformance.shrink import QUIET

    found: dict[str, Any] = {}

    @seed(SEED_OF_TEXTS)
    @settings(QUIET, max_examples=count, phases=[Phase.generate])
    @given(strategy)
    def draw(value: Any) -> None:
        found.setdefault(repr(value), value)

    draw()
    return list(found.values())


@lru_cache(maxsize=4)
def texts(encoding_name: str, tokens: tuple[str, ...], count: int) -> list[str]:
    """Every telling character in all contexts, then texts of every strategy of L1.2 in turn.

    Each drawn one is taken whole and in parts, which moves its boundaries.
    """
    del encoding_name
    strategies = (
        bpe_strategies.characters_in_context(),
        bpe_strategies.blank_runs(),
        bpe_strategies.contractions(),
        bpe_strategies.mixed_alphabets(),
        bpe_strategies.texts_of_tokens(tokens),
    )
    found = dict.fromkeys(drawn(bpe_strategies.runs_of_one_piece(longest=1025), count // 40))
    contexts = bpe_strategies.CONTEXTS
    for character in bpe_strategies.telling_characters():
        found["".join(f"{before}{character}{after}" for before, after in contexts)] = None
    left = count - len(found)
    cuts = 7 if count > 10_000 else 3  # texts that come of one draw and are not there yet
    for place, strategy in enumerate(strategies):
        for text in drawn(strategy, left // (len(strategies) - place) // cuts):
            quarter = len(text) // 4
            quarters = [text[place * quarter : (place + 1) * quarter] for place in range(4)]
            parts = text[: 2 * quarter], text[2 * quarter :], text[quarter : 3 * quarter]
            found.update(dict.fromkeys((text, *parts, *quarters)))
        left = count - len(found)
    short = (text[start:end] for text in list(found) for start, end in ((0, len(text) // 3), (len(text) // 3, None)))
    return list(itertools.islice(dict.fromkeys(itertools.chain(found, short)), count))


def texts_of(encoding: Encoding, count: int) -> list[str]:
    """The texts for an encoding, shortest first, so that a difference is met on a small text."""
    spelled = [(number, token) for token, number in encoding.ids.items() if _is_text(token)]
    tokens = tuple(token.decode() for _, token in sorted(spelled)[:: -max(1, len(spelled) // 20_000)])
    return sorted(texts(encoding.name, tokens, count), key=len)


def _texts(encoding: Encoding, count: int) -> Iterator[tuple[str, Sequence[Any]]]:
    found = texts_of(encoding, count)
    yield "encode", found
    ids = [encoding.encode(text) for text in found]
    yield "decode", ids
    yield "decode_bytes", ids


def _specials(encoding: Encoding, effort: Effort) -> Iterator[tuple[str, Sequence[Any]]]:
    found = drawn(bpe_strategies.texts_with_specials(sorted(encoding.special)), _TEXTS[effort] // 20)
    yield "encode_special", found
    yield "encode", found


def _ids(encoding: Encoding, effort: Effort) -> Iterator[tuple[str, Sequence[Any]]]:
    found = drawn(bpe_strategies.id_lists(encoding.token_bytes), _TEXTS[effort] // 20)
    yield "decode", found
    yield "decode_bytes", found
    yield "stream", found


def _offsets(encoding: Encoding, effort: Effort) -> Iterator[tuple[str, Sequence[Any]]]:
    found = texts_of(encoding, _TEXTS[effort])
    yield "encode_with_offsets", [text for text in found[:: max(1, len(found) // 1000)] if text]


def _state(encoding: Encoding, effort: Effort) -> Iterator[tuple[str, Sequence[Any]]]:
    found = texts_of(encoding, _TEXTS[effort])
    few = found[:: max(1, len(found) // 200)]
    yield "encode_changed", ["a", "hello", *few]
    yield "encode_second", ["a", "hello", *few]
    yield "encode_threads", [few]


def probes(encoding: Encoding) -> dict[str, Sequence[Any]]:
    """Questions that tell suspects apart, short ones first: a few of each kind of text, and the ids of tokens."""
    found = texts_of(encoding, _TEXTS[Effort.QUICK])
    merged = [token.decode() for token in list(encoding.ids)[-400:] if _is_text(token)]
    classed = [character + "'s" for character in bpe_strategies.telling_characters()]
    chosen = [
        *_TELLING_TEXTS,
        *(token + ":" for token in sorted(encoding.special)),
        *classed,
        *merged,
        *found[:: max(1, len(found) // 400)],
    ]
    ids = [[number] for number in range(0, encoding.size, 97) if number in encoding.token_bytes]
    lists = [*ids, *([number] for number in encoding.special.values()), *map(encoding.encode, chosen)]
    broken = drawn(bpe_strategies.id_lists(encoding.token_bytes), 100)
    return {
        "encode": chosen,
        "encode_special": [*encoding.special, *chosen],
        "decode": [*lists, *broken],
        "stream": broken,
    }


_TELLING_TEXTS = (
    "a", " a", " t", "a ", "  a", "a  b", "\n\na", "a\r\nb", "Hello, a", "don't", "DON'T", "'SS", "I'll", " 12", "a 1",
    " !", "a !", "\u3000a", "\u3000!", "a\x1cb", "\x1c!", "\u0663", "1\xb2", "\u2167a", "e\u0301",
    "\u0939\u093f", "\xe9", "\u4f60\u597d", "\U0001f600", "\U00010400a", "\ufeffa", "\ufb01", "a\x00b", "aaa",
    "####", "# ##", "\x85!", " \x85!", "\ufeff!", "ab\u0130",
)  # fmt: skip
