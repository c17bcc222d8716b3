"""A tokenizer of a library, reduced to what an oracle answers."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping, Sequence


class LibraryIds:
    """A tokenizer, reduced to its `encode` and the bytes of its tokens, as the library itself gives both."""

    def __init__(self, name: str, encode: Callable[[str], list[int]], token_bytes: Mapping[int, bytes]) -> None:
        self.name = name
        self.version = importlib.metadata.version(name)
        self._encode = encode
        self._token_bytes = token_bytes

    def encode(self, text: str) -> list[int]:
        """See `IdOracle`."""
        return self._encode(text)

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """See `IdOracle`."""
        return b"".join(self._token_bytes[token_id] for token_id in ids)

    def token_bytes(self) -> Mapping[int, bytes]:
        """See `IdOracle`."""
        return dict(self._token_bytes)
