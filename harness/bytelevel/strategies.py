"""Every Hypothesis strategy of the byte-level domain.

Ends are where such code goes wrong, so one draw holds many edge values rather than one now and then: a fault at
any single edge then shows within a few examples, and shrinking takes the other edges away again.

Each public strategy names its plain counterpart (`instead_of`): what somebody would write who does not know the
domain. Under TOKPROOF_STRATEGIES=plain that one is drawn from, so that the same tests measure what knowing the
domain is worth. A counterpart may be poor, but all it gives is valid where its strategy's draws are.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

VARIABLE = "TOKPROOF_STRATEGIES"

T = TypeVar("T")
P = ParamSpec("P")

FiniteMap: TypeAlias = dict[Hashable, Hashable]
Codomain: TypeAlias = list[Hashable] | tuple[Hashable, ...] | set[Hashable]


def instead_of(
    plain: Callable[..., SearchStrategy[Any]],
) -> Callable[[Callable[P, SearchStrategy[T]]], Callable[P, SearchStrategy[T]]]:
    """Give a strategy function its plain counterpart, which takes the same arguments.

    The environment is read whenever the strategy is built, which for `@given` is when the test module is imported.
    """

    def decorate(informed: Callable[P, SearchStrategy[T]]) -> Callable[P, SearchStrategy[T]]:
        @functools.wraps(informed)
        def build(*args: P.args, **kwargs: P.kwargs) -> SearchStrategy[T]:
            chosen = plain if os.environ.get(VARIABLE) == "plain" else informed
            return chosen(*args, **kwargs)

        vars(build)["plain"] = plain  # for whoever compares the two
        return build

    return decorate


def _some_of(items: Sequence[T]) -> SearchStrategy[list[T]]:
    """Some of `items` in their order, each there in nearly half of the draws; shrinks towards none, then the first.

    One byte for each item, of which the lowest bit counts: bytes are drawn evenly, where Hypothesis would draw the
    integers of a wide range mostly small and so leave the last items out.
    """
    return _coins(len(items)).map(lambda tosses: _those(items, tosses))


def _coins(count: int) -> SearchStrategy[bytes]:
    return st.binary(min_size=count, max_size=count)


def _those(items: Sequence[T], tosses: bytes) -> list[T]:
    # The last toss is the first item's: shrinking leaves a one at the end of the tosses longest.
    return [item for item, toss in zip(items, reversed(tosses), strict=True) if toss & 1]


# --- bytes ------------------------------------------------------------------------------------------------

KEPT_RANGES = ((0x21, 0x7E), (0xA1, 0xAC), (0xAE, 0xFF))
"""The bytes that stand for themselves in GPT-2's alphabet, as (first, last)."""

EDGE_BYTES = bytes(
    byte
    for byte in range(256)
    if byte in (0x00, 0x80) or any(abs(byte - end) <= 1 for ends in KEPT_RANGES for end in ends)
)
"""The ends of the kept ranges with both their neighbours, NUL, and the first byte past ASCII."""

_BROKEN_UTF8 = (
    b"\xc3",  # a lead byte alone
    b"\xa9",  # a continuation byte alone
    b"\xf0\x9f\x98",  # the emoji U+1F600 without its last byte
    b"\xc0\xaf",  # "/" in two bytes, which UTF-8 forbids
    b"\xed\xa0\x80",  # a surrogate
    b"\xf4\x90\x80\x80",  # past the last code point
    b"\xfe\xff",  # bytes that occur in no UTF-8 text
)


@instead_of(lambda *, max_size=64: st.binary(max_size=max_size))
def byte_strings(*, max_size: int = 64) -> SearchStrategy[bytes]:
    """At most `max_size` bytes: many edge bytes, text, UTF-8 cut anywhere, UTF-8 that never was valid.

    Few draws are valid UTF-8 as a whole: `utf8_texts` is for text. The longest draws have 64 bytes.
    """
    edges = _some_of(EDGE_BYTES).map(bytes)
    broken = _some_of(_BROKEN_UTF8).map(b"".join)
    cut = st.builds(_cut, utf8_texts(), st.integers(0, 3))
    pieces = st.tuples(edges, cut, broken, st.binary(max_size=16))
    return st.builds(_turned, pieces, st.integers(0, 3)).map(lambda data: data[:max_size])


def _cut(text: str, start: int) -> bytes:
    """At most 16 bytes of the text's UTF-8; longer pieces would push the edges past `max_size`."""
    return text.encode()[start : start + 16]


def _turned(pieces: Sequence[bytes], first: int) -> bytes:
    return b"".join([*pieces[first:], *pieces[:first]])


# --- text -------------------------------------------------------------------------------------------------

_TELLING_TEXTS = (
    "\x00",
    "\x7f",
    "\x80",
    "\u07ff",  # the last of two bytes; below it the first and last of three and of four
    "\u0800",
    "\uffff",
    "\U00010000",
    "\U0010ffff",
    "e\u0301",  # a letter with a combining mark, and the same character in one code point
    "\xe9",
    "\ufeff",  # the byte order mark
    "\u200b",
    "\xa0",
    "\xad",
    "\u0120",  # GPT-2's own character for the space, met as text
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family: three emoji and two joiners
    "\U0001f44d\U0001f3fd",  # an emoji with a skin tone
    "\U0001f1e6\U0001f1f9",  # a flag: two regional indicators
)


