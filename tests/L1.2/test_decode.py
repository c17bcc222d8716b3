"""Ids to bytes and text."""

from functools import lru_cache

import pytest
from hypothesis import example, given

from harness.bytelevel.bpe_strategies import id_lists, unknown_ids
from harness.bytelevel.oracles import tiktoken_slice
from harness.bytelevel.small_vocabularies import gpt2_slice
from tinyllm.tok.bpe import Encoder, StreamDecoder

SLICE = gpt2_slice()
BYTES = tiktoken_slice().token_bytes()
NUMBERS = sorted(BYTES)


@lru_cache
def slice_encoder() -> Encoder:
    """The subject over the slice; nothing that a test does may change it."""
    return Encoder(SLICE.ids, SLICE.merges, special_tokens={"<|endoftext|>": 50256})


def test_hand_example_decode() -> None:
    """The worked examples decode as on paper: bytes are joined first.

    KIND: golden
    CHECKS: two words; a space before punctuation stays; a character made of two tokens; no ids; half a character
    WHY: a token may hold half a character, which is no text of its own
    CATCHES: s17 s18 s59
    """
    encoder = slice_encoder()
    for ids, text in (
        ([31373, 995], "hello world"),
        ([64, 220, 30], "a ?"),
        ([447, 250], "\u201c"),
        ([47249, 222, 995], "\U0001f600 world"),
        ([447, 995], "\ufffd world"),
        ([], ""),
    ):
        assert encoder.decode(ids) == text


def test_every_id_has_its_bytes() -> None:
    """Each id of the vocabulary, alone, decodes to the bytes that tiktoken gives it.

    KIND: golden
    CHECKS: decode_bytes([id]) for every id of the slice, special token included, and for a token of a hundred bytes
    WHY: one wrong entry shows only when its token is met
    CATCHES: m12
    """
    encoder = slice_encoder()
    assert [number for number in NUMBERS if encoder.decode_bytes([number]) != BYTES[number]] == []
    assert Encoder({"-" * 100: 7}, []).decode_bytes([7]) == b"-" * 100


@given(ids=id_lists(BYTES))
@example(ids=[447, 250])
@example(ids=[])
def test_decoding_joins_the_bytes(ids: list[int]) -> None:
    """The bytes of a list are those of its ids, joined, and the text is those bytes read once.

    KIND: property
    CHECKS: decode_bytes(ids) and decode(ids), whose broken bytes are replaced as Python replaces them
    WHY: models stop, and are cut off, inside characters
    CATCHES: s17 s18
    """
    data = b"".join(BYTES[number] for number in ids)
    assert (slice_encoder().decode_bytes(ids), slice_encoder().decode(ids)) == (data, data.decode("utf-8", "replace"))


def test_errors_says_what_becomes_of_broken_bytes() -> None:
    """The caller's word comes before the encoder's, and that before "replace".

    KIND: unit
    CHECKS: "strict", "ignore" and "replace", given to the encoder or to the call; strict is a ValueError
    WHY: an evaluation must fail where a page shows a mark
    CATCHES: s18 s19
    """
    strict = Encoder(SLICE.ids, SLICE.merges, "strict")
    broken = [64, 447, 65]
    assert slice_encoder().decode(broken) == "a\ufffdb"
    assert slice_encoder().decode(broken, errors="ignore") == "ab"  # kept: nothing else here asks what is ignored
    assert strict.decode(broken, errors="replace") == "a\ufffdb"  # kept: nor that the call's word counts
    for encoder, errors in ((strict, None), (slice_encoder(), "strict")):
        with pytest.raises(ValueError):  # kept: nothing else here asks what is strict
            encoder.decode(broken, errors=errors)


