"""Each strategy of byte-level BPE reaches what it names, and a fault of its kind shows within a hundred draws."""

import unicodedata
from itertools import pairwise

import pytest
import regex
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from harness.bytelevel import bpe_strategies as bpe
from harness.bytelevel.oracles import gpt2_pieces, merged, tiktoken_slice
from harness.bytelevel.unicode_versions import disagreements

SEARCH = settings(max_examples=1000, phases=[Phase.generate], database=None, deadline=None, derandomize=True)
BYTES = tiktoken_slice().token_bytes()


def reaches(strategy, condition):
    """Whether one of the first 1,000 draws meets the condition."""
    try:
        find(strategy, condition, settings=SEARCH)
    except NoSuchExample:
        return False
    return True


def draws(strategy, count):
    """What a strategy gives when it is asked `count` times."""
    drawn = []

    @settings(SEARCH, max_examples=count)
    @given(value=strategy)
    def collect(value):
        drawn.append(value)

    collect()
    return drawn


def unreached(strategy, wanted, holds, count=2000):
    drawn = draws(strategy, count)
    return [one for one in wanted if not any(holds(one, value) for value in drawn)]


FAULTY_PATTERNS = {
    "contractions case-blind": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "lookahead missing": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+",
    "digits for numbers": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+",
    "decimal numbers": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{Nd}+| ?[^\s\p{L}\p{Nd}]+|\s+(?!\S)|\s+",
    "marks as letters": r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]+|\s+(?!\S)|\s+",
    "BMP letters": r"'s|'t|'re|'ve|'m|'ll|'d| ?(?:(?![\U00010000-\U0010ffff])\p{L})+| ?\p{N}+|"
    r" ?(?:[^\s\p{L}\p{N}]|[\U00010000-\U0010ffff])+|\s+(?!\S)|\s+",
    "no-break space is none": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?(?:[^\s\p{L}\p{N}]|\xa0)+|"
    r"(?:(?!\xa0)\s)+(?!\S)|\s+",
    "next line is none": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?(?:[^\s\p{L}\p{N}]|\x85)+|"
    r"(?:(?!\x85)\s)+(?!\S)|\s+",
    "U+FEFF is a blank": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\ufeff\p{L}\p{N}]+|"
    r"[\s\ufeff]+(?![^\s\ufeff])|[\s\ufeff]+",
}
"""Mistakes found in public tokenizers, as patterns."""


@pytest.mark.parametrize("mistake", FAULTY_PATTERNS)
def test_some_text_strategy_tells_each_faulty_pattern_apart(mistake):
    texts = st.tuples(bpe.characters_in_context(), bpe.blank_runs(), bpe.contractions()).map("|".join)
    faulty = regex.compile(FAULTY_PATTERNS[mistake])
    assert reaches(texts, lambda text: faulty.findall(text) != gpt2_pieces(text))


def test_contexts_put_every_pair_of_neighbours_around_a_character():
    wanted = [(before, after) for before in ("a", "1", " ", "\t", "'") for after in (".a", "'re", "'s", "000", "#")]
    pattern = "{}[^{}]{}"

    def holds(pair, text):
        before, after = map(regex.escape, pair)
        return regex.search(pattern.format(before, "a1", after), text) is not None

    assert unreached(bpe.characters_in_context(), wanted, holds) == []


def test_contexts_reach_every_general_category_and_plane():
    characters = bpe.telling_characters() + bpe.spread_characters()
    categories = {unicodedata.category(character) for character in characters}
    wanted = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No", "Mn", "Mc", "Me", "Cc", "Cf", "Cn", "Co", "Zs")
    assert set(wanted) <= categories
    assert {ord(character) >> 16 for character in characters} == set(range(17))
    assert "\ud800" not in characters


def test_no_strategy_draws_a_character_on_which_the_engines_disagree():
    pool = bpe.telling_characters() + bpe.spread_characters()
    assert [one for one in disagreements(pool).values() if one] == []


def test_blank_runs_hold_every_blank_before_words_digits_punctuation_and_the_end():
    runs = set(bpe.BLANK_RUNS)
    ends = ("a", "1", "!", "")
    assert [one for one in bpe.BLANKS + bpe.FALSE_BLANKS if not {one + end for end in ends} <= runs] == []
    assert unreached(bpe.blank_runs(), bpe.BLANKS + bpe.FALSE_BLANKS, lambda one, text: one in text) == []


def test_the_blanks_are_those_of_the_pattern():
    assert regex.findall(r"\s", "".join(map(chr, range(0xD800)))) == list(bpe.BLANKS)
    assert regex.findall(r"\s", bpe.FALSE_BLANKS) == []


def test_contractions_reach_both_cases_both_apostrophes_and_what_folds_to_s():
    wanted = ("'s", "'S", "\u2019s", "'re", "'RE", "'\u017f", "'\u212a", "\t'll", "\n'd", "'tx", "''m")
    assert unreached(bpe.contractions(), wanted, lambda one, text: one in text) == []


def test_mixed_alphabets_reach_two_scripts_marks_emoji_and_controls():
    wanted = ("\u041f", "\u05e9", "\u093f", "\u4f60", "\u200d", "\U0001f3fd", "\x00", "\r\n")
    assert unreached(bpe.mixed_alphabets(), wanted, lambda one, text: one in text) == []
    assert reaches(
        bpe.mixed_alphabets(), lambda text: regex.search(r"\p{Latin}.*\p{Cyrillic}|\p{Han}.*\p{Hebrew}", text)
    )