@instead_of(lambda: st.text())
def utf8_texts() -> SearchStrategy[str]:
    """Text that UTF-8 can write: every plane, every encoded length, combining marks, emoji sequences, NUL.

    No lone surrogates, which UTF-8 cannot write: `texts_with_lone_surrogates` has them.
    """
    edges = _some_of(_TELLING_TEXTS).map("".join)
    anywhere = st.lists(_scalar_values(), max_size=4).map("".join)
    # Edges are drawn first, as in `_runs`.
    return st.builds(lambda drawn, other: other + drawn, edges, anywhere)


def _scalar_values() -> SearchStrategy[str]:
    """One character that is no surrogate, each of the 17 planes as often as any other.

    Made from integers, since building `st.characters` costs a fresh process more than all the draws of a test.
    """
    return st.builds(_scalar_value, st.integers(0, 16), st.integers(0, 0xFFFF))


def _scalar_value(plane: int, low: int) -> str:
    code = plane << 16 | low
    return chr(code - 0x800 if 0xD800 <= code <= 0xDFFF else code)


@instead_of(lambda: st.text(st.characters(categories=["Cs"]), min_size=1))
def texts_with_lone_surrogates() -> SearchStrategy[str]:
    """Text with at least one surrogate that no partner completes, at either end of the surrogates or between."""
    between = st.integers(0xD800, 0xDFFF).map(chr)
    # The last is low before high, which pairs up in no encoding.
    lone = st.sampled_from(["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800"])
    return st.tuples(utf8_texts(), st.one_of(lone, between)).map("".join)


# --- GPT-2's alphabet -------------------------------------------------------------------------------------

IMAGE = "".join(chr(code) for first, last in (*KEPT_RANGES, (0x100, 0x143)) for code in range(first, last + 1))
"""The 256 characters that stand for a byte, by code point: which stands for which byte is not said here."""

STRANGERS_AT_THE_EDGE = (
    *"\x20\x7f\xa0\xad\u0144",  # just past the ends of the image's ranges
    *"\x00\n\x80",
    *"\u0220\u20ac",  # their low bytes are those of the space and of a visible character
    *"\ud800\U0001f600\U0010ffff",
)
"""Characters that stand for no byte, where code that accepts too much accepts first."""


@instead_of(lambda: st.text(alphabet=IMAGE))
def image_texts() -> SearchStrategy[str]:
    """Text over the 256 characters of GPT-2's alphabet, the edges of its four ranges in most draws."""
    ends = [chr(end) for ends in (*KEPT_RANGES, (0x100, 0x143)) for end in ends]
    edges = _some_of([*ends, "\u010a", "\u0120", "\u0121", "\u0122", "\u0142"]).map("".join)
    anywhere = st.text(IMAGE, max_size=8)
    # Edges are drawn first, as in `_runs`.
    return st.builds(lambda drawn, before, after: before + drawn + after, edges, anywhere, anywhere)


@instead_of(lambda: st.lists(st.characters(exclude_characters=IMAGE), min_size=1))
def characters_outside_image() -> SearchStrategy[list[str]]:
    """At least one character that stands for no byte, many edges among them; each is meant to be tried alone.

    They come together so that one draw asks at many edges; decoding them as one text would stop at the first. The
    simplest draw, with which a search begins, is DEL: of all strangers it is taken for an image by the most mistakes.
    """
    strangers = st.just("\x7f") | st.integers(0x144, sys.maxunicode).map(chr)
    return st.builds(lambda drawn, one: [*drawn, one], _some_of(STRANGERS_AT_THE_EDGE), strangers)


# --- finite maps ------------------------------------------------------------------------------------------

_ELEMENTS: tuple[Hashable, ...] = (
    *("a", "b", 0, 2, None, "\u0120the", "", b"a", (), 50256, b"", ("\u0120", "t"), 3),
    *(-1, -2),  # CPython hashes these two alike
)
"""What keys and values are made of: integers, text, bytes, None, tuples, which no order joins.

Those that are false in a condition stand spread among the others, so that every run of neighbours has some. The
pool is fixed, since code over maps can only ask which elements are equal, and larger ones would say nothing new. No
True, False or float, which equal integers: it would be open which of two equal ones a message has to name.
"""


@functools.cache  # Hypothesis makes one ready at its first draw, which costs more than the draw
def _runs(min_size: int, max_size: int, *, simplest: int = 0) -> SearchStrategy[list[Hashable]]:
    """Neighbours in the pool, from any place on and round its end: distinct, and cheap to draw.

    `simplest` is the place where the simplest draw begins. Their number is drawn first: in the second input of a
    search Hypothesis leaves all but the first draw at its simplest, and a number of none is worth no second input.
    """
    return st.builds(
        _run, st.integers(min_size, max_size), st.integers(0, len(_ELEMENTS) - 1).map(lambda start: start + simplest)
    )


