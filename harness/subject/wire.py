"""Frames and values of the wire, strict and capped; `docs/wire.md` is its specification.

A frame is one line of JSON. What JSON lacks travels as an object with one tag, such as ``{"bytes": "4869"}``. Both
sides use this module, and a subject gets a copy of it: it imports the standard library alone, and nothing else of ours.

Values are written by their exact type, through the methods of the builtin class and never through those of the value:
a subclass that lies about itself is written as what it holds. Text is put together by hand, since a call costs little
more than its two frames.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from json import encoder
from typing import Any, NoReturn

quote: Callable[[str], str] = encoder.encode_basestring
"""The JSON text of a string, characters past ASCII as they are."""

PROTOCOL = 1
"""Raised by every change that a program written from the old page could not live with."""
FRAME_BYTES = 32 << 20
"""The longest frame, its newline included."""
ITEMS = 1_000_000
"""The most commas and opening brackets in a frame, those inside strings included: what a parser may have to build."""
DEPTH = 64
"""How deep values may stand inside each other."""
SAFE_INTEGER = 2**53
"""Integers beyond this, either way, are tagged: many JSON libraries read numbers as doubles."""
NAME_CHARACTERS = 200
"""The longest name of a type, a function or a field."""
_FIRST_DIGITS = 300


class WireError(Exception):
    """A frame or a value that the wire does not carry; the message says which, bounded."""


# --- writing ------------------------------------------------------------------------------------------------------


def _write_text(value: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return f'{{"text":{list(map(ord, value))}}}'
    return quote(value)


def _write_int(value: int) -> str:
    return repr(value) if -SAFE_INTEGER <= value <= SAFE_INTEGER else f'{{"int":"{value:x}"}}'


_LEAVES: Mapping[type, Callable[[Any], str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: _write_int,
    float: lambda value: f'{{"float":"{value.hex()}"}}',
    str: _write_text,
    bytes: lambda value: f'{{"bytes":"{value.hex()}"}}',
}

# The plain value of an instance of a subclass, by the builtin's own method.
_PLAIN: Mapping[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: lambda value: float.fromhex(float.hex(value)),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytearray(bytearray.__getitem__(value, slice(None))),
    list: lambda value: list.__getitem__(value, slice(None)),
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    set: lambda value: {*set.__iter__(value)},
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    OrderedDict: lambda value: dict(OrderedDict.items(value)),
    dict: lambda value: dict(dict.items(value)),
}


def base_of(value: object) -> type | None:
    """The builtin whose value `value` is, itself or by inheritance; None where there is none."""
    for kind in type(value).__mro__:
        if kind in _PLAIN:
            return kind
    return None


def plain(value: object) -> object:
    """The builtin value that an instance of a builtin or of its subclass holds; TypeError for anything else."""
    kind = base_of(value)
    if kind is None:
        message = f"{type(value).__name__} is no subclass of a builtin value"
        raise TypeError(message)
    return _PLAIN[kind](value)


class Writer:
    """Values to JSON text. A side of the wire overrides what is particular to it."""

    def ref(self, value: object) -> int | None:
        """The number under which the other side may name this mutable container later; None where it may not."""
        return None

    def known(self, value: object, ref: int) -> bool:
        """Whether the other side has this container as it is, so that its number is enough."""
        return False

    def other(self, value: object, depth: int) -> str:
        """The text of a value that is of no exact builtin type; WireError where it cannot cross."""
        message = f"a value of type {type(value).__name__} cannot cross the wire"
        raise WireError(message)

    def write(self, value: object, depth: int = DEPTH) -> str:
        """The JSON text of `value`; WireError where it is nested deeper than `depth` or cannot cross."""
        leaf = _LEAVES.get(type(value))
        if leaf is not None:
            return leaf(value)
        if type(value) in _PLAIN:
            return self.container(value, value, depth)
        return self.other(value, depth)

    def many(self, values: Iterable[object], depth: int) -> str:
        """The texts of `values`, separated by commas."""
        write = self.write
        return ",".join([write(value, depth) for value in values])

    def container(self, owner: object, value: Any, depth: int, type_name: str = "") -> str:
        """The text of a container; `owner` is the object that holds `value` and may be of a subclass."""
        if depth == 0:
            message = f"a value is nested deeper than {DEPTH}"
            raise WireError(message)
        kind, below = type(value), depth - 1
        beside = f',"type":{quote(type_name[:NAME_CHARACTERS])}' if type_name else ""
        if kind is tuple or kind is frozenset:
            return f'{{"{kind.__name__}":[{self.many(value, below)}]{beside}}}'
        if (ref := self.ref(owner)) is not None:
            if self.known(owner, ref):
                return f'{{"ref":{ref}}}'
            beside += f',"ref":{ref}'
        if kind is list:
            inside = str(value) if _are_small(value) else f"[{self.many(value, below)}]"
            return f'{{"list":{inside}{beside}}}' if beside else inside
        if kind is set:
            return f'{{"set":[{self.many(value, below)}]{beside}}}'
        if kind is bytearray:
            return f'{{"bytearray":"{value.hex()}"{beside}}}'
        write = self.write
        pairs = ",".join([f"[{write(key, below)},{write(value[key], below)}]" for key in value])
        return f'{{"map":[{pairs}]{beside}}}'


def _are_small(values: list[Any]) -> bool:
    """Whether Python's own text of the list is its JSON text: integers only, none of them to be tagged."""
    return set(map(type, values)) == {int} and min(values) >= -SAFE_INTEGER and max(values) <= SAFE_INTEGER


