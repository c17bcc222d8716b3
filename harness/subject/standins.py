"""What stands in a test's hands for things that live in the subject's process.

Containers hold a copy of the contents, which the link keeps true: an edit here goes through to the subject's own
object, and what the subject changes comes back with its next answer. All else of a subject that is no plain value is
`Foreign`, so that no method of a class written by a subject ever decides a comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeVar


class Owner(Protocol):
    """What a container tells of its edits."""

    def put(self, ref: int, value: object) -> None:
        """Give the subject's container these contents."""


class ForeignUsed(Exception):
    """A test did something with a value that is no value: what the subject gave back is of the wrong type."""


def _raising(operation: str) -> Callable[..., NoReturn]:
    def refuse(self: Foreign, *arguments: object) -> NoReturn:
        del arguments
        type_name = object.__getattribute__(self, "_type_name")
        message = (
            f"the subject gave an object of type {type_name!r}, which is no plain value, and {operation} was asked"
        )
        raise ForeignUsed(message)

    return refuse


class Foreign:
    """An object of the subject's that stays there. Everything but its repr raises, truth and ``!=`` included."""

    __slots__ = ("__weakref__", "_type_name")

    def __init__(self, type_name: str) -> None:
        object.__setattr__(self, "_type_name", type_name)

    def __repr__(self) -> str:
        return f"<an object of the subject's type {object.__getattribute__(self, '_type_name')!r}>"


_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_NUMBERS = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift")
_BITS = ("and", "xor", "or")
_UNARY = ("neg", "pos", "abs", "invert", "int", "float", "complex", "index", "round", "trunc", "floor", "ceil")
_CONTAINERS = ("len", "iter", "next", "reversed", "contains", "getitem", "setitem", "delitem", "length_hint")
_OTHERS = ("bool", "hash", "str", "format", "bytes", "call", "getattr", "setattr", "delattr", "enter", "exit", "fspath")
for _operation in (
    *_COMPARISONS,
    *_NUMBERS,
    *(f"r{one}" for one in _NUMBERS + _BITS),
    *(f"i{one}" for one in _NUMBERS + _BITS if one != "divmod"),
    *_BITS,
    *_UNARY,
    *_CONTAINERS,
    *_OTHERS,
):
    setattr(Foreign, f"__{_operation}__", _raising(f"__{_operation}__"))
del _operation


# --- containers -----------------------------------------------------------------------------------------------------

_Method = TypeVar("_Method", bound=Callable[..., Any])
_EDITS: dict[type, tuple[str, ...]] = {
    list: (
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
        *("__setitem__", "__delitem__", "__iadd__", "__imul__"),
    ),
    bytearray: (
        *("append", "extend", "insert", "remove", "pop", "clear", "reverse"),
        *("__setitem__", "__delitem__", "__iadd__", "__imul__"),
    ),
    dict: ("__setitem__", "__delitem__", "__ior__", "pop", "popitem", "clear", "update", "setdefault"),
    set: (
        *("add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update"),
        *("symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__"),
    ),
}


def _through(method: Callable[..., Any]) -> Callable[..., Any]:
    def edit(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        finally:
            self.owner.put(self.ref, self)

    edit.__name__ = method.__name__
    return edit


def _standin(base: type) -> type:
    edits = {name: _through(getattr(base, name)) for name in _EDITS[base]}
    doc = f"A {base.__name__} of the subject's: reads are answered here, edits go through."
    own: dict[str, Any] = {"__hash__": None, "__module__": __name__, "__doc__": doc}
    # A set writes the name of its class, which is nothing to a student who reads what came back.
    own["__repr__"] = lambda self: repr(base(self))
    return type(f"Subjects{base.__name__.title()}", (base,), {**edits, **own})


_STANDINS = {base: _standin(base) for base in _EDITS}
CONTAINERS = tuple(_STANDINS.values())


def stand_in(owner: Owner, ref: int, value: Any) -> Any:
    """A container with the contents of `value` that passes its edits on to `owner`."""
    container = _STANDINS[type(value)](value)
    container.owner, container.ref = owner, ref
    return container


def refill(container: Any, value: Any) -> None:
    """Give a container, a stand-in or not, new contents in place, telling nobody. Sorts that differ stay as they were.

    Where a list keeps its length its items are refilled in turn, so that what a test holds of the inside stays true.
    """
    for base in _EDITS:
        if isinstance(container, base) and isinstance(value, base):
            _REFILL[base](container, value)


def _refill_list(container: list[Any], value: list[Any]) -> None:
    if len(container) == len(value):
        value = [_refilled(old, new) for old, new in zip(container, value, strict=True)]
    list.__setitem__(container, slice(None), value)


def _refill_dict(container: dict[Any, Any], value: dict[Any, Any]) -> None:
    value = {key: _refilled(container.get(key), new) for key, new in value.items()}
    dict.clear(container)
    dict.update(container, value)


def _refill_set(container: set[Any], value: set[Any]) -> None:
    value = set(value)
    set.clear(container)
    set.update(container, value)


def _refilled(old: object, new: object) -> object:
    if type(old) in _EDITS and type(old) is type(new):
        refill(old, new)
        return old
    return new


_REFILL: dict[type, Callable[[Any, Any], None]] = {
    list: _refill_list,
    dict: _refill_dict,
    set: _refill_set,
    bytearray: lambda container, value: bytearray.__setitem__(container, slice(None), value),
}