@given(number=unknown_ids(BYTES))
@example(number=-1)
@example(number=50257)
@example(number=2**32 + 64)
@example(number=50000)
def test_unknown_ids_are_refused(number: int) -> None:
    """An id that no token has is an error that names it: negative, in a gap, past the end, or far past it.

    KIND: boundary
    CHECKS: ValueError whose message holds the id, from decode and decode_bytes, alone and among good ids
    WHY: padding of -100, and logits of a padded embedding, reach decode
    CATCHES: s30 s31 s62
    """
    for ids in ([number], [64, number, 65]):
        for decode in (slice_encoder().decode, slice_encoder().decode_bytes):
            with pytest.raises(ValueError) as caught:
                decode(ids)
            assert str(number) in str(caught.value)


def test_what_is_no_integer_is_no_id() -> None:
    """Floats, texts, None and booleans are refused, even where they equal an id.

    KIND: boundary
    CHECKS: TypeError for 1.0, "64", None, True and False
    WHY: a mask in the place of ids would decode to exclamation and quotation marks
    CATCHES: s41
    """
    for number in (1.0, "64", None, True, False):
        with pytest.raises(TypeError):
            slice_encoder().decode([number])
    assert slice_encoder().decode([64]) == "a"  # kept: what refuses everything must not pass


# --- as it comes --------------------------------------------------------------------------------------------------


def streamed(encoder: Encoder, ids: list[int]) -> list[str]:
    """What is shown after each id, and at the end."""
    stream = StreamDecoder(encoder)
    return [*(stream.push(number) for number in ids), stream.flush()]


def test_hand_example_stream() -> None:
    """The worked examples are shown piece by piece, as soon as the bytes allow.

    KIND: golden
    CHECKS: a character of two tokens comes with the second; broken bytes are given up at the next; the rest at the end
    WHY: a page that shows half a character shows a mark that goes away again
    CATCHES: s39 s53 s54
    """
    encoder = slice_encoder()
    for ids, shown in (
        ([31373, 995], ["hello", " world", ""]),
        ([447, 250], ["", "\u201c", ""]),
        ([47249, 222], ["", "\U0001f600", ""]),
        ([447, 15496], ["", "\ufffdHello", ""]),
        ([64, 447], ["a", "", "\ufffd"]),
        ([], [""]),
    ):
        assert streamed(encoder, ids) == shown


@given(ids=id_lists(BYTES))
@example(ids=[447, 250, 447])
@example(ids=[447, 447, 64])
def test_a_stream_shows_what_decoding_gives(ids: list[int]) -> None:
    """All that a stream has shown is what decoding gives at once, and after flush it begins anew.

    KIND: property
    CHECKS: the shown parts joined are decode(ids); so are those of the same stream used a second time
    WHY: what was read while it came must be what is kept
    CATCHES: s39 s53
    """
    stream = StreamDecoder(slice_encoder())
    for _ in range(2):
        shown = [*(stream.push(number) for number in ids), stream.flush()]
        assert "".join(shown) == slice_encoder().decode(ids)


def test_a_stream_refuses_what_decoding_refuses() -> None:
    """A bad id is an error, and the stream goes on as if it had not come.

    KIND: boundary
    CHECKS: ValueError for -1 and 50257, TypeError for True, in the middle of a character that then is finished
    WHY: a stream that breaks on one id has to be able to go on, or be seen to have broken
    CATCHES: s30 s31 s41
    """
    stream = StreamDecoder(slice_encoder())
    before = stream.push(447)
    for number in (-1, 50257):
        with pytest.raises(ValueError):
            stream.push(number)
    with pytest.raises(TypeError):  # kept: nothing else here pushes what is no id
        stream.push(True)
    assert (before, stream.push(250)) == ("", "\u201c")


def test_two_streams_do_not_mix() -> None:
    """Two streams over one encoder each finish their own characters.

    KIND: boundary
    CHECKS: halves of two characters pushed in turn
    WHY: a server shows many answers at once
    CATCHES: s71
    """
    encoder = slice_encoder()
    one, other = StreamDecoder(encoder), StreamDecoder(encoder)
    shown = [one.push(447), other.push(47249), one.push(250), other.push(222)]
    assert shown == ["", "", "\u201c", "\U0001f600"]
