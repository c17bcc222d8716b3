"""Every Hypothesis strategy of byte-level BPE: the texts, tables, ids and files at which tokenizers go wrong.

They come from a measurement of 47 public tokenizers. What told the faulty ones apart was seldom an odd character and
nearly always an odd character beside the right neighbour: a wrong character class shows only where a boundary moves.
So most strategies here put characters into contexts, and one draw holds many contexts.

Characters on which the installed `regex` and tiktoken disagree (`unicode_versions`) are never drawn.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from harness.bytelevel.oracles.bpe import merged
from harness.bytelevel.oracles.byte_maps import gpt2_byte_map
from harness.bytelevel.small_vocabularies import gpt2_slice
from harness.bytelevel.strategies import instead_of
from harness.bytelevel.unicode_versions import agreed, scalar_values

Merges: TypeAlias = list[tuple[str, str]]

T = TypeVar("T")


def _some_of(items: Sequence[T]) -> SearchStrategy[list[T]]:
    """Some of `items` in their order, each there in nearly half of the draws; shrinks towards none."""
    count = (len(items) + 7) // 8
    masks = st.binary(min_size=count, max_size=count).map(lambda drawn: int.from_bytes(drawn, "little"))
    return masks.map(lambda mask: [item for place, item in enumerate(items) if mask >> place & 1])


def _several_of(items: Sequence[T], *, most: int) -> SearchStrategy[list[T]]:
    """Up to `most` of `items`, each as likely as any other, repetitions allowed; shrinks towards fewer, and the first.

    All come out of two draws, three bytes each, since a draw for every item costs more than the tests do. Two, because
    Hypothesis makes a single one short.
    """
    half = st.binary(max_size=3 * (most // 2))
    return st.tuples(half, half).map(lambda halves: [item for drawn in halves for item in _picked(items, drawn)])


def _picked(items: Sequence[T], drawn: bytes) -> list[T]:
    places = (int.from_bytes(drawn[start : start + 3], "big") for start in range(0, len(drawn), 3))
    return [items[place % len(items)] for place in places]


# --- characters ---------------------------------------------------------------------------------------------------

BLANKS = "".join(
    map(
        chr,
        (9, 10, 11, 12, 13, 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
    )
)
"""All of White_Space, which is what `\\s` means in GPT-2's pattern."""

FALSE_BLANKS = "\x1c\x1d\x1e\x1f\u180e\u200b\u200c\u200d\u2060\ufeff\xad\u2800\u3164\x00\x08"
"""What looks like a blank or is one to some function: `str.isspace` takes the first four, JavaScript U+FEFF."""

LETTERS = (
    "aZ\xe9\xdf\xaa\u0131\u017f\u212a\u01c5\u02b0\u03a9\u0416\u05d0\u0639\u0915\u0e01\u1100\u30a2"
    "\u4e2d\uac00\ufb01\U00010400\U0001d400\U00020000"
)
"""Of each category of letters and of many scripts; U+0131, U+017F and U+212A fold to i, s and k, or nearly."""

DIGITS = "07\u0663\u0967\uff15\U0001d7d8"
OTHER_NUMBERS = "\u2167\u3007\u16ee\xb2\xbd\u2460\u2474\u0bf0\U00010107"
"""Letters that are numbers (Nl) and other numbers (No), which `\\d` leaves out."""

NUMBERS = DIGITS + OTHER_NUMBERS

MARKS = "\u0301\u0308\u0610\u093f\u094d\u0e31\u20dd\u3099\ufe0f\U000e0100"
"""Combining characters (Mn, Mc, Me): neither letters nor numbers to GPT-2, whatever they complete."""

SYMBOLS = "!'\"#$.,-_()\xb7\u2019\u02bc\uff07\u2014\u20ac\u2211\u3001\u25cc\U0001f600\U0001f3fd\ufffd"
CONTROLS = "\x00\x01\x04\x1b\x7f\x80\x9f\u061c\u200e\U000e0001"
UNASSIGNED = "\u0378\ufdd0\uffff\ue000\U000f0000\U0010ffff\U0005ffff"
"""Code points without a character: reserved, noncharacters, private."""

RECENT = "\u08c8\u0c5d\u1df9\ua7d3\U0001e030\u0cf3\U0001fae8\U00011f00\U00031350"
"""Assigned by Unicode 14 and 15, so strange to older tables."""

EMOJI = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family, joined
    "\U0001f44d\U0001f3fd",  # a skin tone
    "\U0001f1e6\U0001f1f9",  # a flag
    "1\ufe0f\u20e3",  # a keycap: digit, selector, enclosing mark
    "\u2764\ufe0f",
)

