"""Text to ids, over a slice of GPT-2's own vocabulary."""

from functools import lru_cache

import pytest
from hypothesis import example, given

from harness.bytelevel.bpe_strategies import (
    characters_in_context,
    contractions,
    mixed_alphabets,
    runs_of_one_piece,
    texts_of_tokens,
)
from harness.bytelevel.oracles import tiktoken_slice
from harness.bytelevel.small_vocabularies import byte_ids, gpt2_slice
from harness.bytelevel.strategies import texts_with_lone_surrogates
from tinyllm.tok.bpe import Encoder

SLICE = gpt2_slice()
END_OF_TEXT = "<|endoftext|>"


@lru_cache
def slice_encoder() -> Encoder:
    """The subject over the slice; nothing that a test does may change it."""
    return Encoder(SLICE.ids, SLICE.merges, special_tokens={END_OF_TEXT: 50256})


def test_hand_example_encode() -> None:
    """The worked examples have the ids that GPT-2 gives.

    KIND: golden
    CHECKS: words, contractions, blanks, digits, accents, Cyrillic, Devanagari, Chinese and an emoji
    WHY: a model reads these numbers; another number is another text
    CATCHES: s01 s16 s22 s28 s29 s82 m05
    """
    for text, ids in (
        ("hello world", [31373, 995]),
        ("Hello,", [15496, 11]),
        ("toString", [1462, 10100]),
        ("a\r\nb", [64, 201, 198, 65]),
        ("'SS", [6, 5432]),
        ("it's 2019", [270, 338, 13130]),
        ("\x00", [188]),
        ("\u201c", [447, 250]),
        (" \x85!", [220, 126, 227, 0]),
        ("\xe9", [2634]),
        ("e\u0301", [68, 136, 223]),
        ("\u041f\u0440\u0438", [140, 253, 21169, 18849]),
        ("\u0939\u093f", [11976, 117, 11976, 123]),
        ("\U0001f600", [47249, 222]),
    ):
        assert slice_encoder().encode(text) == ids


def test_nothing_has_no_ids() -> None:
    """The empty text is a text, of no tokens.

    KIND: boundary
    CHECKS: encode("") == [], with and without special tokens allowed
    WHY: an empty line of a corpus is no error
    CATCHES: s25 s29
    """
    assert slice_encoder().encode("") == []
    assert slice_encoder().encode("", allowed_special="all") == []


@given(text=characters_in_context())
@example(text=" \xe9\u0301'S 12\xb2\u3000\u3000a")
@example(text="a  \x1c b")
def test_ids_of_characters_in_context(text: str) -> None:
    """Characters of every class between neighbours of every class get the ids that tiktoken gives.

    KIND: property
    CHECKS: encode(text) equals tiktoken's ids over the same vocabulary
    WHY: what is cut wrongly merges wrongly
    CATCHES: s09 s14 s15 s16 s29
    """
    assert slice_encoder().encode(text) == tiktoken_slice().encode(text)


@given(text=texts_of_tokens())
@example(text="SolidGoldMagikarp Leilan gazed")
@example(text=" informants' informant")
def test_ids_of_tokens_joined_and_changed(text: str) -> None:
    """Tokens, whole or with one character changed, alone or joined, get the ids that tiktoken gives.

    KIND: property
    CHECKS: encode(text) equals tiktoken's ids over the same vocabulary
    WHY: merges of high rank are reached by few texts other than their own tokens
    CATCHES: s01 s22
    """
    assert slice_encoder().encode(text) == tiktoken_slice().encode(text)


@given(text=runs_of_one_piece(longest=257))
@example(text="a" * 65)
@example(text=" " * 17 + "a")
def test_ids_of_runs(text: str) -> None:
    """One piece repeated gets the ids that tiktoken gives, at lengths around every power of two.

    KIND: property
    CHECKS: encode(text) equals tiktoken's ids over the same vocabulary
    WHY: runs are where pairs overlap, and where a loop for short pieces hands over to one for long pieces
    CATCHES: s02 s03
    """
    assert slice_encoder().encode(text) == tiktoken_slice().encode(text)


@given(text=mixed_alphabets() | contractions())
@example(text="\u212b \ufb01 e\u0301 ?\r\n")
@example(text="")
def test_decoding_gives_the_text_back(text: str) -> None:
    """No text is changed by encoding and decoding it.

    KIND: property
    CHECKS: decode(encode(text)) == text for any text without lone surrogates
    WHY: a language model is to give probability to every text, as it stands
    CATCHES: s16 s28 s29 s81
    """
    assert slice_encoder().decode(slice_encoder().encode(text)) == text


