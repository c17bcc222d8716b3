"""Bytes to text and back."""

import pytest
from hypothesis import example, given

from harness.bytelevel.oracles import gpt2_byte_map
from harness.bytelevel.strategies import (
    byte_strings,
    characters_outside_image,
    image_texts,
    texts_with_lone_surrogates,
    utf8_texts,
)
from tinyllm.tok.bytes_unicode import decode_chars, encode_bytes

ALL_BYTES = bytes(range(256))
GPT2 = gpt2_byte_map()
IMAGE = "".join(GPT2.values())


def test_hand_example_encode() -> None:
    """The worked examples come out as on paper.

    KIND: unit
    CHECKS: "Hi there\\n" is "HiĠthereĊ", byte 0 is Ā, DEL is ġ, the soft hyphen is Ń, é is Ã and ©;
        decoding inverts each
    WHY: you and the tests agree on the rule
    CATCHES: s01 s03 s05 s23 s25 s28 s31 s36 m02 m04 m17
    """
    for data, text in (
        (b"Hi there\n", "HiĠthereĊ"),
        (b"\x00", "Ā"),
        (b"\x7f", "ġ"),
        (b"\xad", "Ń"),
        (b"\xc3\xa9", "Ã©"),
    ):
        assert encode_bytes(data) == text
        assert decode_chars(text) == data


@given(data=byte_strings())
@example(data=ALL_BYTES)
def test_encode_follows_gpt2_byte_by_byte(data: bytes) -> None:
    """Each byte becomes its character in GPT-2's table, whatever stands beside it.

    KIND: property
    CHECKS: encode_bytes(x) is the table's characters for the bytes of x, joined
    WHY: L1.2 looks up in vocab.json what this gives
    CATCHES: s01 s02 s03 s22 s23 s25 s34 s36 m01 m02 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m17
    """
    assert encode_bytes(data) == "".join(GPT2[byte] for byte in data)


@given(data=byte_strings(max_size=32))
@example(data="é".encode())
def test_encode_joins_what_single_bytes_give(data: bytes) -> None:
    """Encoding is a homomorphism: cutting bytes anywhere, also inside a character, changes nothing.

    KIND: property
    CHECKS: encode_bytes(x) is encode_bytes of each byte of x alone, joined
    WHY: BPE encodes pieces of a text and joins them
    CATCHES: s34
    """
    pieces = [data[at : at + 1] for at in range(len(data))]
    assert encode_bytes(data) == "".join(encode_bytes(piece) for piece in pieces)


@given(data=byte_strings())
@example(data=ALL_BYTES)
def test_roundtrip_random_bytes(data: bytes) -> None:
    """Decoding what was encoded gives the same bytes back.

    KIND: property
    CHECKS: decode_chars(encode_bytes(x)) == x for any bytes x, valid UTF-8 or not
    WHY: tokens can end inside a UTF-8 character
    CATCHES: s05 s25 s27 s28 s31 s34 s36 m02 m04 m05
    """
    assert decode_chars(encode_bytes(data)) == data


@given(text=image_texts())
@example(text=IMAGE)
def test_roundtrip_text_of_the_alphabet(text: str) -> None:
    """Encoding what was decoded gives the same text back.

    KIND: property
    CHECKS: encode_bytes(decode_chars(t)) == t for any text t over the 256 characters
    WHY: every key of a vocabulary must come back as it was
    CATCHES: s01 s02 s03 s05 s25 s27 s28 s31 s34 s36 m02 m04 m05
    """
    assert encode_bytes(decode_chars(text)) == text


@given(text=utf8_texts())
@example(text="é")
@example(text="😀")
def test_roundtrip_utf8_text(text: str) -> None:
    """Text goes through its UTF-8 bytes: é is two characters, the emoji four.

    KIND: property
    CHECKS: as many characters as UTF-8 bytes, and decoding gives those bytes
    WHY: the map works on bytes, not on characters
    CATCHES: s05 s25
    """
    data = text.encode("utf-8")
    encoded = encode_bytes(data)
    assert (len(encoded), decode_chars(encoded)) == (len(data), data)


@given(text=image_texts(), strangers=characters_outside_image())
@example(text="", strangers=[" ", "\n", "\x7f", "\xa0", "\xad", "\u0144", "€"])
def test_decode_rejects_characters_outside_the_image(text: str, strangers: list[str]) -> None:
    """A character that stands for no byte is an error, wherever it is.

    KIND: boundary
    CHECKS: ValueError for " ", the newline, U+0144, € and all others, alone, before and behind good text, which by
        itself is decoded
    WHY: a corrupt vocabulary fails loudly
    CATCHES: s01 s02 s05 s26 s29 s30 s31 s33 s38 m01 m03 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m17
    """
    for stranger in strangers:
        for corrupt in (stranger, text + stranger, stranger + text):
            with pytest.raises(ValueError):
                decode_chars(corrupt)
    assert len(decode_chars(text)) == len(text)  # kept: what refuses everything must not pass


def test_decode_gives_bytes_that_can_be_a_key() -> None:
    """The result is bytes, which can be looked up, and no bytearray, which only compares like them.

    KIND: unit
    CHECKS: what decode_chars returns finds its entry in a dict keyed by bytes
    WHY: L1.2 keeps the ranks of tokens by their bytes
    CATCHES: s32
    """
    ids = {b"Hi": 17250}
    assert ids.get(decode_chars("Hi")) == 17250


def test_nothing_stands_for_nothing() -> None:
    """No bytes are the empty text, and the empty text is no bytes.

    KIND: boundary
    CHECKS: encode_bytes(b"") == "" and decode_chars("") == b""
    WHY: the empty text is a text: it has a tokenization, of no tokens
    CATCHES: s37
    """
    assert (encode_bytes(b""), decode_chars("")) == ("", b"")


@given(text=utf8_texts() | texts_with_lone_surrogates())
@example(text="abc")
def test_encode_rejects_str(text: str) -> None:
    """Text is not bytes.

    KIND: boundary
    CHECKS: encode_bytes("abc"), or any other str, is a TypeError, and the same text as bytes is encoded
    WHY: a forgotten .encode("utf-8") is a fault of the caller, to be told at once
    CATCHES: s09
    """
    with pytest.raises(TypeError):
        encode_bytes(text)  # type: ignore[arg-type]
    data = text.encode("utf-8", "surrogatepass")
    assert len(encode_bytes(data)) == len(data)  # kept: what refuses everything must not pass


def test_encode_rejects_the_empty_str() -> None:
    """Text is not bytes even where there is no character to stumble over.

    KIND: boundary
    CHECKS: encode_bytes("") is a TypeError, and encode_bytes(b"") is not
    WHY: a caller that forgot to encode learns it from the first test, not from the first long text
    CATCHES: s35
    """
    with pytest.raises(TypeError):
        encode_bytes("")  # type: ignore[arg-type]
    assert encode_bytes(b"") == ""  # kept: what refuses everything must not pass
