"""Finite maps: the three definitions, and the inverse."""

from collections.abc import Hashable, Iterator
from itertools import combinations, product

import pytest
from hypothesis import example, given

from harness.bytelevel.strategies import (
    Codomain,
    FiniteMap,
    colliding_maps,
    finite_maps,
    injective_maps,
    maps_between_equal_sizes,
    maps_leaving_the_codomain,
    maps_missing_a_target,
    surjections,
)
from tinyllm.tok.bytes_unicode import inverse, is_injective, is_surjective

KEYS: tuple[Hashable, ...] = (0, "Ġ", None)
VALUES: tuple[Hashable, ...] = (7, "", b"t")


def small_maps() -> Iterator[FiniteMap]:
    """Every map of at most three keys to at most three values, 40 of them."""
    for size in range(len(KEYS) + 1):
        for values in product(VALUES, repeat=size):
            yield dict(zip(KEYS, values, strict=False))


def sharing_pairs(f: FiniteMap) -> list[tuple[Hashable, Hashable]]:
    """The pairs of keys that the definition of injective forbids: different keys, one value."""
    return [(key, other) for key, other in combinations(f, 2) if f[key] == f[other]]


# --- worked examples ----------------------------------------------------------------------------------------------


def test_hand_example_small_maps() -> None:
    """The three small maps come out as on paper.

    KIND: unit
    CHECKS: f = {1: a, 2: b, 3: a} is not injective and has no inverse; g = {1: a, 2: b} is injective, onto {a, b},
        not onto {a, b, c}, and its inverse is {a: 1, b: 2}
    WHY: the three definitions, on paper and in code
    CATCHES: s04 s07 s08 s39 m04
    """
    f = {1: "a", 2: "b", 3: "a"}
    g = {1: "a", 2: "b"}
    assert [is_injective(f), is_injective(g)] == [False, True]
    assert [is_surjective(g, {"a", "b"}), is_surjective(g, {"a", "b", "c"})] == [True, False]
    assert inverse(g) == {"a": 1, "b": 2}
    with pytest.raises(ValueError):
        inverse(f)


def test_is_injective_cases() -> None:
    """Injective is a question about values, of any hashable types.

    KIND: unit
    CHECKS: the empty map, an identity, a permutation and a map of mixed types are injective; collisions are not
    WHY: injectivity is about values, since keys are always distinct
    CATCHES: s08 s15 s16
    """
    cases: list[tuple[FiniteMap, bool]] = [
        ({}, True),
        ({1: 1, 2: 2, 3: 3}, True),
        ({1: 2, 2: 3, 3: 1}, True),
        ({1: "a", "a": 2, None: b"a"}, True),
        ({1: "a", 2: "a"}, False),
        ({1: "a", 2: "b", 3: "a"}, False),
        ({0: None, "": None}, False),
    ]
    for f, expected in cases:
        assert is_injective(f) == expected


def test_is_surjective_cases() -> None:
    """Onto is a question about a codomain: each of its elements is hit, and the map stays inside.

    KIND: boundary
    CHECKS: empty maps and codomains, missing targets, repetitions in map or codomain; ValueError for values
        outside
    WHY: surjectivity needs a codomain, and a map that leaves it is no map into it
    CATCHES: s06 s07 s17 s18 s19 s21
    """
    cases: list[tuple[FiniteMap, Codomain, bool]] = [
        ({}, [], True),
        ({}, ["a"], False),
        ({1: "a", 2: "b"}, {"a", "b"}, True),
        ({1: "a", 2: "b"}, ["a", "b", "a"], True),
        ({1: "a", 2: "a"}, ("a",), True),
        ({1: "a", 2: "a"}, ("a", "b"), False),
        ({1: "a", 2: None}, {"a", "b", None}, False),
    ]
    for f, codomain, expected in cases:
        assert is_surjective(f, codomain) == expected
    leaving: list[tuple[FiniteMap, Codomain]] = [
        ({1: "a"}, []),
        ({1: "a", 2: "b"}, ["a"]),
        ({1: "b", 2: "a"}, {"a"}),
    ]
    for f, codomain in leaving:
        with pytest.raises(ValueError):
            is_surjective(f, codomain)


