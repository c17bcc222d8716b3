"""What an oracle answers, and the two ways in which it can fail to be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from harness.errors import HarnessError


class Library(Protocol):
    """Where an answer comes from."""

    @property
    def name(self) -> str:
        """Distribution on PyPI."""

    @property
    def version(self) -> str:
        """Installed version."""


class ByteMapOracle(Library, Protocol):
    """A library that shows which printable character stands for which byte."""

    def byte_map(self) -> dict[int, str]:
        """Byte to character, for every byte whose character the library can show."""

    def alphabet(self) -> frozenset[str]:
        """All 256 characters, also those whose byte it cannot show."""


class IdOracle(Library, Protocol):
    """A library that encodes and decodes with one vocabulary; special tokens in a text are ordinary text."""

    def encode(self, text: str) -> list[int]:
        """Encode `text`, which holds no lone surrogate."""

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Join the bytes of `ids`; KeyError for an id that `token_bytes` lacks."""

    def token_bytes(self) -> Mapping[int, bytes]:
        """Id to bytes, special tokens included, for every id whose bytes the library can show."""


class OracleAbsent(HarnessError):
    """A library is not installed, so that what only it can witness stays unchecked."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} cannot be asked: {reason}", remedy=f"python -m pip install {name}")
        self.name = name


class OracleRejected(HarnessError):
    """A library failed a fixed check of its self-examination: nothing it says may count as truth."""

    def __init__(self, name: str, check: str, expected: object, got: object) -> None:
        message = f"{name} is no oracle here: {check}: expected {_brief(expected)}, got {_brief(got)}"
        super().__init__(message, remedy=f"try another version: python -m pip install --upgrade {name}")
        self.name = name
        self.check = check
        self.expected = expected
        self.got = got


def _brief(value: object, limit: int = 160) -> str:
    """Bounded repr: what a library answers can be a whole vocabulary."""
    shown = repr(value)
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."
