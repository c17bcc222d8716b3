"""What a model generated: shown, counted, constrained, streamed."""

from itertools import product

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import UNFINISHED, any_ids, legal_ids, numbers_that_are_no_ids, utf8_prefixes
from tinyllm.tok.byte_codec import StreamDecoder, allowed_next, illegal_rate, render

ONE_BYTE_OF_EACH_CLASS = bytes.fromhex("41 80 90 A0 C0 C2 E0 E1 ED F0 F1 F4 F5")

ASCII_OR_LEAD = {*range(0x80), *range(0xC2, 0xF5)}
CONTINUATION = set(range(0x80, 0xC0))


def bytes_among(ids: list[int]) -> bytes:
    """The bytes of `ids`, without BOS and EOS."""
    return bytes(token_id for token_id in ids if token_id < 256)


# --- render -------------------------------------------------------------------------------------------------------


@given(ids=legal_ids())
@example(ids=[256, 0xEF, 0xBF, 0xBD, 257, 97])
def test_legal_text_is_shown_as_it_is(ids: list[int]) -> None:
    """Where the bytes are UTF-8, nothing is replaced, and nothing says so.

    KIND: property
    CHECKS: render(ids) has the text of the bytes, valid_utf8 true and replaced false; a generated U+FFFD is no
        replacement
    WHY: the share of illegal generations is counted by this
    CATCHES: s93 s95 s101 s102
    """
    shown = render(ids)
    expected = (bytes_among(ids).decode(), True, False)
    assert (shown.text, shown.valid_utf8, shown.replaced) == expected


@given(ids=any_ids())
@example(ids=[255, 257])
@example(ids=[97, 255, 255, 97, 230, 152, 257, 97])
def test_illegal_bytes_are_replaced_and_it_is_said(ids: list[int]) -> None:
    """A reader sees the rest of the text, and learns that it was changed.

    KIND: property
    CHECKS: render(ids) has the text with U+FFFD for each maximal subpart of what is illegal, valid_utf8 false and
        replaced true
    WHY: a text with replacements is not what the model generated
    CATCHES: s06 s94 s96 s97 s98 s99 s100 s101 s102
    """
    broken = [*ids, 0xFF]
    shown = render(broken)
    expected = (bytes_among(broken).decode(errors="replace"), False, True)
    assert (shown.text, shown.valid_utf8, shown.replaced) == expected


@given(ids=any_ids())
@example(ids=[256, 255, 0, 257, 97, 257])
def test_generated_ids_are_kept_as_they_were(ids: list[int]) -> None:
    """The record holds every id, legal or not, special or not.

    KIND: property
    CHECKS: render(ids).generated_ids are the ids
    WHY: the text cannot be turned back into what was generated
    CATCHES: s25 s102 s103
    """
    assert list(render(ids).generated_ids) == ids


def test_all_four_tuples_of_byte_classes_are_shown_as_the_standard_codec_shows_them() -> None:
    """With one byte for each class of UTF-8, all sequences of four come out right.

    KIND: golden
    CHECKS: render of all 28,561 four-tuples, each followed by a newline, in one call
    WHY: what is legal depends on up to four bytes, and on nothing beyond their classes
    CATCHES: s96 s97 s98 s99 s100
    """
    data = b"".join(bytes(four) + b"\n" for four in product(ONE_BYTE_OF_EACH_CLASS, repeat=4))
    shown = render(list(data)).text.split("\n")
    assert shown == data.decode(errors="replace").split("\n")


@given(ids=any_ids(), number=numbers_that_are_no_ids())
@example(ids=[255], number=-1)
@example(ids=[], number=258)
def test_render_rejects_what_is_no_id(ids: list[int], number: int) -> None:
    """An id that the vocabulary does not have is a fault of the caller and no illegal text.

    KIND: boundary
    CHECKS: render and StreamDecoder.push raise ValueError for ids outside 0 to 257
    WHY: replaced in silence, a wrong vocabulary would pass for a bad model
    CATCHES: s22 s54 s55 s163 s164
    """
    with pytest.raises(ValueError):
        render([*ids, number])
    with pytest.raises(ValueError):
        StreamDecoder().push(number)
    assert render(ids) is not None  # kept: what refuses everything must not pass


# --- the rate of illegal generations ------------------------------------------------------------------------------


