"""Text and bytes to ids."""

import re

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import (
    numbers_that_are_no_scalar_values,
    scalar_values,
    telling_texts,
    texts_around_a_surrogate,
)
from harness.bytelevel.strategies import byte_strings
from tinyllm.tok.byte_codec import (
    BOS_ID,
    EOS_ID,
    IGNORE_INDEX,
    VOCAB_SIZE,
    encode,
    encode_document,
    encode_raw,
    pad_batch,
    uniform_nll,
    utf8_encode,
)

ENDS_OF_LENGTHS = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]


def numbers_in(error: BaseException) -> list[str]:
    """The whole numbers that an error's message contains."""
    return re.findall(r"\b\d+\b", str(error))


# --- constants ----------------------------------------------------------------------------------------------------


def test_the_constants_are_those_that_the_functions_use() -> None:
    """Special ids come after the bytes, the vocabulary ends with them, and what a loss passes over is no id.

    KIND: unit
    CHECKS: BOS_ID is 256, EOS_ID 257, VOCAB_SIZE 258, IGNORE_INDEX -100; the empty document is made of the first two,
        the
        default of uniform_nll is the third, and padding has the fourth for its target
    WHY: a model's first and last layer have these sizes, and a loss this hole
    CATCHES: s07 s09 s11 s12 s43 s47 s48 s49 s50 s80 s81 s82 s83 s84 s88 m41 m42 m43 m46
    """
    assert (BOS_ID, EOS_ID, VOCAB_SIZE, IGNORE_INDEX) == (256, 257, 258, -100)
    assert encode_document("") == [BOS_ID, EOS_ID]
    assert uniform_nll(1) == uniform_nll(1, VOCAB_SIZE)
    assert pad_batch([[BOS_ID, EOS_ID]], 2) == ([[BOS_ID, EOS_ID]], [[EOS_ID, IGNORE_INDEX]])


# --- one code point -----------------------------------------------------------------------------------------------


def test_hand_example_spring() -> None:
    """春 comes out as on paper: U+6625 in payloads of four, six and six bits.

    KIND: unit
    CHECKS: utf8_encode(0x6625) is E6 98 A5; the ids are 230, 152, 165, and the document has 256 before and 257 behind
    WHY: you and the tests agree on the rule
    CATCHES: s07 s18 s43 s44 s47 s48 s49 m13 m14 m16
    """
    assert utf8_encode(0x6625) == bytes([224 + 6, 128 + 24, 128 + 37])
    assert encode("春") == [230, 152, 165]
    assert encode_document("春") == [256, 230, 152, 165, 257]


def test_utf8_at_the_ends_of_each_length() -> None:
    """Every length begins and ends where the standard says, and the surrogates are cut out.

    KIND: boundary
    CHECKS: utf8_encode of U+0000, 7F, 80, 7FF, 800, D7FF, E000, FFFF, 10000 and 10FFFF
    WHY: an off-by-one here loses one character, which no ordinary text holds
    CATCHES: s18 s32 s33 m01 m02 m03 m04 m05 m06 m07 m09 m12 m13 m14 m15 m16
    """
    for point in ENDS_OF_LENGTHS:
        assert utf8_encode(point) == chr(point).encode()


@given(code_points=scalar_values())
@example(code_points=[0x6625, 0x1F642])
def test_utf8_follows_the_standard_codec(code_points: list[int]) -> None:
    """Each code point is written as Python's codec writes it.

    KIND: property
    CHECKS: utf8_encode(u) == chr(u).encode("utf-8") for any scalar value u
    WHY: whoever reads the bytes has another decoder
    CATCHES: s18 s32 m13 m14 m16
    """
    for point in code_points:
        assert utf8_encode(point) == chr(point).encode()


@given(numbers=numbers_that_are_no_scalar_values())
@example(numbers=[-1, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0x1FFFFF])
def test_utf8_rejects_what_is_no_scalar_value(numbers: list[int]) -> None:
    """Surrogates, negatives and numbers past the end have no UTF-8.

    KIND: boundary
    CHECKS: utf8_encode raises ValueError for each
    WHY: bytes that no decoder takes back would stay in the data unnoticed
    CATCHES: s34 s35 s36 m08 m10 m11
    """
    for number in numbers:
        with pytest.raises(ValueError):
            utf8_encode(number)
    assert utf8_encode(97) == b"a"  # kept: what refuses everything must not pass


def test_utf8_rejects_what_is_no_integer() -> None:
    """A code point is an integer; a truth value, a float and a character are none.

    KIND: boundary
    CHECKS: utf8_encode raises TypeError for True, False, 65.0, "A" and None
    WHY: True would become U+0001 and a rounded float another character
    CATCHES: s37 s38
    """
    for value in (True, False, 65.0, "A", None):
        with pytest.raises(TypeError):
            utf8_encode(value)  # type: ignore[arg-type]
    assert utf8_encode(65) == b"A"  # kept: what refuses everything must not pass


