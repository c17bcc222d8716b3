"""Finite functions written as tables, and GPT-2's bijection from the 256 bytes to 256 visible characters.

A mapping is read as the function f: A -> B whose domain A is its keys. B, the codomain, is stored nowhere: it
belongs to the question, so `is_surjective` asks for it. Values are hashable, need no order, and may be of
different types.

The byte map is that of `bytes_to_unicode` in openai/gpt-2 (`src/encoder.py`), here in byte order, where that
function lists the kept bytes first. Every vocabulary written in this alphabet relies on each of its entries.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def is_injective(f: Mapping[K, V]) -> bool:
    """Tell whether different keys of `f` always have different values; true of the empty map."""
    return len(set(f.values())) == len(f)


def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    """Tell whether every element of `codomain` is a value of `f`.

    `codomain` is read once, as a set: order and repetitions say nothing.

    Raises ValueError for a value of `f` outside `codomain`, named in the message: `f` is then no function
    into it, and neither answer would be true.
    """
    targets = set(codomain)
    image = set(f.values())
    for value in image:
        if value not in targets:
            message = f"value {value!r} is outside the codomain: add it there, or leave its keys out of the map"
            raise ValueError(message)
    return image == targets


def inverse(f: Mapping[K, V]) -> dict[V, K]:
    """Return the map from each value of `f` back to its key, in the order of `f`.

    Raises ValueError where `f` is not injective: the message names the first repeated value and the two keys
    that claim it.
    """
    inverted: dict[V, K] = {}
    for key, value in f.items():
        if value in inverted:
            message = f"no inverse: keys {inverted[value]!r} and {key!r} share the value {value!r}"
            raise ValueError(message)
        inverted[value] = key
    return inverted


def bytes_to_unicode() -> dict[int, str]:
    """Return GPT-2's table from each byte, 0 to 255 in that order, to its character: a new dict each time."""
    table: dict[int, str] = {}
    remapped = 0
    for byte in range(256):
        if _keeps_its_code_point(byte):
            table[byte] = chr(byte)
        else:
            table[byte] = chr(256 + remapped)
            remapped += 1
    return table


def unicode_to_bytes() -> dict[str, int]:
    """Return the inverse of `bytes_to_unicode()`: 256 characters, each with its byte."""
    return inverse(bytes_to_unicode())


def encode_bytes(data: bytes) -> str:
    """Write `data` in the 256-character alphabet, one character for each byte.

    Raises TypeError for anything but bytes or bytearray. For a str above all: which bytes it stands for is
    the caller's choice of an encoding, and a guess made here goes unnoticed up to the first character past
    ASCII.
    """
    received: object = data  # callers that no type checker reads pass anything
    if not isinstance(received, (bytes, bytearray)):
        message = f"encode_bytes takes bytes, not {type(received).__name__}: text needs .encode('utf-8') first"
        raise TypeError(message)
    table = bytes_to_unicode()
    return "".join(table[byte] for byte in data)


def decode_chars(text: str) -> bytes:
    """Return the bytes that `text` spells in the 256-character alphabet, one for each character.

    They need not be valid UTF-8: a token may end inside a character.

    Raises ValueError for the first character that is the image of no byte; the message shows it, its code
    point, and its index in `text`, counted in characters from 0.
    """
    table = unicode_to_bytes()
    decoded = bytearray()
    for index, char in enumerate(text):
        byte = table.get(char)
        if byte is None:
            message = f"character {char!r} (U+{ord(char):04X}) at index {index} is the image of no byte"
            raise ValueError(message)
        decoded.append(byte)
    return bytes(decoded)


def _keeps_its_code_point(byte: int) -> bool:
    """Tell whether Latin-1 shows `byte`, 0 to 255, as a visible character that is no space; true of 188.

    Both ends of each range belong to it. Between the last two stands 0xAD, the soft hyphen, which is drawn
    only where a line breaks.
    """
    return 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xAC or 0xAE <= byte <= 0xFF
