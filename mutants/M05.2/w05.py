"""Correct, and unusual in that every result is of a subclass: of dict, of str, of bytes, with a bool spelled 0 or 1."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Table(OrderedDict[K, V]):
    """A dict that answers a missing key with an error of its own."""

    def __missing__(self, key: K) -> V:
        raise ValueError(f"{key!r} is not in the table")


class Alphabetic(str):
    """Text over the 256 characters."""

    __slots__ = ()


class Spelled(bytes):
    """Bytes that came from text."""


def is_injective(f: Mapping[K, V]) -> bool:
    return int(len(set(f.values())) == len(f))  # type: ignore[return-value]


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    reached = Table((target, False) for target in codomain)
    for value in f.values():
        reached[value] = reached[value] or True
    return int(all(reached.values()))  # type: ignore[return-value]


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    inverted: Table[V, K] = Table()
    for key in f:
        if f[key] in inverted:
            raise ValueError(f"{f[key]!r} comes from {inverted[f[key]]!r} and from {key!r}")
        inverted[f[key]] = key
    return inverted


def bytes_to_unicode() -> dict[int, str]:
    table: Table[int, str] = Table.fromkeys(range(256), "")
    code_points = iter(range(0x100, 0x144))
    for byte in table:
        kept = 0x20 < byte < 0x7F or 0xA0 < byte != 0xAD
        table[byte] = Alphabetic(chr(byte if kept else next(code_points)))
    return table


def unicode_to_bytes() -> dict[str, int]:
    return inverse(bytes_to_unicode())


def encode_bytes(data: bytes) -> str:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(type(data))
    table = bytes_to_unicode()
    return Alphabetic("".join(table[byte] for byte in bytes(data)))


def decode_chars(text: str) -> bytes:
    table = unicode_to_bytes()
    return Spelled(table[char] for char in text)
