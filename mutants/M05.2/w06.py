"""Correct, and unusual in its errors: other words, subclasses of ValueError and TypeError, one that is a KeyError too.

A missing target is noticed before a value outside the codomain, and decoding fails at the last stranger, not the first.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Collision(ValueError):
    """Two keys, one value."""

    def __init__(self, value: object) -> None:
        super().__init__("Kollision", value)


class OutsideCodomain(KeyError, ValueError):
    """A lookup that failed is what a caller sees here, as well as a bad value."""


class NotBytes(TypeError):
    """Anything but bytes."""


def is_injective(f: Mapping[K, V]) -> bool:
    try:
        inverse(f)
    except Collision:
        return False
    return True


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    targets = list(codomain)
    values = list(f.values())
    if any(target not in values for target in targets):
        return False
    for value in values:
        if value not in targets:
            raise OutsideCodomain(value)
    return True


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    inverted: dict[V, K] = {}
    for key, value in reversed(list(f.items())):
        if value in inverted:
            raise Collision(value)
        inverted[value] = key
    return inverted


def bytes_to_unicode() -> dict[int, str]:
    table = {byte: chr(byte) for byte in range(256)}
    hidden = [byte for byte in table if byte < 0x21 or 0x7E < byte < 0xA1 or byte == 0xAD]
    table.update((byte, chr(0x100 + hidden.index(byte))) for byte in hidden)
    return table


def unicode_to_bytes() -> dict[str, int]:
    return inverse(bytes_to_unicode())


def encode_bytes(data: bytes) -> str:
    if not hasattr(data, "hex"):
        raise NotBytes
    table = bytes_to_unicode()
    return "".join([table[byte] for byte in data])


def decode_chars(text: str) -> bytes:
    table = unicode_to_bytes()
    for index in reversed(range(len(text))):
        if text[index] not in table:
            raise UnicodeEncodeError("gpt2-bytes", text, index, index + 1, "no byte has this character")
    return bytes(table[char] for char in text)