def test_inverse_rejects_a_collision() -> None:
    """A repeated value has no inverse, and the error names it.

    KIND: boundary
    CHECKS: ValueError whose message holds the repeated value, wherever the two keys stand and whichever they are; two
        values that differ are inverted
    WHY: two ids never share a string
    CATCHES: s04 s11 s12 s13
    """
    cases: list[tuple[FiniteMap, str]] = [
        ({1: "Ġthe", 2: "Ġthe"}, "Ġthe"),
        ({1: "Ġa", 2: "Ġthe", 3: "Ġof", 4: "Ġthe"}, "Ġthe"),
        ({0: "Ġthe", 1: "Ġthe"}, "Ġthe"),
        ({"Ġa": 257, "Ġthe": 50256, None: 50256}, "50256"),
    ]
    for f, repeated in cases:
        with pytest.raises(ValueError) as caught:
            inverse(f)
        assert repeated in str(caught.value)
    assert inverse({1: "Ġthe", 2: "Ġof"}) == {"Ġthe": 1, "Ġof": 2}  # kept: what refuses everything must not pass


def test_arguments_are_left_unchanged() -> None:
    """Asking about a map changes neither the map nor the codomain.

    KIND: boundary
    CHECKS: is_injective, is_surjective and inverse answer rightly, and their arguments are what they were
    WHY: a vocabulary is asked whether it can be inverted, and then used
    CATCHES: s14 s20
    """
    f = {1: "a", 2: "b"}
    codomain = {"a", "b"}
    answers = (is_injective(f), is_surjective(f, codomain), inverse(f))
    assert answers == (True, True, {"a": 1, "b": 2})  # kept: what does nothing at all must not pass
    assert (f, codomain) == ({1: "a", 2: "b"}, {"a", "b"})


# --- every small map ----------------------------------------------------------------------------------------------


def test_is_injective_on_every_small_map() -> None:
    """No map of at most three keys is judged wrongly.

    KIND: property
    CHECKS: is_injective(f) says whether no two different keys share a value
    WHY: a fault that needs more than three keys to show is rare
    CATCHES: s08 s15 s16
    """
    for f in small_maps():
        assert is_injective(f) == (sharing_pairs(f) == [])


def test_is_surjective_on_every_small_map() -> None:
    """No map of at most three keys is judged wrongly, onto any set of at most three elements that holds its values.

    KIND: property
    CHECKS: is_surjective(f, B) says whether every element of B is a value
    WHY: a fault that needs more than three elements to show is rare
    CATCHES: s07 s18 s19 s21
    """
    for f in small_maps():
        for size in range(len(VALUES) + 1):
            for codomain in combinations(VALUES, size):
                if set(f.values()) <= set(codomain):
                    assert is_surjective(f, codomain) == all(target in f.values() for target in codomain)


def test_inverse_of_every_small_map() -> None:
    """Every map of at most three keys is inverted or rejected.

    KIND: property
    CHECKS: the inverse of f holds the pairs of f turned round; ValueError where two keys share a value
    WHY: a fault that needs more than three keys to show is rare
    CATCHES: s04 s11 s39 m04
    """
    for f in small_maps():
        if sharing_pairs(f):
            with pytest.raises(ValueError):
                inverse(f)
        else:
            pairs = {(value, key) for key, value in f.items()}
            assert set(inverse(f).items()) == pairs


# --- laws -------------------------------------------------------------------------------------------------


@given(f=finite_maps())
@example(f={})
@example(f={1: "a", 2: "a"})
@example(f={1: "a", 2: None})
def test_injective_means_that_no_two_keys_share_a_value(f: FiniteMap) -> None:
    """Injective is what its definition says.

    KIND: property
    CHECKS: is_injective(f) is true exactly when f(a) != f(b) for all keys a != b
    WHY: a vocabulary can be inverted exactly then
    CATCHES: s08 s15
    """
    assert is_injective(f) == (sharing_pairs(f) == [])


