"""The byte codec against Python's strict codec where a domain is small enough to be walked through whole.

Minutes rather than seconds: `tox -e exhaustive` runs these, the default run does not come here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tinyllm.tok.byte_codec import allowed_next, decode, render, utf8_encode

SCALAR_VALUES = (*range(0xD800), *range(0xE000, 0x110000))


def byte_strings_up_to(size: int) -> Iterator[bytes]:
    """All of them, shorter ones first."""
    for length in range(size + 1):
        yield from map(bytes, product(range(256), repeat=length))


def decoded(data: bytes) -> str | int:
    """The text as Python's strict codec has it, or the offset of the first offending sequence."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        return error.start


def test_every_scalar_value_is_written_as_the_standard_codec_writes_it() -> None:
    assert len(SCALAR_VALUES) == 1_112_064
    different = [point for point in SCALAR_VALUES if utf8_encode(point) != chr(point).encode()]
    assert different == []


def test_every_sequence_of_up_to_three_bytes_is_decoded_as_the_standard_codec_decodes_it() -> None:
    different = []
    for data in byte_strings_up_to(3):
        expected = decoded(data)
        try:
            agrees = decode(data) == expected
        except ValueError as error:
            agrees = isinstance(expected, int) and f"offset {expected} " in str(error)
        if not agrees:
            different.append(data)
    assert different == []


def test_every_sequence_of_up_to_two_bytes_is_shown_as_the_standard_codec_shows_it() -> None:
    different = [data for data in byte_strings_up_to(2) if render(data).text != data.decode(errors="replace")]
    assert different == []


def test_what_is_allowed_next_after_every_beginning_is_what_characters_go_on_with() -> None:
    """Every proper beginning of every character, so the constraint forbids no text and allows no other."""
    goes_on: dict[bytes, set[int]] = {b"": {257}}
    for point in SCALAR_VALUES:
        data = chr(point).encode()
        for cut, byte in enumerate(data):
            goes_on.setdefault(data[:cut], set()).add(byte)
    assert len(goes_on) == 1 + 51 + 1_216 + 16_384
    assert {prefix: set(allowed_next(prefix)) for prefix in goes_on} == goes_on
