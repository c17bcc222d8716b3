"""Strategies of the byte codec: text that careless code changes, ids between bytes, and bytes that are almost UTF-8.

Built like their neighbours in `strategies.py`: one draw holds many of the telling pieces, each in nearly half of the
draws, so that a fault which needs one of them shows within a few examples.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from harness.bytelevel.strategies import _some_of, instead_of

BOS, EOS = 256, 257

_CHANGED_BY_CARE = (
    "\ufeff",  # in front, the byte order mark is what a lenient codec swallows
    " ",
    "EOS",
    "\x00",
    "<eos>",
    "a",
    "\t",
    "\r\n",
    "\x7f\x80",  # the ends of one, two, three and four bytes
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\ufffd",  # what replacement looks like, met as text
    "\uffff",
    "\U00010000",
    "\U0010ffff",
    "e\u0301",  # a letter with a combining mark, and the same character in one code point
    "\xe9",
    "\u212b",  # the sign for the unit, which NFC makes a letter
    "\u6625",
    "\U0001f642",
    "\n",
    "\u3000",  # behind, another blank
)


@instead_of(lambda: st.text())
def telling_texts() -> SearchStrategy[str]:
    """Text that somebody's codec does not give back: marks, blanks and line ends, look-alikes, every length.

    No lone surrogates: `texts_around_a_surrogate` has them.
    """
    pieces = _some_of(_CHANGED_BY_CARE).map("".join)
    return st.builds(lambda telling, anywhere, end: telling + anywhere + end, pieces, st.text(max_size=3), _ENDS)


_ENDS = st.sampled_from(["", " ", "\r\n", "\x00", "."])


@instead_of(lambda: st.tuples(st.text(), st.characters(categories=["Cs"]), st.text()))
def texts_around_a_surrogate() -> SearchStrategy[tuple[str, str, str]]:
    """What stands before a lone surrogate, the surrogate, and what stands behind it; the two are mostly not ASCII."""
    ends = st.sampled_from("\ud800\udbff\udc00\udfff")
    return st.tuples(telling_texts(), st.one_of(ends, st.characters(categories=["Cs"])), telling_texts())


# --- code points --------------------------------------------------------------------------------------------------

_LAST_AND_FIRST = (
    *(0x00, 0x01, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0x7FF, 0x800, 0x801, 0xFFF, 0x1000),
    *(0x6625, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F642, 0x3FFFF, 0x40000, 0x10FFFE, 0x10FFFF),
)
_NO_SCALAR_VALUES = (-0x110000, -0x80, -2, -1, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0x110001, 0x1FFFFF, 0x200000)


@instead_of(lambda: st.lists(st.characters(exclude_categories=["Cs"]).map(ord), min_size=1))
def scalar_values() -> SearchStrategy[list[int]]:
    """Code points that UTF-8 can write, each to be written alone: the ends of every length, and one from anywhere."""
    anywhere = st.characters(exclude_categories=["Cs"]).map(ord)
    return st.builds(lambda ends, one: [*ends, one], _some_of(_LAST_AND_FIRST), anywhere)


@instead_of(lambda: st.lists(st.integers().filter(lambda point: not 0 <= point <= 0x10FFFF), min_size=1))
def numbers_that_are_no_scalar_values() -> SearchStrategy[list[int]]:
    """Surrogates, negatives and what is past the end, at least one, each meant to be tried alone."""
    anywhere = st.one_of(st.integers(0xD800, 0xDFFF), st.integers(max_value=-1), st.integers(min_value=0x110000))
    return st.builds(lambda ends, one: [*ends, one], _some_of(_NO_SCALAR_VALUES), anywhere)


# --- ids ----------------------------------------------------------------------------------------------------------

_LEGAL_PIECES: tuple[tuple[int, ...], ...] = (
    (BOS,),
    (0x00,),
    (0x61,),
    (EOS,),
    (0xEF, 0xBB, 0xBF),  # the byte order mark
    (0xC2, 0x80),
    (0x0D, 0x0A),
    (0xE6, BOS, 0x98, EOS, 0xA5),  # special ids inside a character
    (EOS, EOS),
    (0xEF, 0xBF, 0xBD),  # U+FFFD, generated
    (0xED, 0x9F, 0xBF),
    (0xF0, 0x90, EOS, 0x80, 0x80),
    (0xF4, 0x8F, 0xBF, 0xBF),
    (BOS, 0x7F),
)

_OUT_OF_PLACE = (b"\x80", b"\xff", b"\xf5\x80\x80\x80")
_OVERLONG = (
    b"\xc0\x80",
    b"\xc0\xaf",
    b"\xc1\xbf",
    b"\xe0\x80\xaf",
    b"\xe0\x9f\xbf",
    b"\xf0\x80\x80\xaf",
    b"\xf0\x8f\xbf\xbf",
)
_SURROGATES = (b"\xed\xa0\x80", b"\xed\xbf\xbf")
_PAST_THE_END = (b"\xf4\x90\x80\x80", b"\xf4\xbf\xbf\xbf")
_CUT_SHORT = (b"\xc2", b"\xe6\x98", b"\xf0\x9f", b"\xf0\x9f\x98")
_KINDS_OF_FAULT = (_OUT_OF_PLACE, _OVERLONG, _SURROGATES, _PAST_THE_END, _CUT_SHORT)


@instead_of(lambda: st.lists(st.integers(0, 257)).filter(_is_legal))
def legal_ids() -> SearchStrategy[list[int]]:
    """Ids whose bytes are UTF-8, with BOS and EOS anywhere among them, also inside a character."""
    texts = st.text(max_size=2).map(lambda text: tuple(text.encode()))
    return st.builds(_rotated, _some_of(_LEGAL_PIECES), st.integers(0, 13), texts)


@instead_of(lambda: st.lists(st.integers(0, 257)))
def any_ids() -> SearchStrategy[list[int]]:
    """Ids, UTF-8 or not: `legal_ids` behind bytes that are no character, and often a character cut short at the end."""
    illegal = _some_of([tuple(piece) for kind in _KINDS_OF_FAULT for piece in kind])
    tails = st.sampled_from([b"", *_CUT_SHORT])
    return st.builds(
        lambda legal, pieces, turn, tail: [*_rotated(pieces, turn), *legal, *tail],
        legal_ids(),
        illegal,
        st.integers(0, 15),
        tails,
    )


@instead_of(lambda: st.tuples(st.just([]), st.sampled_from([(0x80,), (0xFF,)]), st.lists(st.integers(0, 127))))
def ids_with_one_fault() -> SearchStrategy[tuple[list[int], tuple[int, ...], list[int]]]:
    """Legal ids, then bytes that begin or continue no character, then ASCII: the parts, to be joined.

    The fault starts where the first part ends, since what follows it completes nothing.
    """
    ascii_ids = st.lists(st.sampled_from([0x00, 0x0A, 0x61, 0x7F, BOS, EOS]), max_size=3)
    faults = st.one_of([st.sampled_from(kind) for kind in _KINDS_OF_FAULT])
    return st.tuples(legal_ids(), faults.map(tuple), ascii_ids)


@instead_of(lambda: st.integers().filter(lambda number: not 0 <= number <= 257))
def numbers_that_are_no_ids() -> SearchStrategy[int]:
    """Integers outside 0 to 257: those at the ends, those that wrap to an id, and any."""
    wrapping = st.sampled_from([-2, -258, 259, 511, 512, 50256])
    return st.one_of(st.sampled_from([258, -1]), wrapping, st.integers(258), st.integers(max_value=-1))


def _rotated(pieces: list[tuple[int, ...]], turn: int, last: tuple[int, ...] = ()) -> list[int]:
    """The pieces one after the other from the one at `turn`, so that any of them may come first; then `last`."""
    start = turn % len(pieces) if pieces else 0
    return [token_id for piece in (*pieces[start:], *pieces[:start], last) for token_id in piece]


def _is_legal(ids: list[int]) -> bool:
    try:
        bytes(token_id for token_id in ids if token_id < BOS).decode()
    except UnicodeDecodeError:
        return False
    return True


# --- documents, prefixes ------------------------------------------------------------------------------------------


@instead_of(lambda: st.lists(st.lists(st.integers(0, 255)).map(lambda body: [BOS, *body, EOS])))
def documents() -> SearchStrategy[list[list[int]]]:
    """Up to four whole documents, empty ones and ones with EOS inside among them."""
    body = st.lists(st.sampled_from([0, 1, 97, 255, BOS, EOS]), max_size=5)
    return st.lists(body.map(lambda ids: [BOS, *ids, EOS]), max_size=4)


UNFINISHED = tuple(
    bytes.fromhex(digits)
    for digits in (
        *("C2", "DF", "E0", "E0A0", "E0BF", "E1", "E180", "EC", "ED", "ED80", "ED9F", "EF", "EFBF"),
        *("F0", "F090", "F0BF", "F09080", "F1", "F180", "F18080", "F3BFBF", "F4", "F480", "F48F", "F48FBF"),
    )
)
"""Beginnings of characters: of every length, at both ends of what may stand second."""


@instead_of(lambda: st.text().map(lambda text: text.encode()))
def utf8_prefixes() -> SearchStrategy[bytes]:
    """Bytes that can still become UTF-8: text, in most draws with the beginning of another character behind it."""
    return st.builds(lambda text, tail: text.encode() + tail, telling_texts(), st.sampled_from((b"", *UNFINISHED)))
