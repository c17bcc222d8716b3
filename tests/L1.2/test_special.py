"""Special tokens in text."""

from functools import lru_cache

import pytest
from hypothesis import example, given

from harness.bytelevel.bpe_strategies import texts_with_specials
from harness.bytelevel.small_vocabularies import byte_ids
from tinyllm.tok.bpe import Encoder

SPECIAL = {"<a>": 256, "<a><a>": 257, "<|b|>": 300}


@lru_cache
def encoder_with_specials() -> Encoder:
    """256 bytes, no merges, three special tokens of which one begins with another."""
    return Encoder(byte_ids(), [], special_tokens=SPECIAL)


def test_special_text_is_ordinary_text_unless_allowed() -> None:
    """What a user types never becomes a control token by itself.

    KIND: unit
    CHECKS: "x<a>y" is five bytes by default and with nothing or another token allowed, three ids with "<a>" allowed
    WHY: text that ends a document from inside is how prompts are injected
    CATCHES: s23
    """
    encoder = encoder_with_specials()
    ordinary, special = [87, 27, 64, 29, 88], [87, 256, 88]
    assert encoder.encode("x<a>y") == ordinary  # kept: nothing else here asks what is allowed by default
    for allowed, ids in (([], ordinary), (["<|b|>"], ordinary), ({"<a>"}, special), ("all", special)):
        assert encoder.encode("x<a>y", allowed_special=allowed) == ids


def test_the_longest_special_token_wins() -> None:
    """Where two allowed tokens begin at one place, the longer is meant.

    KIND: boundary
    CHECKS: "x<a><a>y" with both allowed; with the shorter alone allowed it is that one twice; three in a row
    WHY: which of the two matches must not depend on the order of a set
    CATCHES: s24
    """
    encoder = encoder_with_specials()
    for text, allowed, ids in (
        ("x<a><a>y", "all", [87, 257, 88]),
        ("x<a><a>y", ["<a>", "<a><a>"], [87, 257, 88]),
        ("x<a><a>y", ["<a>"], [87, 256, 256, 88]),
        ("<a><a><a>", "all", [257, 256]),
    ):
        assert encoder.encode(text, allowed_special=allowed) == ids


def test_a_special_token_parts_the_text() -> None:
    """The text before and after a special token is cut on its own.

    KIND: unit
    CHECKS: spaces before a special token are one piece, as at the end of a text; offsets count on
    WHY: the pattern looks ahead, and must not see the token
    CATCHES: -
    """
    encoder = Encoder(
        byte_ids() | {"\u0120\u0120": 400, "\u0120x": 401},
        [("\u0120", "\u0120"), ("\u0120", "x")],
        special_tokens=SPECIAL,
    )
    assert encoder.encode("x  <a> x", allowed_special="all") == [87, 400, 256, 401]
    for text, found in (
        ("x  <a> x", [(87, 0, 1), (400, 1, 3), (256, 3, 6), (401, 6, 8)]),
        ("<a>x<a>y<|b|>", [(256, 0, 3), (87, 3, 4), (256, 4, 7), (88, 7, 8), (300, 8, 13)]),
    ):
        assert encoder.encode_with_offsets(text, allowed_special="all") == found


def test_an_unknown_name_is_refused() -> None:
    """Allowing a token that does not exist is a mistake.

    KIND: boundary
    CHECKS: ValueError naming it, for "<c>" among known ones, for an ordinary token, and for a text in place of a list
    WHY: a misspelt name would leave the token as text, unnoticed
    CATCHES: s55
    """
    for allowed, name in ((["<a>", "<c>"], "<c>"), (["!"], "!"), ("<a", "<"), (["all"], "all")):
        with pytest.raises(ValueError) as caught:
            encoder_with_specials().encode("x", allowed_special=allowed)
        assert name in str(caught.value)


def test_an_empty_special_token_is_refused() -> None:
    """The empty text cannot be a token.

    KIND: boundary
    CHECKS: ValueError when the encoder is made
    WHY: it matches everywhere and moves nowhere: encoding would not end
    CATCHES: s56
    """
    with pytest.raises(ValueError):
        Encoder(byte_ids(), [], special_tokens={"": 256})
    sound = Encoder(byte_ids(), [], special_tokens={"<end>": 256})
    assert sound.vocab_size == 257  # kept: what refuses everything must not pass


def test_special_tokens_decode_to_their_text() -> None:
    """An id of a special token stands for its text.

    KIND: unit
    CHECKS: decode of ids with special tokens among them; special_ids shows text and id and is a copy
    WHY: whoever reads what a model wrote wants to see where it stopped
    CATCHES: s58
    """
    encoder = encoder_with_specials()
    assert (encoder.decode([87, 256, 300, 88]), encoder.special_ids) == ("x<a><|b|>y", SPECIAL)


@given(text=texts_with_specials(list(SPECIAL)))
@example(text="<a><a><|b|>")
@example(text="<a <a><a>")
def test_special_tokens_in_any_text(text: str) -> None:
    """Allowed or not, special tokens and their beginnings change nothing but their own ids.

    KIND: property
    CHECKS: decoding gives the text back both ways; no special id unless allowed; allowed, no special text is left over
    WHY: a document boundary is where texts of strangers are joined
    CATCHES: s23
    """
    encoder = encoder_with_specials()
    ordinary = encoder.encode(text)
    parted = encoder.encode(text, allowed_special="all")
    assert (encoder.decode(ordinary), encoder.decode(parted)) == (text, text)
    assert [number for number in ordinary if number > 255] == []
    plain = encoder.decode([number if number < 256 else 188 for number in parted])  # 188 is NUL, which is in no token
    assert [token for token in SPECIAL if token in plain] == []
