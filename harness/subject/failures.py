"""Exceptions of a subject, as a test meets them: of classes made here, from builtin ancestors and plain values."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any

from harness.subject import wire
from harness.subject.wire import WireError


class FromSubject(Exception):
    """Mixed into every exception that comes from a subject: it shows the subject's message."""

    message: str | None = None

    def __str__(self) -> str:
        return super().__str__() if self.message is None else self.message


class Errors:
    """The classes of a subject's exceptions: those it offers, and those met on the way."""

    def __init__(self) -> None:
        self._classes: dict[tuple[str, tuple[str, ...]], type[Exception]] = {}
        self._declared: dict[str, type[Exception]] = {}

    def declare(self, name: str, bases: Sequence[str], module: str) -> type[Exception]:
        """The class that a test imports under this name; its instances come from the subject."""
        self._declared[name] = kind = error_class(name, bases)
        kind.__module__ = module
        return kind

    def build(self, tree: Any, reader: wire.Reader) -> Exception:
        """The exception that an error tells of; WireError where it tells of none."""
        if type(tree) is not dict:
            message = "an error must be an object"
            raise WireError(message)
        name, bases = wire.name(tree.get("type")), tree.get("bases")
        if type(bases) is not list or not 1 <= len(bases) <= 8:
            message = "an error has its builtin ancestors as bases"
            raise WireError(message)
        text = reader.read(tree.get("message", ""))
        if type(text) is not str:
            message = "the message of an error is text"
            raise WireError(message)
        kind = self._declared.get(name)
        if kind is None:
            key = (name, tuple(map(wire.name, bases)))
            kind = self._classes.get(key)
            if kind is None:
                kind = self._classes[key] = error_class(name, bases)
        return _fill(kind, text, tree, reader)


def error_class(name: str, bases: Sequence[str]) -> type[Exception]:
    """A class of that name under builtin exceptions; WireError where `bases` are none."""
    ancestors: list[type[Exception]] = []
    for base in bases:
        found = vars(builtins).get(wire.name(base))
        if not isinstance(found, type) or not issubclass(found, Exception):
            message = f"{base!r:.80} is no builtin exception"
            raise WireError(message)
        ancestors.append(RuntimeError if issubclass(found, ExceptionGroup) else found)
    shown = name if name.isidentifier() else "Error"
    for chosen in (ancestors, ancestors[:1]):
        try:
            return type(shown, (FromSubject, *chosen), {})
        except TypeError:
            continue  # two builtin classes whose instances are laid out differently
    message = f"no exception can be all of {bases!r:.200}"
    raise WireError(message)


def _fill(kind: type[Exception], text: str, tree: Mapping[str, Any], reader: wire.Reader) -> Exception:
    arguments = reader.many(tree["args"], wire.DEPTH) if "args" in tree else [text]
    if not all(type(one) in (str, int, bytes, bool, type(None)) for one in arguments):
        arguments = [text]
    if issubclass(kind, UnicodeDecodeError | UnicodeEncodeError | UnicodeTranslateError):
        error = _unicode_error(kind, arguments, text)
    else:
        error = kind.__new__(kind, *arguments)
        error.args = tuple(arguments)
    error.message = text  # type: ignore[attr-defined]
    for key, value in wire.pairs(tree.get("fields", [])):
        # What every exception has stays ours: a test runner calls `add_note`, and a subject must not answer.
        if wire.name(key).isidentifier() and not key.startswith("_") and not hasattr(kind, key):
            setattr(error, key, reader.read(value))
    return error


def _unicode_error(kind: type[Exception], arguments: list[Any], text: str) -> Exception:
    for chosen in (arguments, ["unknown", b"" if issubclass(kind, UnicodeDecodeError) else "", 0, 0, text]):
        try:
            return kind(*chosen)
        except (TypeError, ValueError, OverflowError):
            continue
    message = "a Unicode error without its five arguments"
    raise WireError(message)
