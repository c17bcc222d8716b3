"""Objects and classes that stay in the subject's process: what a test holds asks there for everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from harness.subject import wire
from harness.subject.standins import ForeignUsed


class Caller(Protocol):
    """Who asks a subject."""

    def call(self, head: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Any:
        """The result of what `head` says with these arguments, or the error that it raised."""


def initialised_there(self: object, *args: object, **kwargs: object) -> None:
    """The subject's own `__init__` has run already."""


def stand_in_method(name: str) -> Callable[..., Any]:
    """A method that calls the subject's of that name."""
    asks = f'"call":{wire.quote(name)}'

    def method(self: RemoteObject, *args: object, **kwargs: object) -> Any:
        return self.owner.call(f'"on":{self.ref},{asks}', args, kwargs)

    method.__name__ = name
    return method


class RemoteClass(type):
    """The class of a class that the subject offers: `isinstance` asks the subject."""

    asks: str

    def __instancecheck__(cls, instance: object) -> bool:
        if not issubclass(type(instance), RemoteObject):
            return False
        if issubclass(type(instance), cls):
            return True
        found: RemoteObject = instance  # type: ignore[assignment]
        return found.owner.call(f'"on":{found.ref},{cls.asks}', (), {}) is True


class RemoteObject(metaclass=RemoteClass):
    """An object of the subject's: its methods are called there. It equals itself and cannot be compared further."""

    owner: Caller
    ref: int

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("owner", "ref"):
            raise AttributeError(name)
        return self.owner.call(f'"on":{self.ref},"get":{wire.quote(name)}', (), {})

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("owner", "ref"):
            object.__setattr__(self, name, value)
        else:
            self.owner.call(f'"on":{self.ref},"set":{wire.quote(name)}', (value,), {})

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        message = f"{self!r} lives in the subject's process and cannot be compared"
        raise ForeignUsed(message)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<the subject's {type(self).__name__}>"