def test_texts_of_tokens_reach_single_tokens_joins_and_changed_ones():
    tokens = set(bpe.token_texts())
    texts = bpe.texts_of_tokens()
    joins = {left + right for left in tokens for right in tokens}
    assert reaches(texts, lambda text: text in tokens and len(text) > 3)
    assert reaches(texts, lambda text: text in joins and text not in tokens)
    assert [text for text in draws(texts, 1000) if text not in tokens and text.lower() in tokens] != []
    assert reaches(texts, lambda text: any(text[:place] + text[place + 1 :] in tokens for place in range(len(text))))


def test_texts_of_tokens_reach_merges_of_the_highest_ranks():
    late = {" gazed", " Leilan", "GoldMagikarp", " informants"}
    assert late <= set(bpe.token_texts())
    assert reaches(bpe.texts_of_tokens(), lambda text: any(token in text for token in late))


def test_runs_reach_every_threshold():
    wanted = [15, 16, 17, 31, 64, 255, 256, 257, 1024, 4095, 4096, 4097]
    assert unreached(bpe.runs_of_one_piece(), wanted, lambda length, text: len(text) == length) == []


def test_texts_with_specials_reach_tokens_in_a_row_and_their_prefixes():
    texts = bpe.texts_with_specials(["<a>", "<a><a>", "<|b|>"])
    wanted = ("<a><a><a>", " <a>", "a<a>", "<|b", "<a><|b|>", "<<a>")
    assert unreached(texts, wanted, lambda one, text: one in text) == []


@settings(SEARCH)
@given(merges=bpe.merge_tables(), word=bpe.words_to_merge())
def test_on_merge_tables_three_readings_agree(merges, word):
    assert merged(word, merges) == by_eager_pairs(word, merges) == by_spelling(word, merges)


def by_eager_pairs(word, merges):
    symbols = list(word)
    while True:
        known = [(merges.index(pair), place) for place, pair in enumerate(pairwise(symbols)) if pair in merges]
        if not known:
            return symbols
        _, place = min(known)
        symbols[place : place + 2] = ["".join(symbols[place : place + 2])]


def by_spelling(word, merges):
    symbols, spelled = list(word), ["".join(pair) for pair in merges]
    while True:
        joined = ["".join(pair) for pair in pairwise(symbols)]
        known = [(spelled.index(text), place) for place, text in enumerate(joined) if text in spelled]
        if not known:
            return symbols
        _, place = min(known)
        symbols[place : place + 2] = [joined[place]]


def test_merge_tables_reach_overlaps_long_products_and_ranks_against_the_text():
    tables = bpe.merge_tables()
    assert reaches(tables, lambda merges: ("a", "a") in merges and ("aa", "a") in merges)
    assert reaches(tables, lambda merges: any(len("".join(pair)) > 4 for pair in merges))
    assert reaches(tables, lambda merges: ("b", "a") in merges[:1] and ("a", "b") in merges)
    assert reaches(
        st.tuples(tables, bpe.words_to_merge()),
        lambda drawn: merged(drawn[1], drawn[0]) != merged(drawn[1][::-1], drawn[0])[::-1],
    )


def test_id_lists_cut_characters_and_complete_them():
    lists = bpe.id_lists(BYTES)

    def decoded(ids):
        return b"".join(BYTES[number] for number in ids).decode("utf-8", "replace")

    assert reaches(lists, lambda ids: "\ufffd" in decoded(ids))
    assert reaches(lists, lambda ids: "\U0001f600" in decoded(ids))
    assert reaches(lists, lambda ids: 50256 in ids)
    assert reaches(lists, lambda ids: ids == [])


def test_unknown_ids_reach_negatives_gaps_and_what_wraps():
    numbers = bpe.unknown_ids(BYTES)
    gap = next(number for number in range(50257) if number not in BYTES)
    for wanted in (-1, gap, 50257, 2**31, 2**32):
        assert reaches(numbers, lambda number, wanted=wanted: number == wanted)
    assert reaches(numbers, lambda number: number > 2**32 and number - 2**32 in BYTES)
    assert not reaches(numbers, lambda number: number in BYTES)


def test_damaged_merges_reach_every_kind_of_damage():
    files = bpe.damaged_merges(["h e", "l l"])
    for sign in (b"he\n", b"h  e", b"\t", "\xa0".encode(), b"\n h e", b"h e \n", "\u20ac".encode()):
        assert reaches(files, lambda data, sign=sign: sign in data)


def test_what_is_no_base64_reaches_every_kind_of_leniency():
    fields = bpe.fields_that_are_no_base64()
    for wanted in ("!!!", "-_-_", "=", "", "YR==", "YQ="):
        assert reaches(fields, lambda field, wanted=wanted: field == wanted)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("characters_in_context", ()),
        ("blank_runs", ()),
        ("contractions", ()),
        ("mixed_alphabets", ()),
        ("texts_of_tokens", ()),
        ("runs_of_one_piece", ()),
        ("texts_with_specials", (["<a>"],)),
        ("merge_tables", ()),
        ("words_to_merge", ()),
        ("id_lists", ({0: b"a", 1: b"\xc3"},)),
        ("unknown_ids", ({0: b"a"},)),
        ("damaged_merges", (["h e"],)),
        ("fields_that_are_no_base64", ()),
    ],
)
def test_every_strategy_has_a_plain_counterpart_that_draws(name, arguments, monkeypatch):
    monkeypatch.setenv("TOKPROOF_STRATEGIES", "plain")
    assert reaches(getattr(bpe, name)(*arguments), lambda drawn: True)
