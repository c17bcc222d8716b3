"""Correct, and unusual in that both tables are made once, when the module is imported.

`bytes_to_unicode` hands out copies. `unicode_to_bytes` hands out the one dict that it has, from the last byte to the
first: the contract lets it, since callers only read that one.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def is_injective(f: Mapping[K, V]) -> bool:
    return len(set(f.values())) >= len(f)


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    targets = set(codomain)
    strays = [value for value in f.values() if value not in targets]
    if strays:
        raise ValueError(f"outside the codomain: {strays!r}")
    return targets.issubset(f.values())


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    keys_of: dict[V, list[K]] = {}
    for key, value in f.items():
        keys_of.setdefault(value, []).append(key)
    repeated = {value: keys for value, keys in keys_of.items() if len(keys) > 1}
    if repeated:
        raise ValueError(f"not injective: {repeated!r}")
    return {value: keys[0] for value, keys in keys_of.items()}


def _make_table() -> dict[int, str]:
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(256, 256 + 68))
    return {byte: chr(byte if byte in visible else next(spare)) for byte in range(256)}


_TO_CHAR = _make_table()
_TO_BYTE = dict(reversed([(char, byte) for byte, char in _TO_CHAR.items()]))


def bytes_to_unicode() -> dict[int, str]:
    return _TO_CHAR.copy()


def unicode_to_bytes() -> dict[str, int]:
    return _TO_BYTE


def encode_bytes(data: bytes) -> str:
    if type(data) is not bytes:
        raise TypeError("encode_bytes: bytes only")
    return "".join(map(_TO_CHAR.__getitem__, data))


def decode_chars(text: str) -> bytes:
    try:
        return bytes(map(_TO_BYTE.__getitem__, text))
    except KeyError as error:
        raise ValueError(f"no byte for {error}") from None
