"""The tokenizer protocol, and the tokenizer of single bytes."""

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import any_ids, legal_ids, telling_texts
from harness.bytelevel.oracles import gpt2_byte_map
from tinyllm.tok.protocol import ByteTokenizer, Tokenizer

GPT2 = gpt2_byte_map()


def test_a_byte_tokenizer_is_a_tokenizer() -> None:
    """The protocol can be asked at run time.

    KIND: unit
    CHECKS: isinstance(ByteTokenizer(), Tokenizer), and isinstance("", Tokenizer) is false
    WHY: code that is given a tokenizer of any kind checks it once, at the door
    CATCHES: s159
    """
    assert [isinstance(ByteTokenizer(), Tokenizer), isinstance("", Tokenizer)] == [True, False]


def test_the_vocabulary_has_256_bytes_and_two_names() -> None:
    """Ids are strings of GPT-2's alphabet, and two names for the special ids.

    KIND: golden
    CHECKS: vocab_size is 258; special_ids are <bos> 256 and <eos> 257; id_to_token of every id
    WHY: L1.2 writes its vocabulary in the same alphabet
    CATCHES: s31 s148 s156 s157 s158
    """
    tokenizer = ByteTokenizer()
    assert (tokenizer.vocab_size, dict(tokenizer.special_ids)) == (258, {"<bos>": 256, "<eos>": 257})
    tokens = [tokenizer.id_to_token(token_id) for token_id in range(258)]
    assert tokens == [*(GPT2[byte] for byte in range(256)), "<bos>", "<eos>"]


def test_every_token_leads_back_to_its_id() -> None:
    """Token strings are all different, and each is found again, that of id 0 too.

    KIND: property
    CHECKS: token_to_id of the 256 characters of the alphabet and of the two names
    WHY: a vocabulary is read from strings and used by ids
    CATCHES: s151 s155 s157 s158
    """
    tokenizer = ByteTokenizer()
    tokens = [*(GPT2[byte] for byte in range(256)), "<bos>", "<eos>"]
    assert [tokenizer.token_to_id(token) for token in tokens] == list(range(258))


def test_other_strings_are_no_tokens() -> None:
    """A string that no id has gives None.

    KIND: boundary
    CHECKS: token_to_id of nothing, a real space, NUL, DEL, two characters, a character outside the alphabet, other
        names
    WHY: whether a string is a token is asked in the middle of an algorithm, where None is an answer
    CATCHES: s152 s153 s154 s157
    """
    tokenizer = ByteTokenizer()
    strangers = ["", " ", "\x00", "\x7f", "\n", "ab", "Ġt", "春", "\u0144", "EOS", "<EOS>", "<eos> ", "\ud800"]
    assert [token for token in strangers if tokenizer.token_to_id(token) is not None] == []
    assert tokenizer.token_to_id("a") == 97  # kept: what does nothing at all must not pass


def test_an_id_without_a_token_is_rejected() -> None:
    """Ids outside 0 to 257 have no token, and what is no integer is no id.

    KIND: boundary
    CHECKS: id_to_token raises ValueError for -1, -3, -258, 258 and 50256, TypeError for True, False, 65.0, "A" and None
    WHY: index -1 is the last entry of a list, and nobody's id
    CATCHES: s149 s150 s168
    """
    tokenizer = ByteTokenizer()
    for number in (-1, -2, -3, -258, 258, 50256):
        with pytest.raises(ValueError):
            tokenizer.id_to_token(number)
    for value in (True, False, 65.0, "A", None):
        with pytest.raises(TypeError):
            tokenizer.id_to_token(value)  # type: ignore[arg-type]


@given(text=telling_texts())
@example(text="")
@example(text="<eos>EOS<bos>")
def test_the_tokenizer_encodes_the_body(text: str) -> None:
    """A tokenizer gives the body alone, and a name in a text is text.

    KIND: property
    CHECKS: ByteTokenizer().encode(t) is the list of the UTF-8 bytes of t
    WHY: who puts documents together adds the special ids, once
    CATCHES: s142 s143
    """
    assert ByteTokenizer().encode(text) == list(text.encode())


@given(ids=legal_ids())
@example(ids=[256, 230, 257, 152, 165, 0x20, 0x0A, 0, 257])
def test_the_tokenizer_decodes_all_tokens_together(ids: list[int]) -> None:
    """Token strings are joined and read back as bytes before they are text.

    KIND: property
    CHECKS: ByteTokenizer().decode(ids) is the text of the bytes among the ids, special ids skipped
    WHY: a character's bytes stand in several tokens
    CATCHES: s144 s145 s147
    """
    assert ByteTokenizer().decode(ids) == bytes(token_id for token_id in ids if token_id < 256).decode()


@given(ids=any_ids())
@example(ids=[255])
@example(ids=[256, 230, 257])
def test_the_tokenizer_decodes_strictly(ids: list[int]) -> None:
    """Illegal bytes are an error here too, and so are ids that are none.

    KIND: boundary
    CHECKS: ByteTokenizer().decode raises ValueError for ids with an illegal byte, and for -1 and 258
    WHY: a text that was not generated is not to be shown as if it had been
    CATCHES: s144 s145 s146
    """
    tokenizer = ByteTokenizer()
    for broken in ([*ids, 0xFF], [*ids, -1], [*ids, 258]):
        with pytest.raises(ValueError):
            tokenizer.decode(broken)
    assert tokenizer.decode([97]) == "a"  # kept: what refuses everything must not pass