def _run(size: int, start: int) -> list[Hashable]:
    first = start % len(_ELEMENTS)
    return [*_ELEMENTS[first:], *_ELEMENTS[:first]][:size]


def _unused(f: Mapping[Any, Any]) -> list[Hashable]:
    return [element for element in _ELEMENTS if element not in f.values()]


@instead_of(lambda: st.dictionaries(st.integers(), st.text()).filter(_is_one_to_one))
@st.composite
def injective_maps(draw: st.DrawFn) -> FiniteMap:
    """Finite maps without a repeated value, the empty one among them; keys and values of mixed types.

    `colliding_maps` has the others.
    """
    keys = draw(_runs(0, 7))
    values = draw(_runs(len(keys), len(keys), simplest=1))  # an identity says little, and is no good second input
    return dict(zip(keys, values, strict=True))


@instead_of(lambda: st.dictionaries(st.integers(), st.booleans(), min_size=3))
@st.composite
def colliding_maps(draw: st.DrawFn) -> FiniteMap:
    """Finite maps in which exactly two keys share a value: neighbours or far apart, false in a condition or not.

    Not more than two, since code that overlooks one collision would be saved by the next.
    """
    keys = draw(_runs(2, 7))
    values = draw(_runs(len(keys), len(keys)))
    first = draw(st.integers(0, len(keys) - 2))
    second = draw(st.integers(first + 1, len(keys) - 1))
    values[second] = values[first]
    return dict(zip(keys, values, strict=True))


@instead_of(lambda: st.dictionaries(st.integers(), st.text()))
def finite_maps() -> SearchStrategy[FiniteMap]:
    """Injective and colliding maps in equal parts."""
    return _finite_maps()


@functools.cache
def _finite_maps() -> SearchStrategy[FiniteMap]:
    return st.one_of(injective_maps(), colliding_maps())


@functools.cache
def _maps_with_keys() -> SearchStrategy[FiniteMap]:
    return _finite_maps().filter(bool)


@instead_of(lambda: st.dictionaries(st.integers(), st.text()).map(lambda f: (f, list(f.values()))))
@st.composite
def surjections(draw: st.DrawFn) -> tuple[FiniteMap, Codomain]:
    """A map and a codomain that it covers exactly, the empty pair among them."""
    f = draw(_finite_maps())
    return f, _codomain(draw, f.values())


@instead_of(
    lambda: (
        st.tuples(st.dictionaries(st.integers(), st.text()), st.text())
        .filter(lambda drawn: drawn[1] not in drawn[0].values())
        .map(lambda drawn: (drawn[0], [*drawn[0].values(), drawn[1]]))
    )
)
@st.composite
def maps_missing_a_target(draw: st.DrawFn) -> tuple[FiniteMap, Codomain]:
    """A map into a codomain of which it reaches all but one element.

    The codomain has as many elements as the map has keys, or one more, so that counting keys settles nothing.
    """
    f = draw(_finite_maps())
    missed = _one_of_them(draw, _unused(f))
    return f, _codomain(draw, [*f.values(), missed])


@instead_of(
    lambda: st.dictionaries(st.integers(), st.text(), min_size=1).map(
        lambda f: (f, [value for value in f.values() if value != next(iter(f.values()))])
    )
)
@st.composite
def maps_leaving_the_codomain(draw: st.DrawFn) -> tuple[FiniteMap, Codomain]:
    """A map that reaches all of a codomain and has one value outside it.

    Never a map that leaves the codomain and misses a target as well: which of the two is noticed first is open.
    """
    f = draw(_maps_with_keys())
    stray = _one_of_them(draw, list(f.values()))
    return f, _codomain(draw, (value for value in f.values() if value != stray))


@instead_of(lambda: st.dictionaries(st.integers(), st.text()).map(lambda f: (f, _filled_up(f, range(len(f))))))
@st.composite
def maps_between_equal_sizes(draw: st.DrawFn) -> tuple[FiniteMap, Codomain]:
    """A map into a codomain with as many elements as it has keys: half of them bijections, half neither."""
    f = draw(_finite_maps())
    return f, _codomain(draw, _filled_up(f, _unused(f)))


def _codomain(draw: st.DrawFn, elements: Iterable[Hashable]) -> Codomain:
    """The elements as a set, as a tuple in reverse, or as a list that may say some of them twice."""
    distinct = list(dict.fromkeys(elements))
    twice = _those(distinct, draw(_coins(len(distinct))))
    shapes: list[Codomain] = [[*distinct, *twice], tuple(reversed(distinct)), set(distinct)]
    return _one_of_them(draw, shapes)


def _one_of_them(draw: st.DrawFn, items: Sequence[T]) -> T:
    return items[draw(st.integers(0, len(items) - 1))]


def _is_one_to_one(f: Mapping[Any, Any]) -> bool:
    return len(set(f.values())) == len(f)


def _filled_up(f: Mapping[Any, Any], spare: Iterable[Hashable]) -> list[Hashable]:
    """The values of `f` without repetition, then spare elements that are none of them, as many as `f` has keys."""
    return list(dict.fromkeys([*f.values(), *spare]))[: len(f)]