@given(text=texts_with_lone_surrogates())
@example(text="\ud800")
@example(text="ab\udfff")
def test_lone_surrogates_are_refused(text: str) -> None:
    """What UTF-8 cannot write is an error that says where it stands.

    KIND: boundary
    CHECKS: ValueError whose message holds the index of the first lone surrogate
    WHY: replaced in silence, two different texts would have the same ids
    CATCHES: s27
    """
    index = next(place for place, character in enumerate(text) if "\ud800" <= character <= "\udfff")
    with pytest.raises(ValueError) as caught:
        slice_encoder().encode(text)
    assert str(index) in str(caught.value)


def test_only_text_is_encoded() -> None:
    """Bytes, numbers and lists are no text.

    KIND: boundary
    CHECKS: TypeError for b"hello", 1, None and ["hello"], and for the empty bytes and list
    WHY: an error here names the caller's mistake; later it is a strange message or none
    CATCHES: s69
    """
    for value in (b"hello", 1, None, ["hello"], b"", []):
        with pytest.raises(TypeError):
            slice_encoder().encode(value)
    assert slice_encoder().encode("a") == [64]  # kept: what refuses everything must not pass


def test_a_result_belongs_to_its_caller() -> None:
    """Whoever gets ids may change them, and nobody else sees it.

    KIND: boundary
    CHECKS: after a result is emptied, or got one more id, the same text has the same ids as before
    WHY: pieces are remembered, and what is remembered must not leave the house
    CATCHES: s20
    """
    encoder = slice_encoder()
    for text, ids in (("hello", [31373]), ("hello world", [31373, 995])):
        encoder.encode(text)
        first = encoder.encode(text)
        first.append(0)
        second = encoder.encode(text)
        second.clear()
        assert encoder.encode(text) == ids


def test_two_vocabularies_do_not_mix() -> None:
    """Two encoders in one program know nothing of each other.

    KIND: boundary
    CHECKS: "ab" under two vocabularies with other merges and other ids, asked in turn
    WHY: a program compares models, and each has its tokenizer
    CATCHES: s21
    """
    one = Encoder({"a": 1, "b": 2, "ab": 3}, [("a", "b")])
    other = Encoder({"a": 10, "b": 20}, [])
    for _ in range(2):
        assert (one.encode("ab"), other.encode("ab")) == ([3], [10, 20])


def test_a_byte_without_a_token_is_an_error() -> None:
    """A byte that the vocabulary lacks is neither dropped nor replaced.

    KIND: boundary
    CHECKS: ValueError whose message names the byte, 0x04 or 4, whatever stands around it
    WHY: published vocabularies lack bytes: SmolLM2's lacks 21
    CATCHES: s37 s38
    """
    vocabulary = byte_ids()
    del vocabulary["\u0104"]
    encoder = Encoder(vocabulary, [])
    assert encoder.encode("a\x05b") == [64, 193, 65]
    for text in ("\x04", "a\x04", "\x04b", "a b\x04"):
        with pytest.raises(ValueError) as caught:
            encoder.encode(text)
        assert [name for name in ("4", "\u0104") if name in str(caught.value)] != []


# --- the vocabulary -----------------------------------------------------------------------------------------------


def test_the_tables_are_the_vocabulary() -> None:
    """An encoder shows its vocabulary, both ways, its ranks, and the byte map.

    KIND: unit
    CHECKS: encoder, decoder, bpe_ranks, byte_encoder and byte_decoder of a vocabulary of three tokens
    WHY: these names are those of the official code, and notebooks read them
    CATCHES: m06
    """
    encoder = Encoder({"a": 5, "b": 3, "ab": 9}, [("a", "b")])
    tables = encoder.encoder, encoder.decoder, encoder.bpe_ranks
    assert (*tables, encoder.byte_encoder[32], encoder.byte_decoder["\u0120"]) == (
        {"a": 5, "b": 3, "ab": 9},
        {5: "a", 3: "b", 9: "ab"},
        {("a", "b"): 0},
        "\u0120",
        32,
    )


