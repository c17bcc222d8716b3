"""Ids to bytes and text."""

import re

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import (
    any_ids,
    ids_with_one_fault,
    legal_ids,
    numbers_that_are_no_ids,
    telling_texts,
)
from tinyllm.tok.byte_codec import (
    StreamDecoder,
    decode,
    decode_bytes,
    encode_document,
    encode_raw,
    pad_batch,
    render,
    shift,
    until_eos,
)

ONE_BYTE_OF_EACH_CLASS = bytes.fromhex("41 80 90 A0 C0 C2 E0 E1 ED F0 F1 F4 F5")
"""Bytes within one class may be exchanged anywhere without making legal UTF-8 illegal, or the other way round."""

BEGINNINGS = tuple(
    bytes.fromhex(digits)
    for digits in (
        *("", "C2", "E0", "E1", "ED", "F0", "F1", "F4", "E0A0", "E180", "E190", "E1A0", "ED80", "ED90"),
        *("F090", "F0A0", "F180", "F190", "F1A0", "F480", "F09080", "F18080", "F48080"),
    )
)
"""What can still become a character: all of one byte and two of those classes, and some of three."""


def numbers_in(error: BaseException) -> list[str]:
    """The whole numbers that an error's message contains."""
    return re.findall(r"\b\d+\b", str(error))


