"""Correct, and unusual in that both directions are Latin-1 and `str.translate`, one call for the whole text.

`translate` passes unknown characters through, so decoding looks for strangers before it translates.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def is_injective(f: Mapping[K, V]) -> bool:
    return all(count == 1 for count in Counter(f.values()).values())


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    hits = dict.fromkeys(codomain, 0)
    for key in f:
        if f[key] not in hits:
            raise ValueError("outside the codomain", f[key])
        hits[f[key]] += 1
    return all(hits.values())


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    for value, count in Counter(f.values()).most_common(1):
        if count > 1:
            raise ValueError(f"{count} keys have the value {value}")
    return dict(zip(f.values(), f.keys(), strict=True))


def bytes_to_unicode() -> dict[int, str]:
    latin1 = bytes(range(256)).decode("latin-1")
    return dict(enumerate(latin1.translate(_remapping())))


def unicode_to_bytes() -> dict[str, int]:
    return inverse(bytes_to_unicode())


def encode_bytes(data: bytes) -> str:
    return str(data, "latin-1").translate(_remapping())  # str(data, encoding) is a TypeError for a str


def decode_chars(text: str) -> bytes:
    strangers = set(text) - set(bytes_to_unicode().values())
    if strangers:
        raise ValueError(f"characters outside the alphabet: {sorted(strangers)}")
    back = {ord(char): byte for byte, char in _remapping().items()}
    return text.translate(back).encode("latin-1")


def _remapping() -> dict[int, str]:
    remapped = [*range(0x21), *range(0x7F, 0xA1), 0xAD]
    return {byte: chr(0x100 + count) for count, byte in enumerate(remapped)}