ALPHABETS = (
    "hello",
    "\u041f\u0440\u0438\u0432\u0435\u0442",
    "\u03b3\u03b5\u03b9\u03ac",
    "\u05e9\u05dc\u05d5\u05dd",
    "\u0645\u0631\u062d\u0628\u0627",
)
SCRIPTS = (
    *ALPHABETS,
    "\u0939\u093f\u0928\u094d\u0926\u0940",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\u4f60\u597d",
    "\u3053\u3093",
    "\uc548\ub155",
    "\U00010400\U00010428",
    "e\u0301",
    "\xdfe",
)
"""A word of each of many scripts, two of them with marks in the middle."""

_CLASSES = (BLANKS, FALSE_BLANKS, LETTERS, DIGITS, OTHER_NUMBERS, MARKS, SYMBOLS, CONTROLS, UNASSIGNED, RECENT)


@lru_cache
def telling_characters() -> str:
    """Characters of every class that a pattern can get wrong, those apart on which our two engines disagree."""
    return agreed("".join(dict.fromkeys("".join(_CLASSES))))


def _evenly(classes: Sequence[str]) -> str:
    """As many characters from each class, those of small classes repeated."""
    kept = [agreed(one) for one in classes]
    most = max(map(len, kept))
    return "".join((one * most)[:most] for one in kept)


@lru_cache
def spread_characters() -> str:
    """About two thousand characters, spread evenly over all of Unicode."""
    return agreed(scalar_values(step=541))


# --- text ---------------------------------------------------------------------------------------------------------

BEFORE = ("", " ", "\t", "\n", "a", "1", "'", "  ", ".")
AFTER = ("", ".a", "'re", "'s", "000", "#", " a", " ", "\n", "a", "1")
CONTEXTS = tuple(product(BEFORE, AFTER))
"""Neighbours that decide by the class of what stands between them where the next piece begins."""


@instead_of(lambda: st.text())
def characters_in_context() -> SearchStrategy[str]:
    """Three telling characters and any fourth, each between half of all pairs of neighbours.

    Lone surrogates are left out: `texts_with_lone_surrogates` has them.
    """
    telling = st.tuples(st.sampled_from(_evenly(_CLASSES)), _some_of(CONTEXTS))
    spread = st.tuples(st.sampled_from(spread_characters()), _some_of(CONTEXTS))
    return st.tuples(telling, telling, telling, spread).map(
        lambda drawn: "".join(
            f"{before}{character}{after}" for character, contexts in drawn for before, after in contexts
        )
    )


BLANK_RUNS = tuple(
    f"{blank * times}{more}{end}"
    for blank, more, times, end in product(
        " " + BLANKS + FALSE_BLANKS,
        ("", " ", "  ", "\n", "\t"),
        (1, 2, 3),
        ("a", "1", "!", "'s", "", "\u3000", " the", "x y"),
    )
)


@instead_of(lambda: st.text())
def blank_runs() -> SearchStrategy[str]:
    """Runs of blanks and of what looks like one, each before a word, a digit, punctuation, another run or the end."""
    at_the_end = st.sampled_from(("", *BLANKS, *FALSE_BLANKS))
    return st.builds(lambda runs, last: "".join(runs) + last, _several_of(BLANK_RUNS, most=8), at_the_end)


ENDINGS = ("s", "t", "re", "ve", "m", "ll", "d")
CONTRACTIONS = tuple(
    f"{before}{apostrophe}{ending}{after}"
    for before, apostrophe, ending, after in product(
        ("", "a", " ", "\t", "\n", "1", "'", "."),
        ("'", "\u2019"),
        (*ENDINGS, *(ending.upper() for ending in ENDINGS), "Re", "lL", "\u017f", "\u212a", "l", "r", "v", "e", "n"),
        ("", "x", " ", "'"),
    )
)
"""Each ending in both cases and its near misses, after each kind of neighbour, alone and with a letter too many."""


@instead_of(lambda: st.text(st.sampled_from("'strevmld ST")))
def contractions() -> SearchStrategy[str]:
    """Contractions that GPT-2 splits off and those that it does not, joined: upper case, U+2019, U+017F, U+212A."""
    return _several_of(CONTRACTIONS, most=10).map("".join)


@instead_of(lambda: st.text())
def mixed_alphabets() -> SearchStrategy[str]:
    """Words of many scripts, numbers, marks, controls, emoji and blanks in one short text, in any order."""
    return _several_of(_mixed_pieces(), most=12).map("".join)