def is_utf8(data: bytes) -> bool:
    """Whether Python's strict codec takes `data`."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- round trips --------------------------------------------------------------------------------------------------


@given(text=telling_texts())
@example(text="\ufeff e\u0301\u00e9\u212b\r\n\r\x00\t\u3000\n")
@example(text="春🙂")
def test_decoding_a_document_gives_the_text_back(text: str) -> None:
    """What was encoded comes back as it was.

    KIND: property
    CHECKS: decode(encode_document(t)) == t
    WHY: the vocabulary covers every text, also the character that no training text held
    CATCHES: s01 s02 s03 s04 s24 s26 s43 s44 s61 s65 s71 s160 s161 m39
    """
    assert decode(encode_document(text)) == text


def test_raw_bytes_come_back() -> None:
    """Every byte has an id, and every id of a byte leads back, 0 first of all.

    KIND: unit
    CHECKS: decode_bytes(encode_raw(x)) == x for all 256 bytes in one call
    WHY: 0 is a byte and no sign of absence
    CATCHES: s01 s51
    """
    every_byte = bytes(range(256))
    assert decode_bytes(encode_raw(every_byte)) == every_byte


# --- special ids --------------------------------------------------------------------------------------------------


@given(ids=any_ids())
@example(ids=[256, 230, 257, 152, 165, 257, 0, 256])
def test_special_ids_are_skipped_wherever_they_stand(ids: list[int]) -> None:
    """BOS and EOS stand for no byte, at the ends, in between, or twice.

    KIND: property
    CHECKS: decode_bytes(ids) is the bytes among the ids, in order
    WHY: decoding shows; where a text ends is for the loop that generates
    CATCHES: s01 s60 s61 m39
    """
    assert decode_bytes(ids) == bytes(token_id for token_id in ids if token_id < 256)


@given(ids=legal_ids())
@example(ids=[256, 0xEF, 0xBB, 0xBF, 230, 257, 152, 256, 165, 13, 10, 257, 0])
def test_bytes_are_joined_before_they_are_decoded(ids: list[int]) -> None:
    """A character is whole although a special id stands between its bytes.

    KIND: property
    CHECKS: decode(ids) is the text of all bytes among the ids, joined, where that is UTF-8
    WHY: tokens cut characters, so no part can be decoded alone
    CATCHES: s01 s08 s24 s26 s60 s61 s62 s65 s71 m39
    """
    assert decode(ids) == bytes(token_id for token_id in ids if token_id < 256).decode()


# --- illegal bytes ------------------------------------------------------------------------------------------------


def test_hand_example_illegal_generations() -> None:
    """Coverage of all texts does not make all ids text.

    KIND: unit
    CHECKS: decode raises ValueError for [255, 257], a byte that begins nothing, and [230, 257], a character cut short,
        and
        for C0 AF, a slash in two bytes
    WHY: a model can give any byte after any other
    CATCHES: s19 s24 s63 s64 s65 s66
    """
    for ids in ([255, 257], [230, 257], [0xC0, 0xAF]):
        with pytest.raises(ValueError):
            decode(ids)
    assert decode([97]) == "a"  # kept: what refuses everything must not pass


def test_decode_takes_no_step_off_utf8() -> None:
    """After each beginning of a character, every class of byte is taken or rejected as the standard says.

    KIND: boundary
    CHECKS: decode against Python's strict codec on each beginning, alone, and with a byte of each class behind it and
        up to
        two continuation bytes to fill the character up
    WHY: overlong forms, surrogates and code points past the end hide behind right prefixes
    CATCHES: s19 s20 s21 s24 s63 s64 s65 s66
    """
    steps = [bytes([byte]) + filling for byte in ONE_BYTE_OF_EACH_CLASS for filling in (b"", b"\x80", b"\x80\x80")]
    for beginning in BEGINNINGS:
        for step in (b"", *steps):
            data = beginning + step
            if is_utf8(data):
                assert decode(list(data)) == data.decode()
            else:
                with pytest.raises(ValueError):
                    decode(list(data))


@given(parts=ids_with_one_fault())
@example(parts=([256, *b"0123456789", 0xC3, 0xA9, 256], (0xE6, 0x98), [97]))
@example(parts=([], (0xED, 0xA0, 0x80), []))
def test_decode_says_where_the_offending_sequence_starts(
    parts: tuple[list[int], tuple[int, ...], list[int]],
) -> None:
    """The error names the offset in the joined bytes at which nothing legal goes on.

    KIND: boundary
    CHECKS: decode raises ValueError for legal ids with an illegal sequence behind them; the message contains the number
        of
        bytes before that sequence, special ids not counted
    WHY: the offset is looked up in the bytes, where no special ids are
    CATCHES: s20 s24 s60 s61 s62 s63 s64 s65 s67 s68 s69 s70
    """
    legal, fault, behind = parts
    with pytest.raises(ValueError) as caught:
        decode([*legal, *fault, *behind])
    assert str(len(bytes(token_id for token_id in legal if token_id < 256))) in numbers_in(caught.value)


# --- what is no id ------------------------------------------------------------------------------------------------


@given(ids=legal_ids(), number=numbers_that_are_no_ids())
@example(ids=[256, *b"0123456789"], number=-1)
@example(ids=[], number=258)
@example(ids=[97], number=-258)
def test_an_id_outside_the_vocabulary_is_named_with_its_position(ids: list[int], number: int) -> None:
    """Id 300 is a fault, and the error tells which id and where.

    KIND: boundary
    CHECKS: decode_bytes and decode raise ValueError; the message contains the id and its position, special ids counted
    WHY: ids of another vocabulary would be shown as text that nobody wrote
    CATCHES: s22 s54 s55 s57 s58 s59 m40
    """
    for decoder in (decode_bytes, decode):
        with pytest.raises(ValueError) as caught:
            decoder([*ids, number, 97])
        shown = numbers_in(caught.value)
        assert str(abs(number)) in shown
        assert str(len(ids)) in shown


def test_everything_that_takes_ids_rejects_a_truth_value() -> None:
    """True is no id, and neither is a float, a numeral or None.

    KIND: boundary
    CHECKS: TypeError from decode_bytes, decode, until_eos, shift, pad_batch, render and StreamDecoder.push
    WHY: a mask that was passed for ids would be decoded as control characters
    CATCHES: s23 s56 s162 s164
    """
    for value in (True, False, 97.0, "97", None):
        ids = [97, value, 97]
        for call in (decode_bytes, decode, until_eos, shift, render):
            with pytest.raises(TypeError):
                call(ids)  # type: ignore[operator]
        with pytest.raises(TypeError):
            pad_batch([[256, value, 257]], 4)  # type: ignore[list-item]
        with pytest.raises(TypeError):
            StreamDecoder().push(value)  # type: ignore[arg-type]
    assert [decode_bytes([97]), decode([97])] == [b"a", "a"]  # kept: what refuses everything must not pass