# --- frames -------------------------------------------------------------------------------------------------------


def _refuse_float(text: str) -> NoReturn:
    message = f"a number with a fraction or an exponent: {text[:_FIRST_DIGITS]}; tag it as float"
    raise WireError(message)


def _refuse_constant(text: str) -> NoReturn:
    message = f"{text} is no JSON; tag it as float"
    raise WireError(message)


_decode = json.JSONDecoder(parse_float=_refuse_float, parse_constant=_refuse_constant).decode


def parse(line: bytes) -> dict[str, Any]:
    """The object that one line holds; WireError for anything that is no frame, however it is damaged."""
    if len(line) > FRAME_BYTES:
        message = f"a frame of more than {FRAME_BYTES} bytes"
        raise WireError(message)
    if len(line) > ITEMS and line.count(b",") + line.count(b"[") + line.count(b"{") > ITEMS:
        message = f"a frame of more than {ITEMS} items"
        raise WireError(message)
    try:
        frame = _decode(line.decode())
    except (ValueError, RecursionError) as error:
        message = f"a line that is no JSON ({type(error).__name__}): {line[:120]!r}"
        raise WireError(message) from None
    if type(frame) is not dict:
        message = f"a frame must be an object: {line[:120]!r}"
        raise WireError(message)
    return frame


# --- reading ------------------------------------------------------------------------------------------------------

_BESIDE = frozenset({"type", "ref", "fields", "file", "files"})
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


class Reader:
    """Parsed JSON to values. A side of the wire overrides what is particular to it."""

    def container(self, ref: int, value: object) -> object:
        """A mutable container of the other side that may be named later."""
        return value

    def reference(self, ref: int) -> object:
        """What the other side calls by this number."""
        message = f"nothing is called {ref}"
        raise WireError(message)

    def handle(self, class_name: str, ref: int) -> object:
        """An object that stays on the other side."""
        return self.foreign(class_name)

    def foreign(self, type_name: str) -> object:
        """A value that does not cross."""
        message = f"a {type_name} where a value is needed"
        raise WireError(message)

    def record(self, name: str, fields: dict[str, object]) -> object:
        """A named tuple."""
        return tuple(fields.values())

    def index(self, number: int) -> object:
        """Something that is no int and has `__index__`."""
        return number

    def path(self, name: str, beside: Mapping[str, Any]) -> object:
        """A file or folder, with its contents."""
        message = "a path where a value is needed"
        raise WireError(message)

    def read(self, tree: Any, depth: int = DEPTH) -> Any:
        """The value that `tree`, a part of a parsed frame, stands for; WireError where it stands for none."""
        kind = type(tree)
        if kind is dict:
            return self._tagged(tree, depth)
        if kind is list:
            return self.many(tree, depth)
        return tree

    def many(self, trees: Any, depth: int) -> list[Any]:
        """The values of a JSON array."""
        if type(trees) is not list:
            message = f"an array is needed, not {_short(trees)}"
            raise WireError(message)
        if depth == 0:
            message = f"a value is nested deeper than {DEPTH}"
            raise WireError(message)
        return self.each(trees, depth - 1)

    def each(self, trees: list[Any], depth: int = DEPTH) -> list[Any]:
        """The values of these trees, which stand in no container of their own."""
        if set(map(type, trees)) <= _AS_THEY_ARE:
            return list(trees)
        read = self.read
        return [read(tree, depth) for tree in trees]

    def _tagged(self, tree: dict[str, Any], depth: int) -> object:
        if len(tree) == 1:
            (tag,) = tree
        else:
            tags = [key for key in tree if key not in _BESIDE]
            if len(tags) != 1:
                message = f"an object must have one tag, not {tags[:4]}"
                raise WireError(message)
            tag = tags[0]
        read = _READERS.get(tag)
        if read is None:
            message = f"no tag {_short(tag)}"
            raise WireError(message)
        try:
            value = read(self, tree[tag], tree, depth)
        except (ValueError, TypeError, OverflowError) as error:
            message = f"{_short(tree[tag])} is no {tag}: {error}"
            raise WireError(message) from None
        if "type" in tree:
            name(tree["type"])
        if "ref" in tree and tag in _MUTABLE:
            return self.container(number(tree["ref"]), value)
        return value


def number(tree: object) -> int:
    """A non-negative JSON integer; WireError for anything else."""
    if type(tree) is not int or not 0 <= tree <= SAFE_INTEGER:
        message = f"{_short(tree)} is no number of a frame or an object"
        raise WireError(message)
    return tree


