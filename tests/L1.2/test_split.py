"""The first cut: GPT-2's pattern."""

from hypothesis import example, given

from harness.bytelevel.bpe_strategies import (
    BLANKS,
    FALSE_BLANKS,
    LETTERS,
    MARKS,
    NUMBERS,
    blank_runs,
    characters_in_context,
    contractions,
    mixed_alphabets,
)
from harness.bytelevel.oracles import gpt2_pieces
from harness.bytelevel.unicode_versions import agreed
from tinyllm.tok.bpe import pretokenize


def test_hand_example_pieces() -> None:
    """The worked examples are cut as on paper.

    KIND: unit
    CHECKS: words keep one space in front; contractions are pieces; a run of blanks leaves its last space to the
        next word
    WHY: no merge ever crosses a cut, so every id depends on the first of them
    CATCHES: s08 s09 s14 s15 m01
    """
    for text, pieces in (
        ("Hello world", ["Hello", " world"]),
        ("I'll don't", ["I", "'ll", " don", "'t"]),
        ("we're they've I'm he's I'd", ["we", "'re", " they", "'ve", " I", "'m", " he", "'s", " I", "'d"]),
        ("'SS 'Re", ["'", "SS", " '", "Re"]),
        ("x  y", ["x", " ", " y"]),
        ("x\n\n y  ", ["x", "\n\n", " y", "  "]),
        ("in 2019, 2.5!", ["in", " 2019", ",", " 2", ".", "5", "!"]),
        ("f(x) =  (1)", ["f", "(", "x", ")", " =", " ", " (", "1", ")"]),
        ("", []),
    ):
        assert pretokenize(text) == pieces


def test_every_blank_separates() -> None:
    """All 25 characters of White_Space are blanks, and no other is, whatever it looks like.

    KIND: boundary
    CHECKS: each blank and each look-alike, alone and in twos, before a letter, a digit, a full stop and the end
    WHY: str.isspace, ASCII tables and other languages' engines each know another set of blanks
    CATCHES: s10 s11 s09 m02
    """
    for blank in BLANKS + FALSE_BLANKS:
        for text in (f"a{blank}b", f"a{blank}{blank}b", f" {blank}1", f"{blank} .", f".{blank}", f"a{blank}"):
            assert pretokenize(text) == gpt2_pieces(text)


def test_every_kind_of_letter_number_and_mark() -> None:
    """A letter is a letter in every script, numbers are more than digits, and marks are neither.

    KIND: boundary
    CHECKS: one character of each category L*, N* and M*, after and before a letter, a digit, a space and a full stop
    WHY: a narrower class cuts words of other scripts apart, a wider one joins what GPT-2 has never seen joined
    CATCHES: s12 s13 s14
    """
    for character in agreed(LETTERS + NUMBERS + MARKS):
        for text in (f"a{character}a", f"1{character}1", f" {character}", f".{character}.", f"{character}'s"):
            assert pretokenize(text) == gpt2_pieces(text)


@given(text=characters_in_context())
@example(text="a\u0301b \u0663\xb2.a")
@example(text=" 1 \u2167\u30001\xa0x")
def test_pieces_of_characters_in_context(text: str) -> None:
    """Whatever stands between two neighbours is cut from them, or not, as GPT-2 does.

    KIND: property
    CHECKS: the pieces are those of GPT-2's pattern, for characters of every class between neighbours of every class
    WHY: a wrong class of characters shows only beside the right neighbour
    CATCHES: s12 s13 s14 s15
    """
    assert pretokenize(text) == gpt2_pieces(text)


@given(text=blank_runs())
@example(text="x  y")
@example(text="\x1c\x1ca")
@example(text="\u3000\u3000a")
def test_pieces_of_blank_runs(text: str) -> None:
    """A run of blanks before a word is one piece without its last blank; before nothing it is one piece.

    KIND: property
    CHECKS: the pieces are those of GPT-2's pattern, for runs of blanks and of what only looks blank
    WHY: indentation is most of source code
    CATCHES: s09 s10 s11
    """
    assert pretokenize(text) == gpt2_pieces(text)


@given(text=contractions())
@example(text="'RE")
@example(text="it\u2019s 's'")
def test_pieces_of_contractions(text: str) -> None:
    """Seven endings in lower case after the straight apostrophe are pieces of their own, and nothing else is.

    KIND: property
    CHECKS: the pieces are those of GPT-2's pattern, for endings in both cases, after both apostrophes, with
        a letter more
    WHY: cl100k_base ignores case here and GPT-2 does not; code for the one is not code for the other
    CATCHES: s08 m01
    """
    assert pretokenize(text) == gpt2_pieces(text)


@given(text=mixed_alphabets())
@example(text="")
def test_pieces_join_to_the_text(text: str) -> None:
    """Nothing is lost or added by the cut.

    KIND: property
    CHECKS: the pieces, joined, are the text, and none of them is empty
    WHY: what the cut drops, decoding cannot bring back
    CATCHES: -
    """
    pieces = pretokenize(text)
    assert ("".join(pieces), [piece for piece in pieces if not piece]) == (text, [])
