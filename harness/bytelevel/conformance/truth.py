"""What each question must be answered with, and what the rule behind it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.bytelevel.conformance.outcomes import Outcome, same
from harness.bytelevel.encodings import Encoding

THREADS = 8

_EXPECTED: Mapping[str, Callable[[Encoding, Any], Any]] = {
    "encode": lambda encoding, text: encoding.encode(text),
    "encode_special": lambda encoding, text: encoding.encode_special(text),
    "encode_changed": lambda encoding, text: encoding.encode(text),
    "encode_second": lambda encoding, text: encoding.encode(text),
    "encode_with_offsets": lambda encoding, text: encoding.with_offsets(text),
    "encode_threads": lambda encoding, texts: [[encoding.encode(text) for text in texts]] * THREADS,
    "decode": lambda encoding, ids: encoding.decode(ids),
    "decode_bytes": lambda encoding, ids: encoding.decode_bytes(ids),
    "token_bytes": lambda encoding, number: encoding.token_bytes[number],
    "stream": lambda encoding, ids: encoding.stream(ids),
    "n_vocab": lambda encoding, _: encoding.size,
}
FUNCTIONS = tuple(_EXPECTED)
"""What can be asked and answered from an encoding alone."""

RULES: Mapping[str, str] = {
    "encode": "text is cut by the encoding's pattern, each piece merged by rank; special tokens are ordinary text",
    "encode_special": "special tokens are found first, the longest where two begin; the rest is ordinary text",
    "encode_changed": "what a caller does to a result changes no later result",
    "encode_second": "two instances do not share a state",
    "encode_with_offsets": "a token covers each character that it has a byte of, those of one character share one",
    "encode_threads": "eight threads at once get what one gets",
    "decode": "the bytes of all ids are joined, then decoded once as UTF-8; what is no UTF-8 becomes U+FFFD",
    "decode_bytes": "the bytes of all ids, joined, whatever they are",
    "token_bytes": "the bytes of the token, which need not be UTF-8",
    "stream": "text comes as soon as its bytes are whole, never half a character; joined, it is what decode gives",
    "n_vocab": "the highest id plus one",
    "build": "what the files and the arguments say, or an error where they contradict themselves",
}


def expected(encoding: Encoding, name: str, argument: Any) -> Any:
    """The right answer to `name` asked with `argument`; KeyError for an id that no token has."""
    return _EXPECTED[name](encoding, argument)


def agrees(shape: str, name: str, got: Outcome, right: Any) -> bool:
    """Whether an answer is right; a stream of tokenizers' own kind has no end to say what is left at."""
    if same(got, right):
        return True
    if name == "stream" and shape == "tokenizers" and type(got) is list and set(map(type, got)) <= {str}:
        return "".join(got) == "".join(right[:-1])
    return False