# --- text ---------------------------------------------------------------------------------------------------------


@given(text=telling_texts())
@example(text="\ufeff e\u0301\u00e9\u212b\r\n\r\x00\t\u3000\n")
@example(text="EOS<eos>🙂")
def test_encode_gives_the_bytes_of_the_text_as_it_is(text: str) -> None:
    """No character is changed, dropped or added, and nothing that a text spells is special.

    KIND: property
    CHECKS: encode(t) is the list of the UTF-8 bytes of t: marks, blanks, line ends, NUL and "EOS" too
    WHY: another text has other bytes, and is another thing to predict
    CATCHES: s02 s03 s04 s13 s43 s44 s47 s160 s161
    """
    assert encode(text) == list(text.encode())


def test_looks_alike_stays_different() -> None:
    """Composed and decomposed é are two texts, and so are the ends of lines.

    KIND: unit
    CHECKS: the ids of "é" in one code point and in two, of CR LF, LF and CR, of "EOS" and of the byte order mark
    WHY: whoever normalises predicts normalised text, and has to say so
    CATCHES: s02 s03 s04 s13 s43 s44 s47 s160 s161
    """
    assert encode("\u00e9") == [0xC3, 0xA9]
    assert encode("e\u0301") == [0x65, 0xCC, 0x81]
    assert encode("\r\n") == [13, 10]
    assert encode(" \t") == [32, 9]
    assert encode("EOS") == [69, 79, 83]
    assert encode("\ufeff") == [0xEF, 0xBB, 0xBF]


@given(text=telling_texts())
@example(text="")
def test_a_document_is_its_body_between_bos_and_eos(text: str) -> None:
    """BOS stands once in front and EOS once behind, also around nothing.

    KIND: property
    CHECKS: encode_document(t) == [256, *bytes of t, 257]; the empty text is [256, 257]
    WHY: an empty document still has an end to be predicted
    CATCHES: s07 s43 s47 s48 s49 s50
    """
    assert encode_document(text) == [256, *text.encode(), 257]


@given(pieces=texts_around_a_surrogate())
@example(pieces=("0123456789é", "\ud800", ""))
@example(pieces=("", "\udfff", "a"))
def test_encode_rejects_a_lone_surrogate_and_says_where(pieces: tuple[str, str, str]) -> None:
    """What UTF-8 cannot write is an error, and the error can be found in the text.

    KIND: boundary
    CHECKS: encode and encode_document raise ValueError; the message contains the surrogate's index, counted in code
        points
    WHY: a replaced surrogate is another text, and a dropped one too
    CATCHES: s05 s39 s40 s41 s42 s44 s160
    """
    before, surrogate, behind = pieces
    for encoder in (encode, encode_document):
        with pytest.raises(ValueError) as caught:
            encoder(before + surrogate + behind)
        assert str(len(before)) in numbers_in(caught.value)


def test_encode_rejects_what_is_no_text() -> None:
    """Bytes, numbers and None are no text.

    KIND: boundary
    CHECKS: encode and encode_document raise TypeError, for b"" too
    WHY: str(b"a") is a text of four characters, and nobody meant it
    CATCHES: s13 s45 s46 s50
    """
    for value in (b"", b"abc", None, 65, ["a"]):
        for encoder in (encode, encode_document):
            with pytest.raises(TypeError):
                encoder(value)  # type: ignore[arg-type]
    assert encode("a") == [97]  # kept: what refuses everything must not pass


# --- bytes --------------------------------------------------------------------------------------------------------


@given(data=byte_strings())
@example(data=bytes(range(256)))
def test_raw_bytes_are_their_ids(data: bytes) -> None:
    """Any bytes can be encoded, text or not.

    KIND: property
    CHECKS: encode_raw(x) == list(x)
    WHY: a corpus holds files that are no UTF-8, and the vocabulary has all 256 bytes
    CATCHES: s51
    """
    assert encode_raw(data) == list(data)


def test_encode_raw_rejects_what_is_no_bytes() -> None:
    """Text is not bytes, and neither is a list of numbers.

    KIND: boundary
    CHECKS: encode_raw raises TypeError for "", "abc", None, 3 and [65]
    WHY: bytes(3) is three NUL bytes, and the bytes of a text depend on an encoding
    CATCHES: s52 s53
    """
    for value in ("", "abc", None, 3, [65], [300]):
        with pytest.raises(TypeError):
            encode_raw(value)  # type: ignore[arg-type]
    assert encode_raw(b"a") == [97]  # kept: what refuses everything must not pass
