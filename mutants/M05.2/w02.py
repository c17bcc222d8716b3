"""Correct, and unusual in that nothing is looked up: both directions are arithmetic, each with a check of its range.

Decoding subtracts, as mutant s05 does, but knows the three runs of remapped bytes and rejects all else.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def is_injective(f: Mapping[K, V]) -> bool:
    seen: set[V] = set()
    for value in f.values():
        if value in seen:
            return False
        seen.add(value)
    return True


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    missing = set(codomain)
    targets = set(missing)
    for value in f.values():
        if value not in targets:
            raise ValueError(f"{value!r} is no element of the codomain")
        missing.discard(value)
    return not missing


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    inverted: dict[V, K] = {}
    for key, value in f.items():
        if inverted.setdefault(value, key) != key:
            raise ValueError(f"{value!r} is repeated")
    return inverted


def bytes_to_unicode() -> dict[int, str]:
    return {byte: chr(_code_point(byte)) for byte in range(256)}


def unicode_to_bytes() -> dict[str, int]:
    return {char: byte for byte, char in bytes_to_unicode().items()}


def encode_bytes(data: bytes) -> str:
    if not isinstance(data, bytes):
        raise TypeError(f"bytes wanted, {type(data).__name__} given")
    return "".join(chr(_code_point(byte)) for byte in data)


def decode_chars(text: str) -> bytes:
    return bytes(_byte(ord(char)) for char in text)


def _code_point(byte: int) -> int:
    if byte <= 0x20:
        return byte + 0x100
    if 0x7F <= byte <= 0xA0:
        return byte + 0xA2
    return 0x143 if byte == 0xAD else byte


def _byte(code_point: int) -> int:
    if 0x21 <= code_point <= 0xFF and not 0x7F <= code_point <= 0xA0 and code_point != 0xAD:
        return code_point
    if 0x100 <= code_point <= 0x120:
        return code_point - 0x100
    if 0x121 <= code_point <= 0x142:
        return code_point - 0xA2
    if code_point == 0x143:
        return 0xAD
    raise ValueError(f"U+{code_point:04X} stands for no byte")
