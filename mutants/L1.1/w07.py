"""Correct, and unusual in that the tokenizer inherits from the protocol, which does what follows from the rest.

Nothing is stored: the alphabet is asked anew for each string, and strings are told apart by their length.
"""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Protocol, SupportsIndex, runtime_checkable

from tinyllm.tok import byte_codec, bytes_unicode


class UnknownId(KeyError, ValueError):
    """No token has this id."""


@runtime_checkable
class Tokenizer(Protocol):
    @property
    @abstractmethod
    def special_ids(self) -> dict[str, int]: ...

    @property
    def vocab_size(self) -> int:
        return 256 + len(self.special_ids)

    @abstractmethod
    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        hidden = self.special_ids.values()
        spelled = [self.id_to_token(token_id) for token_id in list(ids) if _plain(token_id) not in hidden]
        return str(bytes_unicode.decode_chars("".join(spelled)), "utf-8")

    @abstractmethod
    def id_to_token(self, token_id: SupportsIndex) -> str: ...

    @abstractmethod
    def token_to_id(self, token: str) -> int | None: ...


def _plain(token_id: SupportsIndex) -> int:
    if token_id is True or token_id is False:
        raise TypeError(token_id)
    return range(token_id).stop


class ByteTokenizer(Tokenizer):
    @property
    def special_ids(self) -> dict[str, int]:
        return dict(zip(("<bos>", "<eos>"), range(256, 258), strict=True))

    def encode(self, text: str) -> list[int]:
        return byte_codec.encode_document(text)[1:-1]

    def id_to_token(self, token_id: SupportsIndex) -> str:
        number = _plain(token_id)
        for name, special in self.special_ids.items():
            if special == number:
                return name
        if number not in range(256):
            raise UnknownId(number)
        return bytes_unicode.encode_bytes(number.to_bytes(1, "little"))

    def token_to_id(self, token: str) -> int | None:
        if len(token) != 1:
            return self.special_ids.get(token)
        try:
            (byte,) = bytes_unicode.decode_chars(token)
        except ValueError:
            return None
        return byte
