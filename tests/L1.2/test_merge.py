"""The merge loop, on tables small enough to follow by hand."""

from hypothesis import example, given

from harness.bytelevel.bpe_strategies import Merges, merge_tables, words_to_merge
from harness.bytelevel.oracles import merged
from harness.bytelevel.small_vocabularies import byte_ids
from tinyllm.tok.bpe import Encoder, get_pairs

LETTERS = {"a": 0, "b": 1, "c": 2}


def encoder_of(merges: Merges) -> Encoder:
    """An encoder of the letters a, b, c and what `merges` make of them."""
    tokens = dict.fromkeys([*LETTERS, *("".join(pair) for pair in merges)])
    return Encoder({token: number for number, token in enumerate(tokens)}, merges)


def test_hand_example_get_pairs() -> None:
    """The pairs of a word are its neighbours, each once.

    KIND: unit
    CHECKS: ("a", "b", "a", "b") has (a, b) and (b, a); a word of one symbol or none has no pair
    WHY: the loop asks them for the lowest rank
    CATCHES: s65 m03
    """
    for word, pairs in (
        (("a", "b", "a", "b"), {("a", "b"), ("b", "a")}),
        (("th", "e", "r"), {("th", "e"), ("e", "r")}),
        (("a",), set()),
        ((), set()),
    ):
        assert get_pairs(word) == pairs


def test_hand_example_bpe() -> None:
    """The worked examples merge as on paper.

    KIND: unit
    CHECKS: "abcab" by (b, c), (a, b), (a, bc); what no pair knows stays apart; one symbol and none are themselves
    WHY: you and the tests agree on the rule
    CATCHES: s01 s22 m04
    """
    encoder = encoder_of([("b", "c"), ("a", "b"), ("a", "bc")])
    for token, symbols in (("abcab", "abc ab"), ("bca", "bc a"), ("cb", "c b"), ("a", "a"), ("", "")):
        assert encoder.bpe(token) == symbols


def test_the_lowest_rank_comes_first() -> None:
    """Of two pairs that overlap the one of lower rank is merged, wherever it stands.

    KIND: unit
    CHECKS: "abc" with (b, c) before (a, b) is "a bc", and with (a, b) before (b, c) is "ab c"
    WHY: merging from left to right gives other ids on most words
    CATCHES: s01
    """
    assert encoder_of([("b", "c"), ("a", "b")]).bpe("abc") == "a bc"
    assert encoder_of([("a", "b"), ("b", "c")]).bpe("abc") == "ab c"


def test_the_leftmost_occurrence_comes_first() -> None:
    """Occurrences that overlap are merged from the left, and an odd one is left over at the right.

    KIND: boundary
    CHECKS: runs of 1 to 9 "a" with (a, a), and with (a, a), (aa, aa)
    WHY: "aaa" is where a bulk replacement loses or doubles a symbol
    CATCHES: s02 s03
    """
    for merges in ([("a", "a")], [("a", "a"), ("aa", "aa")]):
        encoder = encoder_of(merges)
        for length in range(1, 10):
            assert encoder.bpe("a" * length) == " ".join(merged("a" * length, merges))


def test_a_table_out_of_order_is_no_list_of_steps() -> None:
    """Each round asks for the lowest rank anew: a merge may need another that stands further down.

    KIND: unit
    CHECKS: "abc" with (ab, c) before (a, b) is one symbol
    WHY: running once through the table, top to bottom, leaves it at "ab c"
    CATCHES: s40
    """
    assert encoder_of([("ab", "c"), ("a", "b")]).bpe("abc") == "abc"


def test_a_token_that_no_pair_makes_is_never_used() -> None:
    """A token in the vocabulary is not looked up whole: only merges make it.

    KIND: boundary
    CHECKS: with "abc" in the vocabulary but no merge that ends in it, "abc" is three ids
    WHY: a piece looked up whole skips the merges, and gives ids that training never saw
    CATCHES: s66
    """
    assert Encoder({"a": 5, "b": 7, "c": 9, "abc": 11}, []).encode("abc") == [5, 7, 9]


def test_ids_are_those_of_the_vocabulary() -> None:
    """An id is the vocabulary's, whatever the rank of the merge that made the token.

    KIND: unit
    CHECKS: with "he" at 300 and one merge, "he" is [300]
    WHY: GPT-2's own ids are 256 plus the rank, and hardly any other vocabulary's are
    CATCHES: s32
    """
    vocabulary = byte_ids() | {"he": 300}
    assert Encoder(vocabulary, [("h", "e")]).encode("hehe") == [300, 300]


@given(merges=merge_tables(), token=words_to_merge())
@example(merges=[("a", "a")], token="aaa")
@example(merges=[("b", "c"), ("a", "b")], token="abc")
@example(merges=[("a", "b"), ("ab", "ab")], token="ababab")
def test_bpe_follows_the_rule_on_every_table(merges: Merges, token: str) -> None:
    """The symbols are those that the rule gives, for any table as training makes it.

    KIND: property
    CHECKS: bpe of a token, of it turned round and of each of its ends is what the slow loop leaves: the lowest rank
        first, all its occurrences from the left, and again
    WHY: ids are compared between programs that were all written from this rule
    CATCHES: s01 s02 s03 s22
    """
    encoder = encoder_of(merges)
    for part in (token[::-1], *(token[start:] for start in range(len(token)))):
        assert encoder.bpe(part) == " ".join(merged(part, merges))
