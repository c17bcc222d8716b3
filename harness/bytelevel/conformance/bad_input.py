"""What a tokenizer does with what is no text and no id: recorded, and judged by what its users may expect of its kind.

Three profiles: `strict` is ours, `tiktoken` and `huggingface` allow what these libraries are documented to do.
No profile allows a call that ends the process or does not end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from harness.bytelevel.conformance.outcomes import Gone, Outcome, Raised, Tokenizer
from harness.bytelevel.encodings import Encoding


class Profile(StrEnum):
    """Whose manners a tokenizer is held to."""

    STRICT = "strict"
    TIKTOKEN = "tiktoken"
    HUGGINGFACE = "huggingface"


BY_SHAPE: Mapping[str, Profile] = {
    "tokproof": Profile.STRICT,
    "tiktoken": Profile.TIKTOKEN,
    "tokenizers": Profile.HUGGINGFACE,
    "transformers": Profile.HUGGINGFACE,
    "plain": Profile.TIKTOKEN,
    "program": Profile.TIKTOKEN,
}
"""The profile of a tokenizer for which none is asked for."""


class Bad(StrEnum):
    """Kinds of bad input."""

    UNKNOWN_ID = "an id that no token has"
    NEGATIVE_ID = "a negative id"
    WRAPPED_ID = "an id past 32 bits"
    FLOAT_ID = "a number with a fraction for an id"
    TEXT_ID = "text for an id"
    BOOL_ID = "true for an id"
    SURROGATE = "a lone surrogate"
    NO_TEXT = "what is no text"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question with bad input."""

    bad: Bad
    name: str
    argument: Any


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a tokenizer did with bad input."""

    probe: Probe
    got: Outcome
    allowed: str
    """What the profile allows, in words."""
    is_allowed: bool


def probes(encoding: Encoding) -> Iterator[Probe]:
    """Every question, in order."""
    size = encoding.size
    gaps = [number for number in range(size) if number not in encoding.token_bytes][:2]
    for name in ("decode", "decode_bytes"):
        for number in (*gaps, size, size + 1, 2**31 - 1):
            yield Probe(Bad.UNKNOWN_ID, name, [number])
        for number in (-1, -2, -size, -(2**31)):
            yield Probe(Bad.NEGATIVE_ID, name, [number])
        for number in (2**32, 2**32 + 5, 2**63, 2**64 + 5):
            yield Probe(Bad.WRAPPED_ID, name, [number])
        yield Probe(Bad.FLOAT_ID, name, [1.0])
        yield Probe(Bad.FLOAT_ID, name, [1.5])
        yield Probe(Bad.TEXT_ID, name, ["a"])
        yield Probe(Bad.BOOL_ID, name, [True])
    for number in (size, -1, 2**32 + 5):
        yield Probe(Bad.UNKNOWN_ID, "token_bytes", number)
    for text in ("\ud800", "a\udfffb", "\udbc0", "\udc00\ud800"):
        yield Probe(Bad.SURROGATE, "encode", text)
    for what in (None, 7, 1.5, b"a", ["a"]):
        yield Probe(Bad.NO_TEXT, "encode", what)


def kind_of(encoding: Encoding, name: str, argument: Any) -> Bad | None:
    """What is bad about a question's argument; None where it has a right answer."""
    if name.startswith("encode"):
        if name == "encode_threads":
            return None
        if type(argument) is not str:
            return Bad.NO_TEXT
        return Bad.SURROGATE if any(0xD800 <= ord(one) < 0xE000 for one in argument) else None
    if name == "n_vocab":
        return None
    for number in argument if isinstance(argument, list) else [argument]:
        if type(number) is not int:
            return {bool: Bad.BOOL_ID, float: Bad.FLOAT_ID}.get(type(number), Bad.TEXT_ID)
        if number not in encoding.token_bytes:
            return Bad.NEGATIVE_ID if number < 0 else Bad.WRAPPED_ID if number >= 2**32 else Bad.UNKNOWN_ID
    return None