@given(f_and_codomain=surjections())
@example(f_and_codomain=({1: "a", 2: "a"}, ["a", "a"]))
def test_every_map_is_onto_its_own_image(f_and_codomain: tuple[FiniteMap, Codomain]) -> None:
    """A map hits all the values that it has.

    KIND: property
    CHECKS: is_surjective(f, f(A)) for every f, injective or not, with f(A) given as a list, a tuple or a set
    WHY: 256 distinct characters make the byte map a bijection onto its image
    CATCHES: s17 s18 s19
    """
    f, codomain = f_and_codomain
    expected = True
    assert is_surjective(f, codomain) == expected


@given(f_and_codomain=maps_missing_a_target())
@example(f_and_codomain=({1: "a", 2: "a"}, ["a", "b"]))
def test_a_map_that_misses_a_target_is_not_onto(f_and_codomain: tuple[FiniteMap, Codomain]) -> None:
    """One element without a preimage is enough.

    KIND: property
    CHECKS: is_surjective(f, B) is false where B holds f(A) and one element more
    WHY: a token that no id stands for can never be generated
    CATCHES: s07 s18
    """
    f, codomain = f_and_codomain
    expected = False
    assert is_surjective(f, codomain) == expected


@given(f_and_codomain=maps_leaving_the_codomain())
@example(f_and_codomain=({1: "a"}, []))
def test_a_map_that_leaves_the_codomain_is_rejected(f_and_codomain: tuple[FiniteMap, Codomain]) -> None:
    """One value outside the codomain makes the question void.

    KIND: boundary
    CHECKS: is_surjective(f, B) raises ValueError where B is all of f(A) but one value, and is True where B is f(A)
    WHY: neither yes nor no would be true of a map that is not into B
    CATCHES: s06
    """
    f, codomain = f_and_codomain
    with pytest.raises(ValueError):
        is_surjective(f, codomain)
    assert is_surjective(f, set(f.values()))  # kept: what refuses everything must not pass


@given(f_and_codomain=maps_between_equal_sizes())
@example(f_and_codomain=({1: "a", 2: "a"}, ["a", "b"]))
@example(f_and_codomain=({1: "a", 2: None}, ["a", None]))
def test_injective_and_surjective_agree_between_equal_sizes(f_and_codomain: tuple[FiniteMap, Codomain]) -> None:
    """Counting settles it: from n keys into n elements, injective and onto are the same.

    KIND: property
    CHECKS: where B has as many elements as f has keys, is_injective(f) and is_surjective(f, B) both say whether f has
        as many values
    WHY: 256 distinct outputs from 256 bytes prove that the byte map can be inverted
    CATCHES: s07 s08 s15 s18
    """
    f, codomain = f_and_codomain
    expected = sharing_pairs(f) == []
    assert (is_injective(f), is_surjective(f, codomain)) == (expected, expected)


@given(f=injective_maps())
@example(f={1: "a"})
def test_inverse_leads_back(f: FiniteMap) -> None:
    """The inverse takes each value to the key that it came from.

    KIND: property
    CHECKS: inverse(f)[f(a)] == a for every key a of an injective f
    WHY: an id becomes a token and the token the same id
    CATCHES: s39 m04
    """
    keys = list(f)
    values = list(f.values())
    inverted = inverse(f)
    assert [inverted[value] for value in values] == keys


@given(f=injective_maps())
@example(f={1: "a"})
def test_inverse_of_the_inverse_is_the_map(f: FiniteMap) -> None:
    """Turning a map round twice gives the map.

    KIND: property
    CHECKS: inverse(inverse(f)) == f for every injective f
    WHY: a vocabulary saved by id and loaded by token is the same vocabulary
    CATCHES: s14
    """
    assert inverse(inverse(f)) == f


@given(f=colliding_maps())
@example(f={0: "a", 1: "a"})
def test_inverse_rejects_every_collision(f: FiniteMap) -> None:
    """Two keys with one value are never passed over, whatever and wherever they are.

    KIND: property
    CHECKS: inverse(f) raises ValueError where two keys of f share a value, and inverts what is left without them
    WHY: the later key would win in silence, and an id would be lost
    CATCHES: s04 s11
    """
    with pytest.raises(ValueError):
        inverse(f)
    last_keys = {value: key for key, value in f.items()}
    assert (
        inverse({key: value for value, key in last_keys.items()}) == last_keys
    )  # kept: what refuses everything must not pass
