"""GPT-2's ids: tiktoken, tokenizers and transformers over OpenAI's own two files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from harness.bytelevel.oracles.asking import attempt, library, require
from harness.bytelevel.oracles.byte_maps import (
    BYTES_OUTSIDE_UTF8,
    texts_with_every_byte,
    tokenizers_byte_map,
    transformers_byte_map,
)
from harness.bytelevel.oracles.ids import LibraryIds
from harness.bytelevel.oracles.interface import ByteMapOracle, IdOracle
from harness.bytelevel.vocab import (
    GPT2_ENCODER_JSON,
    GPT2_VOCAB_BPE,
    gpt2_files,
    gpt2_vocabulary,
    tiktoken_cache,
)

GPT2_SIZE = 50_257
GPT2_END_OF_TEXT = "<|endoftext|>"
GPT2_END_OF_TEXT_ID = 50_256

PUBLISHED_IDS: Mapping[str, list[int]] = {
    "": [],
    "hello world": [31373, 995],
    GPT2_END_OF_TEXT: [27, 91, 437, 1659, 5239, 91, 29],
}
"""Texts with the ids of OpenAI's release; the last as ordinary text, not as the special token."""


class TransformersTokenizer(Protocol):
    """What is used of a tokenizer of transformers."""

    def encode(self, text: str, *, split_special_tokens: bool) -> list[int]:
        """Ids of `text`; with `split_special_tokens` the text of a special token is ordinary text."""

    def get_vocab(self) -> dict[str, int]:
        """Token string to id."""


def tiktoken_gpt2() -> IdOracle:
    """Load the `gpt2` of tiktoken from the verified files, without the network."""
    module = library("tiktoken", "tiktoken")
    with tiktoken_cache(GPT2_ENCODER_JSON, GPT2_VOCAB_BPE):
        encoding = attempt("tiktoken", "get_encoding('gpt2')", lambda: module.get_encoding("gpt2"))

    def bytes_of_every_id() -> dict[int, bytes]:
        token_ids = range(encoding.n_vocab)
        return {token_id: encoding.decode_single_token_bytes(token_id) for token_id in token_ids}

    token_bytes = attempt("tiktoken", "decode_single_token_bytes answers for every id", bytes_of_every_id)
    return examine_gpt2(LibraryIds("tiktoken", encoding.encode_ordinary, token_bytes))


def tokenizers_gpt2() -> IdOracle:
    """Build the BPE and the ByteLevel of tokenizers over the verified files.

    Its token bytes go through its own byte map: the tokens of the 13 bytes that it cannot show are left out.
    """
    module = library("tokenizers", "tokenizers")
    byte_map = tokenizers_byte_map()
    files = gpt2_files()

    tokenizer = attempt(
        "tokenizers",
        "BPE.from_file reads OpenAI's files",
        lambda: module.Tokenizer(module.models.BPE.from_file(str(files.encoder_json), str(files.vocab_bpe))),
    )
    tokenizer.pre_tokenizer = module.pre_tokenizers.ByteLevel(add_prefix_space=False)
    token_bytes = _spelled_bytes(tokenizer.get_vocab(), byte_map)
    oracle = LibraryIds("tokenizers", lambda text: list(tokenizer.encode(text).ids), token_bytes)
    return examine_gpt2(oracle, outside=BYTES_OUTSIDE_UTF8)


def transformers_gpt2() -> IdOracle:
    """Build the GPT2Tokenizer of transformers in the one way that works in release 5, without the network."""
    module = library("transformers", "transformers")
    lines = gpt2_files().vocab_bpe.read_text(encoding="utf-8").split("\n")
    merges = [tuple(line.split(" ")) for line in lines[1:-1]]
    vocabulary = gpt2_vocabulary()
    tokenizer: TransformersTokenizer = attempt(
        "transformers",
        "GPT2Tokenizer(vocab=..., merges=...)",
        lambda: module.GPT2Tokenizer(vocab=vocabulary, merges=merges),
    )
    return oracle_of_transformers(tokenizer)


def oracle_of_transformers(tokenizer: TransformersTokenizer) -> IdOracle:
    """Examine a GPT-2 tokenizer of transformers, however built; its own byte map gives its token bytes."""

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text, split_special_tokens=True))

    token_bytes = _spelled_bytes(tokenizer.get_vocab(), transformers_byte_map())
    return examine_gpt2(LibraryIds("transformers", encode, token_bytes))


GPT2_ORACLES: Mapping[str, Callable[[], IdOracle]] = {
    "tiktoken": tiktoken_gpt2,
    "tokenizers": tokenizers_gpt2,
    "transformers": transformers_gpt2,
}
"""Every library that encodes with GPT-2's vocabulary, by distribution."""


def examine_gpt2(oracle: IdOracle, *, outside: frozenset[int] = frozenset()) -> IdOracle:
    """Return `oracle` if it is GPT-2, bytes `outside` its reach apart; OracleRejected otherwise."""
    name, token_bytes = oracle.name, oracle.token_bytes()
    end_of_text = token_bytes.get(GPT2_END_OF_TEXT_ID)
    single = {token[0] for token in token_bytes.values() if len(token) == 1}
    require(name, "tokens with known bytes", expected=GPT2_SIZE - len(outside), got=len(token_bytes))
    require(name, f"bytes of id {GPT2_END_OF_TEXT_ID}", expected=GPT2_END_OF_TEXT.encode(), got=end_of_text)
    require(name, "bytes that are tokens", expected=set(range(256)) - outside, got=single)
    for text, ids in PUBLISHED_IDS.items():
        check = f"ids of {text!r}"
        require(name, check, expected=ids, got=attempt(name, check, partial(oracle.encode, text)))
    text = "".join(texts_with_every_byte())
    decoded = attempt(name, "round trip", lambda: oracle.decode_bytes(oracle.encode(text)))
    require(name, "round trip of a text with every byte of UTF-8", expected=text.encode(), got=decoded)
    return oracle


def _spelled_bytes(vocabulary: Mapping[str, int], byte_map: ByteMapOracle) -> dict[int, bytes]:
    """Id to bytes for the tokens whose every character has a byte in `byte_map`."""
    byte_of = {character: byte for byte, character in byte_map.byte_map().items()}
    spelled = ((token_id, token) for token, token_id in vocabulary.items() if byte_of.keys() >= set(token))
    return {token_id: bytes(byte_of[character] for character in token) for token_id, token in spelled}