def test_illegal_rate_counts_illegal_generations() -> None:
    """The rate is of generations, whatever they look like.

    KIND: unit
    CHECKS: of 5 generations 2 are illegal; a generated U+FFFD and an empty generation are legal
    WHY: a rate is read by people who do not see the texts
    CATCHES: s06 s93 s104
    """
    samples = [[255, 255, 255], [0xEF, 0xBF, 0xBD], [], [97, 230, 257], [257, 97]]
    rate = illegal_rate([render(ids) for ids in samples], protocol="greedy")
    assert (rate.count, rate.total) == (2, 5)


def test_the_interval_is_wilsons() -> None:
    """The ends are those rates from which the observed one is 1.96 standard errors away.

    KIND: property
    CHECKS: (k/n - p)² = z² p (1 - p) / n at both ends, low and high, for n of 1, 2, 7 and 40 and several k
    WHY: a rate of 0 after ten samples may well be a rate of a quarter
    CATCHES: s06 s104 s105 s106 s107 s166 m44 m45
    """
    legal, illegal = render([97]), render([255])
    for total, counts in ((1, (0, 1)), (2, (0, 1, 2)), (7, (0, 3, 7)), (40, (0, 1, 20, 39, 40))):
        for count in counts:
            rate = illegal_rate([illegal] * count + [legal] * (total - count), protocol="greedy")
            share = count / total
            for end in (rate.low, rate.high):
                assert (share - end) ** 2 == pytest.approx(1.96**2 * end * (1 - end) / total, rel=1e-3, abs=1e-6)
            assert rate.low < rate.high


def test_a_rate_needs_samples_and_a_protocol() -> None:
    """Nothing was measured without samples, and nothing is said without the way they were drawn.

    KIND: boundary
    CHECKS: illegal_rate raises ValueError for no generations and for an empty protocol
    WHY: one greedy sample and a thousand at temperature 1 are not the same fact
    CATCHES: s108 s109
    """
    with pytest.raises(ValueError):
        illegal_rate([], protocol="greedy")
    with pytest.raises(ValueError):
        illegal_rate([render([97])], protocol="")
    assert illegal_rate([render([97])], protocol="greedy") is not None  # kept: what refuses everything must not pass


# --- legal generation ---------------------------------------------------------------------------------------------


def follows(prefix: bytes) -> set[int]:
    """The ids that may follow `prefix`, which can still become UTF-8, as Python's strict codec sees it.

    A byte may follow where some ending makes the whole UTF-8; the endings tried lie within every second range.
    """
    endings = (b"", b"\x80", b"\xbf", b"\x80\x80", b"\xa0\x80", b"\x80\x80\x80", b"\x90\x80\x80")
    allowed = {byte for byte in range(256) if any(is_utf8(prefix + bytes([byte]) + ending) for ending in endings)}
    return allowed | {257} if is_utf8(prefix) else allowed


