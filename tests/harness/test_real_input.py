"""The reference on what was really published: every token of GPT-2, whatever bytes it holds."""

import pytest

from harness.bytelevel.oracles import GPT2_END_OF_TEXT, GPT2_END_OF_TEXT_ID, gpt2_byte_map, tiktoken_gpt2
from harness.bytelevel.vocab import gpt2_files, gpt2_vocabulary
from tinyllm.tok.bytes_unicode import bytes_to_unicode, decode_chars, encode_bytes


@pytest.fixture(scope="module")
def token_bytes():
    """Id to bytes, as tiktoken gives them."""
    return tiktoken_gpt2().token_bytes()


def test_the_reference_table_is_the_frozen_one():
    assert bytes_to_unicode() == gpt2_byte_map()


def test_every_key_of_encoder_json_decodes_to_the_bytes_that_tiktoken_gives_its_id(token_bytes):
    """The special token is a key like any other: its text is ASCII, which the alphabet spells as itself."""
    vocabulary = gpt2_vocabulary()
    decoded = {token_id: decode_chars(token) for token, token_id in vocabulary.items()}
    assert vocabulary[GPT2_END_OF_TEXT] == GPT2_END_OF_TEXT_ID
    assert decoded.pop(GPT2_END_OF_TEXT_ID) == GPT2_END_OF_TEXT.encode()
    assert len(decoded) == 50_256
    assert [token_id for token_id, data in decoded.items() if data != token_bytes[token_id]] == []


def test_the_bytes_of_every_id_are_spelled_as_encoder_json_spells_them(token_bytes):
    vocabulary = gpt2_vocabulary()
    spelled = {encode_bytes(data): token_id for token_id, data in token_bytes.items()}
    assert spelled == vocabulary


def test_all_merges_in_one_text_decode_to_the_tokens_that_they_make(token_bytes):
    """Merges stand in vocab.bpe in order of rank, and rank r makes id 256 + r."""
    merges = gpt2_files().vocab_bpe.read_text(encoding="utf-8").split("\n")[1:-1]
    text = "".join(merge.replace(" ", "") for merge in merges)
    assert decode_chars(text) == b"".join(token_bytes[256 + rank] for rank in range(50_000))
