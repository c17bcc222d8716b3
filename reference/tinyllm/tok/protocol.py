"""What every tokenizer of this course offers, and the one that needs no training.

Token strings are written in GPT-2's alphabet, so that they can be keys of JSON. Decoding joins the strings
and reads that alphabet back once: bytes of one character may stand in several tokens, so no token is decoded
alone.
"""

import operator
from collections.abc import Iterable, Mapping
from typing import Protocol, SupportsIndex, runtime_checkable

from tinyllm.tok import byte_codec
from tinyllm.tok.bytes_unicode import decode_chars, encode_bytes, unicode_to_bytes


@runtime_checkable
class Tokenizer(Protocol):
    """Text to ids and back, ids to token strings and back.

    `encode` gives the body alone: who puts documents together adds the ids of `special_ids`.
    """

    @property
    def vocab_size(self) -> int:
        """The number of ids, which are 0 to `vocab_size` - 1."""
        ...

    @property
    def special_ids(self) -> Mapping[str, int]:
        """From the name of each special token to its id."""
        ...

    def encode(self, text: str) -> list[int]:
        """Return the ids of the body of `text`."""
        ...

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        """Return the text of `ids`, without special tokens."""
        ...

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the string of one id; raises ValueError where there is no such id."""
        ...

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token string, None where it is no token."""
        ...


class ByteTokenizer:
    """The byte codec as a `Tokenizer`: 256 tokens of one byte each, and `<bos>` and `<eos>`.

    The two names are strings of the vocabulary only. In a text they are five characters like any others.
    """

    @property
    def vocab_size(self) -> int:
        """258."""
        return byte_codec.VOCAB_SIZE

    @property
    def special_ids(self) -> Mapping[str, int]:
        """The two special tokens; a new dict each time."""
        return {"<bos>": byte_codec.BOS_ID, "<eos>": byte_codec.EOS_ID}

    def encode(self, text: str) -> list[int]:
        """Return the ids of the body of `text`. Raises as `byte_codec.encode` does."""
        return byte_codec.encode(text)

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        """Return the text that the tokens of `ids` spell. Raises as `byte_codec.decode` does.

        The way leads through the alphabet, as it must where a token is more than one byte.
        """
        tokens = encode_bytes(byte_codec.decode_bytes(ids))
        return byte_codec.decode(decode_chars(tokens))

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the character of a byte, or the name of a special token.

        Raises ValueError for an id outside 0 to 257, TypeError for a bool and for what is no integer.
        """
        data = byte_codec.decode_bytes([token_id])
        if data:
            return encode_bytes(data)
        names = {special: name for name, special in self.special_ids.items()}
        return names[operator.index(token_id)]

    def token_to_id(self, token: str) -> int | None:
        """Return the id whose string `token` is, None where it is no id's."""
        return (unicode_to_bytes() | dict(self.special_ids)).get(token)
