"""Correct, and unusual in that the table is written out, eight rows of 32 characters, with no rule in sight."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

_ALPHABET = (
    "ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğ"
    "Ġ!\"#$%&'()*+,-./0123456789:;<=>?"
    "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_"
    "`abcdefghijklmnopqrstuvwxyz{|}~ġ"
    "ĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŁ"
    "ł¡¢£¤¥¦§¨©ª«¬Ń®¯°±²³´µ¶·¸¹º»¼½¾¿"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß"
    "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
)


def is_injective(f: Mapping[K, V]) -> bool:
    return len(f) == len(frozenset(f.values()))


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    targets, image = frozenset(codomain), frozenset(f.values())
    if not image <= targets:
        raise ValueError(f"not a map into the codomain: {image - targets}")
    return targets <= image


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    inverted = {value: key for key, value in f.items()}
    if len(inverted) < len(f):
        values = list(f.values())
        raise ValueError([value for value in inverted if values.count(value) > 1])
    return inverted


def bytes_to_unicode() -> dict[int, str]:
    return dict(enumerate(_ALPHABET))


def unicode_to_bytes() -> dict[str, int]:
    return {char: byte for byte, char in enumerate(_ALPHABET)}


def encode_bytes(data: bytes) -> str:
    if isinstance(data, str):
        raise TypeError("not bytes")
    return "".join(_ALPHABET[byte] for byte in data)


def decode_chars(text: str) -> bytes:
    return bytes(_ALPHABET.index(char) for char in text)
