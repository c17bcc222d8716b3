"""Each strategy reaches the hard cases that it names, and its plain counterpart serves the same tests."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from harness.bytelevel import strategies

pytestmark = pytest.mark.slow

T = TypeVar("T")

PUBLIC = (
    "byte_strings",
    "characters_outside_image",
    "colliding_maps",
    "finite_maps",
    "image_texts",
    "injective_maps",
    "maps_between_equal_sizes",
    "maps_leaving_the_codomain",
    "maps_missing_a_target",
    "surjections",
    "texts_with_lone_surrogates",
    "utf8_texts",
)


def sample(strategy: SearchStrategy[T], *, size: int = 300) -> list[T]:
    """The first draws of one fixed seed, so that what is reached here is reached on every run."""
    drawn: list[T] = []

    @seed(20190214)
    @settings(max_examples=size, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=())
    @given(strategy)
    def collect(value: T) -> None:
        drawn.append(value)

    collect()
    return drawn


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(strategies.VARIABLE, "plain")


# --- bytes --------------------------------------------------------------------------------------------------


def test_byte_strings_hold_each_edge_byte_in_a_quarter_of_the_draws() -> None:
    draws = sample(strategies.byte_strings())
    rare = {edge for edge in strategies.EDGE_BYTES if sum(edge in data for data in draws) < len(draws) / 4}
    assert rare == set()


def test_byte_strings_hold_every_byte_the_empty_string_and_both_kinds_of_utf8() -> None:
    draws = sample(strategies.byte_strings(), size=3000)
    assert set(b"".join(draws)) == set(range(256))
    assert b"" in draws
    assert {is_utf8(data) for data in draws} == {True, False}


def test_byte_strings_keep_to_their_size() -> None:
    assert max(map(len, sample(strategies.byte_strings(max_size=5)))) == 5


def test_edge_bytes_are_both_sides_of_every_end_of_the_kept_ranges() -> None:
    ends = {end for ends in strategies.KEPT_RANGES for end in ends}
    beside = {end + step for end in ends for step in (-1, 0, 1)} - {0x100}
    assert beside <= set(strategies.EDGE_BYTES)


# --- text ---------------------------------------------------------------------------------------------------


def test_utf8_texts_hold_every_plane_and_every_encoded_length() -> None:
    text = "".join(sample(strategies.utf8_texts()))
    assert {ord(char) >> 16 for char in text} == set(range(17))
    assert {len(char.encode()) for char in text} == {1, 2, 3, 4}


def test_utf8_texts_hold_nul_combining_marks_and_joined_emoji() -> None:
    text = "".join(sample(strategies.utf8_texts()))
    assert "\x00" in text
    assert "\u200d" in text
    assert any(unicodedata.combining(char) for char in text)


def test_utf8_texts_hold_no_surrogate() -> None:
    assert all(text.encode("utf-8").decode("utf-8") == text for text in sample(strategies.utf8_texts()))


def test_texts_with_lone_surrogates_cannot_be_written_in_utf8() -> None:
    draws = sample(strategies.texts_with_lone_surrogates())
    for text in draws:
        with pytest.raises(UnicodeEncodeError):
            text.encode("utf-8")
    assert set("\ud800\udbff\udc00\udfff") <= set("".join(draws))


# --- GPT-2's alphabet ---------------------------------------------------------------------------------------


def test_image_texts_stay_inside_the_image_and_reach_all_of_it() -> None:
    assert set("".join(sample(strategies.image_texts(), size=1000))) == set(strategies.IMAGE)


def test_characters_outside_image_are_outside_and_hold_every_edge() -> None:
    draws = sample(strategies.characters_outside_image())
    drawn = {char for chars in draws for char in chars}
    assert drawn.isdisjoint(strategies.IMAGE)
    assert drawn >= set(strategies.STRANGERS_AT_THE_EDGE)
    assert all(draws)


# --- finite maps --------------------------------------------------------------------------------------------


def test_injective_maps_repeat_no_value_and_may_be_empty() -> None:
    draws = sample(strategies.injective_maps())
    assert all(len(set(f.values())) == len(f) for f in draws)
    assert {} in draws


def test_colliding_maps_have_exactly_one_collision_near_and_far() -> None:
    draws = sample(strategies.colliding_maps())
    assert {len(f) - len(set(f.values())) for f in draws} == {1}
    assert {1, 2, 3} <= set(map(distance_of_the_collision, draws))


def test_colliding_maps_collide_first_at_every_falsy_key() -> None:
    firsts = {first_of_the_collision(f) for f in sample(strategies.colliding_maps())}
    assert firsts >= {0, "", b"", None, ()}


def test_maps_mix_types_among_keys_and_among_values() -> None:
    draws = sample(strategies.finite_maps())
    assert max(len({type(key) for key in f}) for f in draws) >= 3
    assert max(len({type(value) for value in f.values()}) for f in draws) >= 3


def test_surjections_cover_their_codomain_in_every_shape() -> None:
    draws = sample(strategies.surjections())
    assert all(set(f.values()) == set(codomain) for f, codomain in draws)
    assert {type(codomain) for _, codomain in draws} == {list, tuple, set}
    assert any(len(codomain) > len(set(codomain)) for _, codomain in draws)
    assert {} in [f for f, _ in draws]


def test_maps_missing_a_target_miss_one_whatever_the_sizes() -> None:
    draws = sample(strategies.maps_missing_a_target())
    assert {len(set(codomain) - set(f.values())) for f, codomain in draws} == {1}
    assert all(set(f.values()) < set(codomain) for f, codomain in draws)
    assert {len(set(codomain)) - len(f) for f, codomain in draws} == {0, 1}


def test_maps_leaving_the_codomain_have_one_value_outside_and_miss_no_target() -> None:
    draws = sample(strategies.maps_leaving_the_codomain())
    assert {len(set(f.values()) - set(codomain)) for f, codomain in draws} == {1}
    assert all(set(codomain) < set(f.values()) for f, codomain in draws)


def test_maps_between_equal_sizes_are_bijections_or_neither() -> None:
    draws = sample(strategies.maps_between_equal_sizes())
    assert all(len(set(codomain)) == len(f) for f, codomain in draws)
    assert all(set(f.values()) <= set(codomain) for f, codomain in draws)
    assert {set(f.values()) == set(codomain) for f, codomain in draws} == {True, False}


def positions_of_the_collision(f: strategies.FiniteMap) -> list[int]:
    values = list(f.values())
    return [place for place, value in enumerate(values) if values.count(value) > 1]


def distance_of_the_collision(f: strategies.FiniteMap) -> int:
    first, second = positions_of_the_collision(f)
    return second - first


def first_of_the_collision(f: strategies.FiniteMap) -> object:
    return list(f)[positions_of_the_collision(f)[0]]


# --- plain counterparts -------------------------------------------------------------------------------------


def test_every_public_strategy_is_listed_here() -> None:
    found = {name for name, value in vars(strategies).items() if hasattr(value, "plain") and not name.startswith("_")}
    assert found == set(PUBLIC)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", PUBLIC)
def test_the_plain_counterpart_is_drawn_from_on_demand(name: str) -> None:
    informed: Callable[[], SearchStrategy[object]] = getattr(strategies, name)
    counterpart: Callable[[], SearchStrategy[object]] = informed.plain  # type: ignore[attr-defined]
    assert sample(informed(), size=50) == sample(counterpart(), size=50)


@pytest.mark.usefixtures("plain")
def test_plain_byte_strings_keep_to_their_size() -> None:
    assert max(map(len, sample(strategies.byte_strings(max_size=5)))) <= 5


@pytest.mark.usefixtures("plain")
def test_plain_maps_are_what_their_strategies_promise() -> None:
    assert all(len(set(f.values())) == len(f) for f in sample(strategies.injective_maps()))
    assert all(len(set(f.values())) < len(f) for f in sample(strategies.colliding_maps()))


@pytest.mark.usefixtures("plain")
def test_plain_maps_with_a_codomain_are_what_their_strategies_promise() -> None:
    assert all(set(f.values()) == set(codomain) for f, codomain in sample(strategies.surjections()))
    assert all(set(f.values()) < set(codomain) for f, codomain in sample(strategies.maps_missing_a_target()))
    assert all(set(codomain) < set(f.values()) for f, codomain in sample(strategies.maps_leaving_the_codomain()))
    for f, codomain in sample(strategies.maps_between_equal_sizes()):
        assert len(set(codomain)) == len(f)
        assert set(f.values()) <= set(codomain)


@pytest.mark.usefixtures("plain")
def test_plain_texts_are_what_their_strategies_promise() -> None:
    assert all(text.encode("utf-8") is not None for text in sample(strategies.utf8_texts()))
    assert set("".join(sample(strategies.image_texts()))) <= set(strategies.IMAGE)
    assert set("".join("".join(chars) for chars in sample(strategies.characters_outside_image()))).isdisjoint(
        strategies.IMAGE
    )
    for text in sample(strategies.texts_with_lone_surrogates()):
        with pytest.raises(UnicodeEncodeError):
            text.encode("utf-8")