def test_the_size_is_the_highest_id_plus_one() -> None:
    """The size counts rows of an embedding, gaps and special tokens included.

    KIND: boundary
    CHECKS: ids 5, 3 and 9 make 10; a special token with id 20 makes 21; the slice has GPT-2's 50257; nothing makes 0
    WHY: a table with one row too few fails on the last token, in training or, worse, in use
    CATCHES: s43 m07 m08
    """
    tokens, merges = {"a": 5, "b": 3, "ab": 9}, [("a", "b")]
    for special, size in (({}, 10), ({"<s>": 20}, 21), ({"<s>": 0}, 10)):
        assert Encoder(tokens, merges, special_tokens=special).vocab_size == size
    assert (slice_encoder().vocab_size, Encoder({}, []).vocab_size) == (50257, 0)


def test_tokens_and_ids_are_looked_up_both_ways() -> None:
    """Every id has its token in GPT-2's alphabet, and every token its id.

    KIND: unit
    CHECKS: token_to_id and id_to_token, special tokens included; None for an unknown token, ValueError for an unknown
        id
    WHY: what shows tokens to people goes through these two
    CATCHES: s58 m09
    """
    encoder = slice_encoder()
    apart = Encoder({"a": 1}, [], special_tokens={"<s>": 9})
    for one, token, number in (
        (encoder, "\u0120world", 995),
        (encoder, "\u010a", 198),
        (encoder, END_OF_TEXT, 50256),
        (encoder, "!", 0),
        (apart, "<s>", 9),
    ):
        assert (one.token_to_id(token), one.id_to_token(number)) == (number, token)
    assert encoder.token_to_id(" world") is None  # kept: nothing else here asks for a token that does not exist
    with pytest.raises(ValueError):  # kept: nor for an id that does not
        encoder.id_to_token(50257)


def test_an_id_that_two_tokens_share_is_refused() -> None:
    """A vocabulary in which two tokens have one id cannot be decoded.

    KIND: boundary
    CHECKS: ValueError naming the id: two tokens, two special tokens, a token and a special token, a token's id changed
    WHY: one of the two tokens would decode to the other's text
    CATCHES: s42 s70
    """
    for tokens, special in (
        ({"a": 7, "b": 7}, {}),
        ({"a": 7}, {"<s>": 7}),
        ({"a": 1}, {"<s>": 7, "</s>": 7}),
        ({"a": 1, "<s>": 7}, {"<s>": 8}),
    ):
        with pytest.raises(ValueError) as caught:
            Encoder(tokens, [], special_tokens=special)
        assert "7" in str(caught.value)


# --- where tokens stand -------------------------------------------------------------------------------------------


def test_hand_example_offsets() -> None:
    """Each id comes with the characters that it stands for; a token inside a character covers the whole of it.

    KIND: golden
    CHECKS: spans of words, of a character of three tokens and of what follows it, counted in characters
    WHY: labels of words and answers in a text are given as spans
    CATCHES: s51 s52 m10
    """
    encoder = slice_encoder()
    for text, found in (
        ("hello world", [(31373, 0, 5), (995, 5, 11)]),
        ("i \u2b62 j", [(72, 0, 1), (2343, 1, 3), (255, 2, 3), (95, 2, 3), (474, 3, 5)]),
        ("\U0001f600a", [(47249, 0, 1), (222, 0, 1), (64, 1, 2)]),
        ("", []),
    ):
        assert encoder.encode_with_offsets(text) == found


@given(text=mixed_alphabets() | texts_of_tokens())
@example(text="\u2b62 \xe9a")
def test_offsets_cover_the_text(text: str) -> None:
    """The spans go through the text from its start to its end and leave nothing out, and the ids are those of encode.

    KIND: property
    CHECKS: ids equal encode(text); each span holds a character; each begins where the one before ends or in its last
        character, and is its token's bytes where it has no part of a character
    WHY: a span that is off by one labels the wrong letter
    CATCHES: s51 s52 m10
    """
    encoder = slice_encoder()
    found = encoder.encode_with_offsets(text)
    assert [number for number, _, _ in found] == encoder.encode(text)
    reached = [0, *(end for _, _, end in found)]
    for (number, start, end), before in zip(found, reached, strict=False):
        spanned = encoder.decode_bytes([number]) in text[start:end].encode()
        assert (before - 1 <= start <= before, start < end <= len(text), spanned) == (True, True, True)
    assert reached[-1] == len(text)  # kept: nothing else here says that the last span goes to the end