def is_utf8(data: bytes) -> bool:
    """Whether Python's strict codec takes `data`."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_allowed_next_after_every_kind_of_beginning() -> None:
    """A byte is allowed where some text goes on with it, and EOS where the text may stop.

    KIND: golden
    CHECKS: allowed_next against Python's strict codec, for nothing, whole characters of every length and
        25 beginnings of characters
    WHY: a model that picks among these ids alone cannot generate illegal text
    CATCHES: s28 s110 s111 s112 s116 s117 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27 m28 m29 m30 m31 m32 m33 m34
        m35 m36 m37 m38
    """
    last_of_each_length = [end.encode() for end in ("\x7f", "\u07ff", "\uffff", "\U0010ffff")]
    for prefix in (b"", b"\x00", "春".encode(), *last_of_each_length, *UNFINISHED):
        assert allowed_next(prefix) == follows(prefix)


@given(prefix=utf8_prefixes())
@example(prefix=b"\xc2")
@example(prefix="春🙂".encode())
def test_a_constraint_knows_where_it_stands(prefix: bytes) -> None:
    """What is allowed depends on the unfinished character, whatever stands before it.

    KIND: property
    CHECKS: allowed_next(prefix) holds EOS where prefix is UTF-8, with every byte that can begin a character, and else
        continuation bytes alone
    WHY: a text may end between characters only, and may always go on
    CATCHES: s110 s111 s112 s117 m17 m18 m19 m20 m21 m22
    """
    allowed = set(allowed_next(prefix))
    if is_utf8(prefix):
        assert allowed == ASCII_OR_LEAD | {257}
    else:
        assert allowed - CONTINUATION == set()


def test_an_illegal_prefix_has_no_next() -> None:
    """What cannot become UTF-8 any more is an error, wherever the fault lies.

    KIND: boundary
    CHECKS: allowed_next raises ValueError for illegal first, second and later bytes, with and without good text around
        them
    WHY: a constraint that is asked too late must not go on as if nothing had happened
    CATCHES: s113 s114 s115 m17 m20 m23 m26 m27 m30
    """
    first = ("80", "C0", "C1", "F5", "FF")
    second = ("E080", "E09F", "EDA0", "EDBF", "F080", "F08F", "F490", "F4BF", "C261")
    later = ("C28080", "E18061", "E180C2", "F18061", "F1808061")
    for fault in map(bytes.fromhex, (*first, *second, *later)):
        for prefix in (fault, b"a" + fault, "春".encode() + fault, fault + b"a", fault + b"\xc2"):
            with pytest.raises(ValueError):
                allowed_next(prefix)
    assert allowed_next(b"a")  # kept: what refuses everything must not pass


# --- streaming ----------------------------------------------------------------------------------------------------


def streamed(ids: list[int]) -> list[str]:
    """What a new decoder shows at each push and, last, at the end."""
    decoder = StreamDecoder()
    return [*(decoder.push(token_id) for token_id in ids), decoder.flush()]


@given(ids=any_ids())
@example(ids=[230, 257, 152, 256, 165])
@example(ids=[0xE0, 0xA0, 0xFF, 0xED, 0xA0, 0x80, 0xF0, 0x9F, 0x98])
def test_a_stream_shows_the_same_as_the_whole(ids: list[int]) -> None:
    """Id by id, the same text appears as if all had been shown at once.

    KIND: property
    CHECKS: what push and flush give, joined, is the text of the bytes with replacement, special ids skipped
    WHY: a reader who watches and a reader who waits read one text
    CATCHES: s29 s118 s120 s121 s122 s123
    """
    assert "".join(streamed(ids)) == bytes_among(ids).decode(errors="replace")


@given(ids=legal_ids())
@example(ids=[97, 230, 256, 152, 165, 0xF0, 0x9F, 0x99, 0x82])
def test_a_character_is_shown_with_its_last_byte(ids: list[int]) -> None:
    """Never half a character, and never later than it is whole.

    KIND: property
    CHECKS: on legal ids, each push gives the character that its byte completes, or nothing; flush gives nothing
    WHY: text is to be read while it comes
    CATCHES: s118 s119 s120 s121
    """
    expected: list[str] = []
    pending = b""
    for token_id in ids:
        pending += bytes_among([token_id])
        whole = is_utf8(pending)
        expected.append(pending.decode() if whole else "")
        pending = b"" if whole else pending
    assert streamed(ids) == [*expected, ""]


@given(ids=any_ids())
@example(ids=[255])
@example(ids=[0xE6, 0x98])
def test_illegal_bytes_do_not_hold_up_the_text(ids: list[int]) -> None:
    """Once a letter comes, all before it has been shown, legal or not.

    KIND: property
    CHECKS: after any ids and an ASCII letter, push has given all of the text, and flush gives nothing
    WHY: a decoder that waits until illegal bytes become legal shows nothing more
    CATCHES: s30 s118 s119 s122 s123
    """
    *shown, rest = streamed([*ids, 97])
    assert ("".join(shown), rest) == (bytes_among([*ids, 97]).decode(errors="replace"), "")


def test_flush_ends_one_text_and_the_next_begins() -> None:
    """The tail is shown once, and nothing of it stays.

    KIND: unit
    CHECKS: flush gives U+FFFD for a character cut short, then nothing; the next text is shown as by a new decoder
    WHY: one decoder may serve many answers
    CATCHES: s29 s30 s118 s119 s120 s122 s123 s124
    """
    decoder = StreamDecoder()
    shown = [decoder.push(97), decoder.push(230), decoder.flush(), decoder.flush(), decoder.push(152), decoder.push(98)]
    assert shown == ["a", "", "\ufffd", "", "\ufffd", "b"]


def test_two_streams_do_not_mix() -> None:
    """Each decoder has its own text.

    KIND: unit
    CHECKS: two decoders, fed in turn with the bytes of é and of è, show one each
    WHY: a server streams many answers at once
    CATCHES: s118 s119 s120 s125
    """
    first, second = StreamDecoder(), StreamDecoder()
    shown = [first.push(0xC3), second.push(0xC3), first.push(0xA9), second.push(0xA8)]
    assert shown == ["", "", "é", "è"]