def name(tree: object) -> str:
    """A short JSON string; WireError for anything else."""
    if type(tree) is not str or len(tree) > NAME_CHARACTERS:
        message = f"{_short(tree)} is no name"
        raise WireError(message)
    return tree


def pairs(tree: object) -> Iterator[tuple[Any, Any]]:
    """The pairs of a JSON array of arrays of two; WireError where it is none."""
    if type(tree) is not list:
        message = "an array of pairs is needed"
        raise WireError(message)
    for pair in tree:
        if type(pair) is not list or len(pair) != 2:
            message = "an array of pairs is needed"
            raise WireError(message)
        yield pair[0], pair[1]


def _short(tree: object) -> str:
    text = repr(tree) if type(tree) in (str, int, bool, type(None)) else f"a JSON {type(tree).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def _string(tree: object) -> str:
    if type(tree) is not str:
        message = f"a string is needed, not {_short(tree)}"
        raise WireError(message)
    return tree


def _hex(tree: object) -> bytes:
    text = _string(tree)
    if not text.isascii() or " " in text or "\n" in text or "\t" in text:
        message = "hexadecimal digits are needed"
        raise WireError(message)
    return bytes.fromhex(text)


def _read_map(reader: Reader, tree: Any, depth: int) -> object:
    if depth == 0:
        message = f"a value is nested deeper than {DEPTH}"
        raise WireError(message)
    read = reader.read
    return _hashed(reader, dict, [(read(key, depth - 1), read(value, depth - 1)) for key, value in pairs(tree)])


def _hashed(reader: Reader, kind: Callable[[list[Any]], object], items: list[Any]) -> object:
    """A dict or set; one key that cannot be hashed, such as a foreign one, makes the whole unusable."""
    try:
        return kind(items)
    except Exception:
        return reader.foreign(f"{kind.__name__} with a key that cannot be hashed")


def _read_text(tree: Any) -> str:
    codes = Reader().many(tree, DEPTH)
    if not all(type(code) is int for code in codes):
        message = "text is an array of code points"
        raise WireError(message)
    return "".join(map(chr, codes))


def _read_int(tree: object) -> int:
    text = _string(tree)
    if not set(text) <= set("-0123456789abcdef"):
        message = "hexadecimal digits are needed"
        raise WireError(message)
    return int(text, 16)


def _int(value: object) -> int:
    if type(value) is not int:
        message = "an integer is needed"
        raise WireError(message)
    return value


def _read_float(tree: object) -> float:
    text = _string(tree)
    if text not in ("inf", "-inf", "nan") and "0x" not in text:
        message = "a hexadecimal float is needed"
        raise WireError(message)
    found = float.fromhex(text)
    return math.nan if math.isnan(found) else found


def _read_record(reader: Reader, tree: Any, beside: Mapping[str, Any], depth: int) -> object:
    if depth == 0:
        message = f"a value is nested deeper than {DEPTH}"
        raise WireError(message)
    fields = pairs(beside.get("fields"))
    return reader.record(name(tree), {name(key): reader.read(value, depth - 1) for key, value in fields})


def _read_base(tree: object, kind: type) -> object:
    if type(tree) is not kind:
        message = f"a JSON {kind.__name__} is needed"
        raise WireError(message)
    return tree


_READERS: Mapping[str, Callable[[Reader, Any, Mapping[str, Any], int], Any]] = {
    "bytes": lambda reader, tree, beside, depth: _hex(tree),
    "bytearray": lambda reader, tree, beside, depth: bytearray(_hex(tree)),
    "list": lambda reader, tree, beside, depth: reader.many(tree, depth),
    "tuple": lambda reader, tree, beside, depth: tuple(reader.many(tree, depth)),
    "map": lambda reader, tree, beside, depth: _read_map(reader, tree, depth),
    "set": lambda reader, tree, beside, depth: _hashed(reader, set, reader.many(tree, depth)),
    "frozenset": lambda reader, tree, beside, depth: _hashed(reader, frozenset, reader.many(tree, depth)),
    "record": _read_record,
    "text": lambda reader, tree, beside, depth: _read_text(tree),
    "str": lambda reader, tree, beside, depth: _read_base(tree, str),
    "int": lambda reader, tree, beside, depth: _read_int(tree),
    "float": lambda reader, tree, beside, depth: _read_float(tree),
    "index": lambda reader, tree, beside, depth: reader.index(_int(reader.read(tree, depth))),
    "path": lambda reader, tree, beside, depth: reader.path(name(tree), beside),
    "ref": lambda reader, tree, beside, depth: reader.reference(number(tree)),
    "object": lambda reader, tree, beside, depth: reader.handle(name(tree), number(beside.get("ref"))),
    "foreign": lambda reader, tree, beside, depth: reader.foreign(name(tree)),
}
_MUTABLE = frozenset({"list", "map", "set", "bytearray"})
