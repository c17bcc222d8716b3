"""What a tokenizer's answer can be besides a value, and the tokenizer itself as the suite sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeAlias

Outcome: TypeAlias = Any
"""A value as the wire carries it, `NoValue`, `Raised`, or `Gone`."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An ordinary error."""

    type: str
    bases: tuple[str, ...]
    """Its class and the builtin ones above it, nearest first."""
    message: str

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True, slots=True)
class Gone:
    """A call that the tokenizer's process did not survive."""

    end: str
    detail: str

    def __str__(self) -> str:
        return f"{self.end}: {self.detail}"


@dataclass(frozen=True, slots=True)
class NoValue:
    """A result that is of no kind that the wire carries."""

    type: str

    def __str__(self) -> str:
        return f"an object that is no value: {self.type}"


class Tokenizer(Protocol):
    """A tokenizer under test, wherever it runs."""

    @property
    def offers(self) -> frozenset[str]:
        """Names of the functions that can be asked."""

    @property
    def shape(self) -> str:
        """What kind it is: tokproof, tiktoken, tokenizers, transformers, plain or program."""

    def one(self, name: str, *arguments: object) -> Outcome:
        """The outcome of one call."""

    def many(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Outcome]]:
        """The outcomes of `name` called with each argument, in order, as many at a time as the tokenizer likes."""


def each(tokenizer: Tokenizer, name: str, arguments: Sequence[Any]) -> Iterator[Outcome]:
    """The outcomes of `name` called with each argument, one at a time."""
    return chain.from_iterable(tokenizer.many(name, arguments))


def same(got: Outcome, expected: object) -> bool:
    """Whether an answer is the expected value: the same kinds all the way down, so that 1.0 and True are no ids."""
    if type(got) is not type(expected):
        return type(got) is tuple and type(expected) is list and same(list(got), expected)
    if type(got) is list and type(expected) is list:
        if set(map(type, got)) <= _LEAVES:
            return bool(got == expected)
        return len(got) == len(expected) and all(map(same, got, expected))
    return bool(got == expected)


_LEAVES = frozenset({int, str, bytes})
"""Compared at once; whatever else stands in a list is compared by itself, since its own `==` may do anything."""


def all_same(got: list[Outcome], expected: list[Any]) -> bool:
    """Whether many answers are the expected values, lists of ids looked at all together; False may be an error."""
    if set(map(type, got)) != {list} or set(map(type, expected)) != {list}:
        return False
    return set(map(type, chain.from_iterable(got))) <= {int} and got == expected


def shown(outcome: Outcome, *, most: int = 400) -> str:
    """An answer as a person reads it, bounded."""
    text = str(outcome) if isinstance(outcome, Raised | Gone | NoValue) else ascii(outcome)
    return text if len(text) <= most else f"{text[: most - 12]}... ({len(text):,} characters)"