def react(tokenizer: Tokenizer, encoding: Encoding, profile: Profile) -> Iterator[Reaction]:
    """Ask every bad question that the tokenizer offers, each by itself; a call that kills it costs no other."""
    for probe in probes(encoding):
        if probe.name in tokenizer.offers:
            yield judged(probe, tokenizer.one(probe.name, probe.argument), encoding, profile)


def judged(probe: Probe, got: Outcome, encoding: Encoding, profile: Profile) -> Reaction:
    """Whether a profile allows what came of a question."""
    words, allows = _ALLOWED[profile].get(probe.bad) or _ALLOWED[Profile.STRICT][probe.bad]
    return Reaction(probe, got, words, not isinstance(got, Gone) and allows(encoding, probe.argument, got))


_Allows = Callable[[Encoding, Any, Outcome], bool]


def _raises(*bases: str) -> _Allows:
    return lambda encoding, argument, got: isinstance(got, Raised) and bool({*bases} & {*got.bases})


def _any_error(encoding: Encoding, argument: Any, got: Outcome) -> bool:
    return isinstance(got, Raised)


def _error_or_the_number(encoding: Encoding, argument: Any, got: Outcome) -> bool:
    """An error, or what the integer of the same value decodes to."""
    right = encoding.decode_bytes(map(int, argument))
    return isinstance(got, Raised) or got == right or got == right.decode("utf-8", "replace")


def _error_or_replaced(encoding: Encoding, argument: Any, got: Outcome) -> bool:
    """An error, or the ids of the text with U+FFFD in the place of each lone surrogate."""
    text = "".join("\ufffd" if 0xD800 <= ord(one) < 0xE000 else one for one in argument)
    return isinstance(got, Raised) or got == encoding.encode(text)


def _error_or_nothing(encoding: Encoding, argument: Any, got: Outcome) -> bool:
    return isinstance(got, Raised) or got in ("", b"")


def _anything(encoding: Encoding, argument: Any, got: Outcome) -> bool:
    return True


_ALLOWED: Mapping[Profile, Mapping[Bad, tuple[str, _Allows]]] = {
    Profile.STRICT: {
        Bad.UNKNOWN_ID: ("a ValueError", _raises("ValueError")),
        Bad.NEGATIVE_ID: ("a ValueError", _raises("ValueError")),
        Bad.WRAPPED_ID: ("a ValueError", _raises("ValueError")),
        Bad.FLOAT_ID: ("a TypeError", _raises("TypeError")),
        Bad.TEXT_ID: ("a TypeError", _raises("TypeError")),
        Bad.BOOL_ID: ("a TypeError", _raises("TypeError")),
        Bad.SURROGATE: ("a ValueError", _raises("ValueError")),
        Bad.NO_TEXT: ("a TypeError", _raises("TypeError")),
    },
    Profile.TIKTOKEN: {
        Bad.UNKNOWN_ID: ("an error", _any_error),
        Bad.NEGATIVE_ID: ("an error", _any_error),
        Bad.WRAPPED_ID: ("an error", _any_error),
        Bad.FLOAT_ID: (
            "an error, or what the whole number gives",
            lambda encoding, argument, got: (
                isinstance(got, Raised) or (argument[0].is_integer() and _error_or_the_number(encoding, argument, got))
            ),
        ),
        Bad.TEXT_ID: ("an error", _any_error),
        Bad.BOOL_ID: ("an error, or what 1 gives", _error_or_the_number),
        Bad.SURROGATE: ("an error, or U+FFFD in its place", _error_or_replaced),
        Bad.NO_TEXT: ("an error", _any_error),
    },
    Profile.HUGGINGFACE: {
        Bad.UNKNOWN_ID: ("an error, or nothing", _error_or_nothing),
        Bad.NEGATIVE_ID: ("an error", _any_error),
        Bad.WRAPPED_ID: ("an error", _any_error),
        Bad.FLOAT_ID: ("an error", _any_error),
        Bad.TEXT_ID: ("an error", _any_error),
        Bad.BOOL_ID: ("an error, or what 1 gives", _error_or_the_number),
        Bad.SURROGATE: ("an error, or U+FFFD in its place", _error_or_replaced),
        Bad.NO_TEXT: ("anything: lists of texts are batches", _anything),
    },
}
