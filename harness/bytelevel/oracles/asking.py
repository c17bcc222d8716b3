"""How a library is asked, so that whatever it does ends in an answer, OracleAbsent or OracleRejected."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import TypeVar

from harness.bytelevel.environment import environment
from harness.bytelevel.oracles.interface import OracleAbsent, OracleRejected

T = TypeVar("T")


def library(name: str, module: str) -> ModuleType:
    """Import `module` of distribution `name`; OracleAbsent where it cannot be imported.

    Typed no closer on purpose: the libraries' own types differ between the versions that we accept.
    """
    try:
        # transformers advises on stderr to install PyTorch, which no tokenizer needs.
        with environment("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1"):
            return importlib.import_module(module)
    except ImportError as problem:
        raise OracleAbsent(name, f"`import {module}` fails ({problem})") from problem


def attempt(name: str, check: str, ask: Callable[[], T]) -> T:
    """Return what `ask` returns; an exception of library `name` becomes OracleRejected, of `check`."""
    try:
        return ask()
    except Exception as problem:
        raise OracleRejected(name, check, "no exception", problem) from problem


def require(name: str, check: str, *, expected: object, got: object) -> None:
    """OracleRejected unless library `name` gave what is `expected`."""
    if got != expected:
        raise OracleRejected(name, check, expected, got)
