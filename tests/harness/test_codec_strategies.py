"""The byte codec's strategies reach the hard cases that they name; their plain counterparts serve the same tests."""

from __future__ import annotations

import unicodedata
from typing import TypeVar

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from harness.bytelevel import codec_strategies, strategies
from harness.bytelevel.codec_strategies import BOS, EOS

pytestmark = pytest.mark.slow

T = TypeVar("T")


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


def bytes_among(ids: list[int]) -> bytes:
    return bytes(token_id for token_id in ids if token_id < BOS)


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def share(draws: list[T], count: int) -> float:
    return count / len(draws)


# --- text ---------------------------------------------------------------------------------------------------------


def test_telling_texts_are_changed_by_normalising_stripping_and_other_care_in_a_quarter_of_the_draws() -> None:
    draws = sample(codec_strategies.telling_texts())
    careful = {
        "NFC": lambda text: unicodedata.normalize("NFC", text),
        "strip": str.strip,
        "line ends": lambda text: text.replace("\r\n", "\n"),
        "byte order mark": lambda text: text.removeprefix("\ufeff"),
        "NUL": lambda text: text.replace("\x00", ""),
        "U+FFFD": lambda text: text.replace("\ufffd", ""),
        "EOS": lambda text: text.replace("EOS", ""),
        "<eos>": lambda text: text.replace("<eos>", ""),
        "ASCII": lambda text: text.encode("ascii", "ignore").decode(),
        "past U+FFFF": lambda text: "".join(char for char in text if char <= "\uffff"),
    }
    rates = {name: share(draws, sum(change(text) != text for text in draws)) for name, change in careful.items()}
    assert {name: rate for name, rate in rates.items() if rate < 1 / 4} == {}


def test_telling_texts_hold_the_empty_text_and_no_surrogate() -> None:
    draws = sample(codec_strategies.telling_texts(), size=1000)
    assert "" in draws
    assert all(text.encode().decode() == text for text in draws)


def test_texts_around_a_surrogate_hold_one_behind_something_that_bytes_count_otherwise() -> None:
    draws = sample(codec_strategies.texts_around_a_surrogate())
    assert all(0xD800 <= ord(surrogate) <= 0xDFFF for _, surrogate, _ in draws)
    assert {surrogate for _, surrogate, _ in draws} >= set("\ud800\udbff\udc00\udfff")
    assert share(draws, sum(len(before.encode()) != len(before) for before, _, _ in draws)) > 1 / 2


# --- code points --------------------------------------------------------------------------------------------------


