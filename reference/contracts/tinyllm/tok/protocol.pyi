"""What every tokenizer of this course offers, and the tokenizer of single bytes.

Token strings are written in GPT-2's alphabet (module M05.2). decode goes from ids to token strings to bytes,
through your own decode_chars, and only then to text: a token may hold a part of a character.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, SupportsIndex, runtime_checkable

@runtime_checkable
class Tokenizer(Protocol):
    """A tokenizer. isinstance(x, Tokenizer) tells whether x has all of the following."""

    @property
    def vocab_size(self) -> int:
        """The number of ids."""

    @property
    def special_ids(self) -> Mapping[str, int]:
        """The ids of the special tokens by their names."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of text, without special ids."""

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        """Return the text of ids; special ids are skipped."""

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the token string of one id. Raises ValueError for an id that there is not."""

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token string, None for a string that is no token."""

class ByteTokenizer:
    """The byte codec as a Tokenizer.

    vocab_size is 258; special_ids is {"<bos>": 256, "<eos>": 257}.
    """

    @property
    def vocab_size(self) -> int:
        """258: the bytes and the two special ids."""

    @property
    def special_ids(self) -> Mapping[str, int]:
        """A dict, {"<bos>": 256, "<eos>": 257}."""

    def encode(self, text: str) -> list[int]:
        """Return what encode of byte_codec returns: "<bos>" in a text is five bytes. Raises as it does."""

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        """Return what decode of byte_codec returns. Raises as it does."""

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the character of a byte in GPT-2's alphabet, or the name of a special id.

        Raises ValueError for an id outside 0 to 257, TypeError for what is no id.
        """

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token string: id_to_token turned round. None for any other string."""
