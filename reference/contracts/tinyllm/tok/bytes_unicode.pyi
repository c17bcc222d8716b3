"""Finite functions written as tables, and GPT-2's bijection from the 256 bytes to 256 visible characters.

A mapping stands for the function f: A -> B whose domain A is its keys and whose outputs are its values. Keys
and values are hashable; they need no order and may be of different types. No function changes its arguments.

The byte map must equal GPT-2's entry for entry. Write it from the rule: the 188 bytes that Latin-1 shows as a
visible character (0x21 to 0x7E, 0xA1 to 0xAC, 0xAE to 0xFF, both ends included) stand for themselves; the other
68, in increasing order, take the code points U+0100, U+0101, ... to U+0143.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

def is_injective(f: Mapping[K, V]) -> bool:
    """Tell whether different keys of f always have different values.

    f: any finite map, the empty one included.
    Returns True or False; raises nothing.
    """

def is_surjective(f: Mapping[K, V], codomain: Iterable[V]) -> bool:
    """Tell whether f is onto codomain: every element of codomain is a value of f.

    f: any finite map, the empty one included.
    codomain: a list, tuple, set or other iterable, possibly empty. It stands for the set of its elements: order
        and repetitions say nothing.
    Returns True or False.
    Raises ValueError if a value of f is not in codomain: f is then no function into it.
    """

def inverse(f: Mapping[K, V]) -> dict[V, K]:
    """Return the map that leads from each value of f back to its key.

    f: an injective map.
    Returns a dict with one entry for each entry of f.
    Raises ValueError if f is not injective; the message contains a repeated value, as str or repr shows it.
    """

def bytes_to_unicode() -> dict[int, str]:
    """Return GPT-2's byte map.

    Returns a dict of 256 entries: keys 0 to 255 in increasing order, values strings of one character, all
    different, none of them whitespace or invisible. Each call returns a new dict, which the caller may change.
    """

def unicode_to_bytes() -> dict[str, int]:
    """Return the inverse of GPT-2's byte map.

    Returns a dict of 256 entries: from each character that stands for a byte to that byte, 0 to 255. Their order
    is free. Callers read the dict and do not change it.
    """

def encode_bytes(data: bytes) -> str:
    """Write data in GPT-2's alphabet.

    data: any bytes, valid UTF-8 or not, possibly empty.
    Returns a str of len(data) characters: the character of each byte, in order.
    Raises TypeError if data is a str, the empty one included.
    """

def decode_chars(text: str) -> bytes:
    """Read text written in GPT-2's alphabet.

    text: characters that stand for bytes; possibly empty.
    Returns bytes of length len(text), for which encode_bytes gives text again. They need not be valid UTF-8.
    Raises ValueError if any character of text stands for no byte: " ", for example, or U+0144.
    """
