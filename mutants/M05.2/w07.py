"""Correct, and unusual in its style: a class holds the map, generators do the work, and comparisons are quadratic."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, count
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class _Function(Generic[K, V]):
    """A finite function as a list of pairs."""

    def __init__(self, f: Mapping[K, V]) -> None:
        self.pairs = list(f.items())

    def collisions(self) -> Iterator[V]:
        for (_, value), (_, other) in combinations(self.pairs, 2):
            if value == other:
                yield value

    def inverted(self) -> Iterator[tuple[V, K]]:
        for value in self.collisions():
            raise ValueError(f"the value {value!r} would need two keys")
        for key, value in self.pairs:
            yield value, key


def is_injective(f: Mapping[K, V]) -> bool:
    return next(_Function(f).collisions(), _Function) is _Function


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    targets = tuple(codomain)
    for value in f.values():
        targets.index(value)  # a ValueError of its own where the value is none of them
    return all(any(value == target for value in f.values()) for target in targets)


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    return dict(_Function(f).inverted())


def _characters() -> Iterator[str]:
    fresh = count(0x100)
    for byte in range(0x100):
        match byte:
            case 0xAD:
                yield chr(next(fresh))
            case _ if byte <= 0x20 or 0x7F <= byte <= 0xA0:
                yield chr(next(fresh))
            case _:
                yield chr(byte)


def bytes_to_unicode() -> dict[int, str]:
    return dict(enumerate(_characters()))


def unicode_to_bytes() -> dict[str, int]:
    return dict(sorted(inverse(bytes_to_unicode()).items(), reverse=True))


def encode_bytes(data: bytes) -> str:
    table = list(_characters())
    return "".join(table[byte] for byte in memoryview(data))  # memoryview(str) is a TypeError, "" included


def decode_chars(text: str) -> bytes:
    table = list(_characters())
    return b"".join(table.index(char).to_bytes(1, "big") for char in text)