@lru_cache
def _mixed_pieces() -> list[str]:
    """As many characters from anywhere as pieces that were chosen."""
    pieces = (*SCRIPTS, *EMOJI, *NUMBERS, *MARKS, *SYMBOLS, *CONTROLS, " ", " ", "\n", "  ", "'s", " 12", "\r\n", " ?")
    chosen = [piece for piece in pieces if agreed(piece) == piece]
    return [*chosen, *spread_characters()[:: len(spread_characters()) // len(chosen)]]


@lru_cache
def token_texts() -> list[str]:
    """The tokens of GPT-2's slice that are text, those of the highest ranks first."""
    byte_of = {character: byte for byte, character in gpt2_byte_map().items()}
    spelled = [
        bytes(byte_of[character] for character in token) for token in gpt2_slice().ids if token != "<|endoftext|>"
    ]
    return [token.decode() for token in reversed(spelled) if _is_utf8(token)]


def _is_utf8(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


@instead_of(lambda: st.text())
def texts_of_tokens(tokens: Sequence[str] | None = None) -> SearchStrategy[str]:
    """Up to four tokens joined, each as it is or with one character changed: its case, a neighbour, one more, one less.

    `tokens` are those of GPT-2's slice where none are given.
    """
    known = token_texts() if tokens is None else list(tokens)
    places = range(len(known) * len(_CHANGES) * 8)

    def one(place: int) -> str:
        rest, token = divmod(place, len(known))
        where, how = divmod(rest, len(_CHANGES))
        return _changed(known[token], _CHANGES[how], where % (len(known[token]) or 1))

    return _several_of(places, most=4).map(lambda drawn: "".join(map(one, drawn)))


_CHANGES = ("", "", "case", "next", "insert", "delete", "double")


def _changed(token: str, how: str, place: int) -> str:
    head, character, tail = token[:place], token[place : place + 1], token[place + 1 :]
    if how == "case":
        character = character.swapcase()
    elif how == "next" and character and character not in ("\ud7ff", "\U0010ffff"):
        character = chr(ord(character) + 1)
    elif how == "insert":
        character += "a"
    elif how == "delete":
        character = ""
    elif how == "double":
        character *= 2
    return head + character + tail


THRESHOLDS = tuple(sorted({2**power + near for power in range(4, 13) for near in (-1, 0, 1)}))
"""15 to 4,097: where buffers, caches and stack frames end."""


@instead_of(lambda *, longest=4097: st.text(max_size=longest))
def runs_of_one_piece(*, longest: int = 4097) -> SearchStrategy[str]:
    """One piece repeated, at a length near a power of two and at most `longest`, perhaps with a text behind it."""
    lengths = [length for length in THRESHOLDS if length <= longest]
    pieces = (*"a Z0.^\n\t=-", "\u3000", "ab", "\u4e2d", "'s", "\U0001f600", " a", "\r\n")
    return st.builds(
        lambda piece, length, end: (piece * length)[:length] + end,
        st.sampled_from(pieces),
        st.sampled_from(lengths),
        st.sampled_from(("", "a", " ", "1", "!")),
    )


@instead_of(lambda special: st.lists(st.sampled_from([*special, "a", " "])).map("".join))
def texts_with_specials(special: Sequence[str]) -> SearchStrategy[str]:
    """Texts of special tokens, all their prefixes, and other text around: in the middle, after a space, in a row."""
    prefixes = [token[:end] for token in special for end in range(1, len(token))]
    others = ("", " ", "a", "'s", "  ", "\n", "Hi", "1")
    # As many texts of tokens as other pieces.
    pieces = [*others, *prefixes, *(list(special) * (1 + (len(others) + len(prefixes)) // len(special)))]
    return _several_of(pieces, most=8).map("".join)


# --- merge tables -------------------------------------------------------------------------------------------------


@instead_of(lambda: st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), unique=True).filter(_is_in_order))
def merge_tables() -> SearchStrategy[Merges]:
    """Tables over "a" and "b" as training makes them: each pair is what the earlier ranks leave of its product.

    On these, merging pair by pair in rounds, by a heap, and by joined text come to the same.
    """
    return _several_of(range(144), most=16).map(_trained)


def _trained(steps: Sequence[int]) -> Merges:
    merges: Merges = []
    symbols = ["a", "b"]
    for first, second in (divmod(step, 12) for step in steps):
        pair = symbols[first % len(symbols)], symbols[second % len(symbols)]
        product_of_pair = "".join(pair)
        if product_of_pair not in symbols and merged(product_of_pair, merges) == list(pair):
            merges.append(pair)
            symbols.append(product_of_pair)
    return merges


def _is_in_order(merges: Merges) -> bool:
    return all(merged("".join(pair), merges[:rank]) == list(pair) for rank, pair in enumerate(merges)) and len(
        {"".join(pair) for pair in merges}
    ) == len(merges)


@instead_of(lambda: st.text(st.sampled_from("ab")))
def words_to_merge() -> SearchStrategy[str]:
    """Words over "a" and "b" in which runs and overlaps are frequent."""
    return _several_of(("a", "aa", "aaa", "b", "ab", "ba", "bb", "aba", "bab"), most=12).map("".join)


# --- ids ----------------------------------------------------------------------------------------------------------


@instead_of(lambda ids: st.lists(st.sampled_from(sorted(ids))))
def id_lists(ids: Mapping[int, bytes]) -> SearchStrategy[list[int]]:
    """Ids whose bytes, joined, are cut inside characters as often as not; `ids` leads from id to bytes."""
    known = sorted(ids)
    broken = [number for number in known if not _is_utf8(ids[number])]
    # The bytes of characters of two, three and four, one token each: whole if they come in a row, else broken.
    single = {ids[number]: number for number in known if len(ids[number]) == 1}
    characters = [
        [single[bytes([byte])] for byte in text.encode()] for text in "\xe9\u4e2d\U0001f600" if _has(single, text)
    ]
    few = [*characters, *([number] for number in broken)]
    pieces = [[known[0]], *([number] for number in known), *(few * (1 + len(known) // len(few)) if few else ())]
    return _several_of(pieces, most=8).map(lambda lists: [number for one in lists for number in one])


def _has(single: Mapping[bytes, int], text: str) -> bool:
    return all(bytes([byte]) in single for byte in text.encode())


@instead_of(lambda ids: st.integers().filter(lambda number: number not in ids))
def unknown_ids(ids: Mapping[int, bytes]) -> SearchStrategy[int]:
    """Integers that no token has: just outside, in gaps, negative, and those that 32 bits take for a token's."""
    highest = max(ids)
    gaps = [number for number in range(highest + 1) if number not in ids][:8]
    edges = [-1, -2, -highest, -highest - 1, highest + 1, highest + 2, 2**31, 2**32, 2**32 + 5, 2**63, -(2**32), *gaps]
    wrapped = st.integers(0, highest).map(lambda number: number + 2**32)
    return st.sampled_from([number for number in edges if number not in ids]) | wrapped | st.integers(max_value=-1)


# --- files --------------------------------------------------------------------------------------------------------


@instead_of(lambda lines: st.text().filter(lambda text: not _may_be_merges(text, lines)).map(str.encode))
def damaged_merges(lines: Sequence[str]) -> SearchStrategy[bytes]:
    """A `vocab.bpe` in which one line is no merge: its space lost, doubled, or exchanged for another blank.

    `lines` are sound merges, of which at least one. Never a file that some reading could accept.
    """
    bad = st.builds(lambda line, how: how(*line.split(" ")), st.sampled_from(list(lines)), st.sampled_from(_DAMAGES))
    places = st.integers(0, len(lines))
    return st.builds(
        lambda line, place: "\n".join(["#version: 0.2", *lines[:place], line, *lines[place:], ""]).encode(), bad, places
    )


_DAMAGES = (
    lambda left, right: left + right,
    lambda left, right: f"{left}  {right}",
    lambda left, right: f"{left}\t{right}",
    lambda left, right: f"{left}\xa0{right}",
    lambda left, right: f"{left}\u3000{right}",
    lambda left, right: f" {left} {right}",
    lambda left, right: f"{left} {right} ",
    lambda left, right: f"{left} {right} {right}",
    lambda left, right: f"{left} \u20ac",
    lambda left, right: f"{left} ",
)


def _may_be_merges(text: str, lines: Sequence[str]) -> bool:
    return all(not line or line.startswith("#") or line in lines for line in text.split("\n"))


@instead_of(lambda: st.text(min_size=1).filter(lambda field: not _may_be_base64(field)))
def fields_that_are_no_base64() -> SearchStrategy[str]:
    """What a lenient decoder reads as bytes: other alphabets, lost or early padding, spare bits, blanks, nothing."""
    sound = st.sampled_from(("YQ==", "IHRoZQ==", "AAE=", "////", "Zm9v"))
    damage = st.sampled_from(
        (
            lambda field: "!!!",
            lambda field: "-_-_",
            lambda field: "=",
            lambda field: "",
            lambda field: field + "=",
            lambda field: "=" + field,
            lambda field: field + "!",
            lambda field: field[:1] + "*" + field[1:],
            lambda field: field[:-1] + "\u00e9",
            lambda field: "YR==",
            lambda field: field[:3],
        )
    )
    return st.builds(lambda field, how: how(field), sound, damage).filter(lambda field: not _may_be_base64(field))


def _may_be_base64(field: str) -> bool:
    try:
        token = base64.b64decode(field, validate=True)
    except ValueError:
        return False
    return bool(token) and base64.b64encode(token).decode() == field
