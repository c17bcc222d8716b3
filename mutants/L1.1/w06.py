"""Correct, and unusual in that the vocabulary is one table, made once, from which every method reads.

Decoding goes token by token to their strings, joins those, and reads the alphabet back once.
"""

from collections.abc import Iterable, Mapping
from operator import index
from types import MappingProxyType
from typing import Protocol, SupportsIndex, runtime_checkable

from tinyllm.tok.byte_codec import encode as encode_text
from tinyllm.tok.bytes_unicode import bytes_to_unicode, decode_chars


@runtime_checkable
class Tokenizer(Protocol):
    vocab_size: int
    special_ids: Mapping[str, int]

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Iterable[SupportsIndex]) -> str: ...

    def id_to_token(self, token_id: SupportsIndex) -> str: ...

    def token_to_id(self, token: str) -> int | None: ...


_TOKENS = (*bytes_to_unicode().values(), "<bos>", "<eos>")
_IDS = {token: token_id for token_id, token in enumerate(_TOKENS)}


class ByteTokenizer:
    vocab_size = len(_TOKENS)
    special_ids = MappingProxyType({"<eos>": 257, "<bos>": 256})
    token_to_id = staticmethod(_IDS.get)

    def encode(self, text: str) -> list[int]:
        return encode_text(text)

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        tokens = (self.id_to_token(token_id) for token_id in ids)
        return decode_chars("".join(token for token in tokens if token not in self.special_ids)).decode("utf-8")

    def id_to_token(self, token_id: SupportsIndex) -> str:
        if isinstance(token_id, bool):
            raise TypeError("a bool is no id")
        if index(token_id) < 0:
            raise ValueError("ids begin at 0")
        try:
            return _TOKENS[token_id]
        except IndexError:
            raise ValueError(f"{token_id} is past the last id") from None