def test_scalar_values_hold_the_ends_of_every_length_in_a_quarter_of_the_draws() -> None:
    draws = sample(codec_strategies.scalar_values())
    ends = (0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
    assert [end for end in ends if share(draws, sum(end in points for points in draws)) < 1 / 4] == []
    assert all(chr(point).encode() for points in draws for point in points)


def test_numbers_that_are_no_scalar_values_hold_both_sides_of_each_border() -> None:
    draws = sample(codec_strategies.numbers_that_are_no_scalar_values())
    numbers = {number for drawn in draws for number in drawn}
    assert {-1, 0xD800, 0xDFFF, 0x110000} <= numbers
    assert all(drawn for drawn in draws)
    assert {n for n in numbers if 0 <= n < 0xD800 or 0xE000 <= n < 0x110000} == set()


# --- ids ----------------------------------------------------------------------------------------------------------


def test_legal_ids_are_utf8_with_special_ids_also_inside_characters() -> None:
    draws = sample(codec_strategies.legal_ids())
    assert all(is_utf8(bytes_among(ids)) for ids in draws)
    apart = [ids for ids in draws if not all(is_utf8(part) for part in parts(ids))]
    assert share(draws, len(apart)) > 1 / 3
    assert [] in draws


def parts(ids: list[int]) -> list[bytes]:
    """The bytes between special ids."""
    found = [bytearray()]
    for token_id in ids:
        if token_id < BOS:
            found[-1].append(token_id)
        else:
            found.append(bytearray())
    return [bytes(part) for part in found]


def test_legal_ids_begin_with_any_of_their_pieces() -> None:
    firsts = {ids[0] for ids in sample(codec_strategies.legal_ids()) if ids}
    assert {BOS, EOS, 0, 0x61, 0xC2, 0xE6, 0xEF, 0xF0, 0xF4} <= firsts


def test_any_ids_hold_every_kind_of_illegal_sequence_and_legal_ones_too() -> None:
    draws = sample(codec_strategies.any_ids())
    assert {is_utf8(bytes_among(ids)) for ids in draws} == {True, False}
    kinds = ("80", "c0af", "e080af", "eda080", "f08080af", "f4908080", "f5808080", "ff")
    rare = [
        kind for kind in kinds if share(draws, sum(bytes.fromhex(kind) in bytes_among(ids) for ids in draws)) < 1 / 8
    ]
    assert rare == []


def test_the_fault_of_ids_with_one_fault_starts_where_the_legal_part_ends() -> None:
    draws = sample(codec_strategies.ids_with_one_fault())
    for legal, fault, behind in draws:
        with pytest.raises(UnicodeDecodeError) as caught:
            bytes_among([*legal, *fault, *behind]).decode()
        assert caught.value.start == len(bytes_among(legal))
    assert {len(fault) for _, fault, _ in draws} == {1, 2, 3, 4}


def test_numbers_that_are_no_ids_hold_both_ends() -> None:
    numbers = set(sample(codec_strategies.numbers_that_are_no_ids()))
    assert {-1, -258, 258} <= numbers
    assert numbers & set(range(258)) == set()


# --- documents, prefixes ------------------------------------------------------------------------------------------


def test_documents_are_whole_and_some_have_eos_inside() -> None:
    draws = sample(codec_strategies.documents())
    documents = [ids for drawn in draws for ids in drawn]
    assert all((ids[0], ids[-1]) == (BOS, EOS) and len(ids) >= 2 for ids in documents)
    assert [BOS, EOS] in documents
    assert share(documents, sum(EOS in ids[1:-1] for ids in documents)) > 1 / 4
    assert [] in draws


def test_utf8_prefixes_can_become_text_and_mostly_are_none_yet() -> None:
    draws = sample(codec_strategies.utf8_prefixes())
    endings = (b"", b"\x80", b"\x80\x80", b"\xa0\x80", b"\x80\x80\x80", b"\x90\x80\x80")
    assert all(any(is_utf8(prefix + ending) for ending in endings) for prefix in draws)
    assert 1 / 2 < share(draws, sum(not is_utf8(prefix) for prefix in draws)) < 1


# --- plain counterparts -------------------------------------------------------------------------------------------


def test_plain_counterparts_give_what_the_tests_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is drawn from under the environment variable, and its draws are valid where the strategy's are."""
    monkeypatch.setenv(strategies.VARIABLE, "plain")
    assert all(text.encode().decode() == text for text in sample(codec_strategies.telling_texts(), size=50))
    assert all(
        0xD800 <= ord(surrogate) <= 0xDFFF
        for _, surrogate, _ in sample(codec_strategies.texts_around_a_surrogate(), size=50)
    )
    assert all(chr(n).encode() for drawn in sample(codec_strategies.scalar_values(), size=50) for n in drawn)
    wild = sample(codec_strategies.numbers_that_are_no_scalar_values(), size=50)
    assert all(drawn and not 0 <= n <= 0x10FFFF for drawn in wild for n in drawn)
    assert all(is_utf8(bytes_among(ids)) for ids in sample(codec_strategies.legal_ids(), size=50))
    assert all(0 <= n <= EOS for ids in sample(codec_strategies.any_ids(), size=50) for n in ids)
    for legal, fault, behind in sample(codec_strategies.ids_with_one_fault(), size=50):
        with pytest.raises(UnicodeDecodeError) as caught:
            bytes_among([*legal, *fault, *behind]).decode()
        assert caught.value.start == len(bytes_among(legal))
    assert all(not 0 <= n <= EOS for n in sample(codec_strategies.numbers_that_are_no_ids(), size=50))
    assert all(
        ids[0] == BOS and ids[-1] == EOS for drawn in sample(codec_strategies.documents(), size=50) for ids in drawn
    )
    assert all(is_utf8(prefix) for prefix in sample(codec_strategies.utf8_prefixes(), size=50))
