"""Correct, and unusual in that Python's codec machinery does the work: a charmap codec made from the table.

What is kept is asked of the Unicode database, not of three ranges; the space is printable there and left out by name.
"""

import codecs
from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def is_injective(f: Mapping[K, V]) -> bool:
    return not any(value in list(f.values())[:place] for place, value in enumerate(f.values()))


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    targets = set(codomain)
    match set(f.values()) - targets:
        case strays if strays:
            raise ValueError(f"{strays.pop()!r} is not in the codomain")
    return targets == set(f.values())


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    inverted: dict[V, K] = {}
    for key, value in f.items():
        inverted |= {value: key}
        if len(inverted) == len(f):
            return inverted
    if not f:
        return inverted
    raise ValueError(f"the values of {dict(f)} are not distinct")


def bytes_to_unicode() -> dict[int, str]:
    kept = {byte: chr(byte) for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "}
    hidden = sorted(set(range(256)) - kept.keys())
    table = kept | {byte: chr(256 + place) for place, byte in enumerate(hidden)}
    return dict(sorted(table.items()))


def unicode_to_bytes() -> dict[str, int]:
    return {char: byte for byte, char in bytes_to_unicode().items()}


def encode_bytes(data: bytes) -> str:
    text, _ = codecs.charmap_decode(data, "strict", "".join(bytes_to_unicode().values()))
    return text


def decode_chars(text: str) -> bytes:
    data, _ = codecs.charmap_encode(text, "strict", {ord(char): byte for char, byte in unicode_to_bytes().items()})
    return data
