"""The subject's side of the wire: serves the public names of modules to whoever holds the other end.

It runs inside the sandbox, in one process with code that nobody trusts, so nothing here is a boundary: it only has to
tell an honest subject's results exactly. No expected answer can leak from it, since none ever enters: it imports the
standard library and `wire`, and what it is told are arguments.
"""

from __future__ import annotations

import builtins
import importlib
import itertools
import operator
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from harness.subject import wire

_WATCHED = 16
"""How many of the containers that were sent last are compared after every call; all are when they are sent again."""
_WATCHED_ITEMS = 4096
"""A container longer than this is compared when it is sent again only."""
_MESSAGE_CHARACTERS = 10_000


class Index:
    """An argument that is no int and can stand where an index is wanted."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


# --- objects that the other side can name ---------------------------------------------------------------------------


class Table:
    """What was sent by reference: containers, with their contents as the other side has them, and handles."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._objects: dict[int, object] = {}
        self._refs: dict[int, int] = {}
        self._sent: dict[int, list[object]] = {}
        self._undo: list[tuple[int, list[object] | None]] = []

    def ref(self, value: object) -> int:
        """The number of an object, the same as long as the other side holds it."""
        ref = self._refs.get(id(value))
        if ref is None:
            ref = next(self._numbers)
            self._objects[ref] = value  # kept alive, so that its id stays its own
            self._refs[id(value)] = ref
        return ref

    def find(self, ref: int) -> object:
        """The object of that number."""
        if ref not in self._objects:
            message = f"nothing is called {ref}"
            raise wire.WireError(message)
        return self._objects[ref]

    def drop(self, refs: Iterable[int]) -> None:
        """Forget objects that the other side no longer holds."""
        for ref in refs:
            if ref in self._objects:
                del self._refs[id(self._objects.pop(ref))]
                self._sent.pop(ref, None)

    def is_known(self, ref: int, value: object) -> bool:
        """Whether the other side has this container with just these contents; from now on it has."""
        contents = _contents(value)
        before = self._sent.pop(ref, None)
        self._sent[ref] = contents  # which makes it the latest
        self._undo.append((ref, before))
        return before is not None and _same(before, contents)

    def begin(self) -> None:
        """A new answer begins: what the last one sent has arrived."""
        self._undo.clear()

    def mark(self) -> int:
        """A place in the answer to which `take_back` can return."""
        return len(self._undo)

    def take_back(self, mark: int = 0) -> None:
        """What was sent since the mark was not sent after all, since it turned out that it cannot be written."""
        while len(self._undo) > mark:
            ref, before = self._undo.pop()
            if before is None:
                self.drop([ref])
            else:
                self._sent[ref] = before

    def changed(self) -> list[int]:
        """The watched containers whose contents are no longer what the other side has."""
        found = []
        for ref in itertools.islice(reversed(self._sent), _WATCHED):
            before = self._sent[ref]
            if len(before) <= _WATCHED_ITEMS and not _same(before, _contents(self._objects[ref])):
                found.append(ref)
        return found

    def put(self, ref: int, value: Any) -> None:
        """Give a container new contents, by its own methods: it is the subject's own object."""
        owner: Any = self.find(ref)
        if isinstance(owner, list | bytearray):
            owner[:] = value
        else:
            owner.clear()
            owner.update(value)
        self._sent[ref] = _contents(owner)


def _contents(value: object) -> list[object]:
    if type(value) is list:
        return value[:]
    held: Any = wire.plain(value)
    return [*held.keys(), *held.values()] if type(held) is dict else list(held)


def _same(before: list[object], after: list[object]) -> bool:
    return len(before) == len(after) and all(map(operator.is_, before, after))


# --- values ---------------------------------------------------------------------------------------------------------


class _Writer(wire.Writer):
    def __init__(self, table: Table, offers: Offers) -> None:
        self._table, self._offers = table, offers
        self._open: set[int] = set()

    def container(self, owner: object, value: Any, depth: int, type_name: str = "") -> str:
        if id(owner) in self._open:
            message = "a container that holds itself cannot cross the wire"
            raise wire.WireError(message)
        self._open.add(id(owner))
        try:
            return super().container(owner, value, depth, type_name)
        finally:
            self._open.discard(id(owner))

    def ref(self, value: object) -> int | None:
        return self._table.ref(value)

    def known(self, value: object, ref: int) -> bool:
        return self._table.is_known(ref, value)

    def other(self, value: object, depth: int) -> str:
        kind = type(value)
        if isinstance(value, MappingProxyType):
            return self.write(dict(value), depth)  # a view that nobody can write through has its contents alone
        base = wire.base_of(value)
        if base is None:
            if kind in self._offers.handles:
                return f'{{"object":{wire.quote(self._offers.handles[kind])},"ref":{self._table.ref(value)}}}'
            return f'{{"foreign":{wire.quote(kind.__name__[: wire.NAME_CHARACTERS])}}}'
        held: Any = wire.plain(value)
        type_name = kind.__name__
        if base is tuple and (fields := field_names(kind)) is not None and len(fields) == len(held):
            pairs = ",".join(
                f"[{wire.quote(field)},{self.write(item, depth - 1)}]" for field, item in zip(fields, held, strict=True)
            )
            return f'{{"record":{wire.quote(type_name)},"fields":[{pairs}]}}'
        beside = f',"type":{wire.quote(type_name[: wire.NAME_CHARACTERS])}}}'
        if base is int:
            return f'{{"int":"{held:x}"{beside}'
        if base is str:
            text = self.write(held)
            return (text[:-1] if text[0] == "{" else f'{{"str":{text}') + beside
        if base in (bytes, float):
            return self.write(held)[:-1] + beside
        return self.container(value, held, depth, type_name)


def field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a named tuple's class; None for any other class."""
    fields = kind.__dict__.get("_fields") or next(
        (base.__dict__["_fields"] for base in kind.__mro__ if "_fields" in base.__dict__), None
    )
    if type(fields) is tuple and all(type(field) is str for field in fields):
        return fields
    return None


class _Reader(wire.Reader):
    def __init__(self, table: Table, files: Files, offers: Offers) -> None:
        self._table, self._files, self._offers = table, files, offers

    def reference(self, ref: int) -> object:
        return self._table.find(ref)

    def index(self, number: int) -> object:
        return Index(number)

    def path(self, name: str, beside: Mapping[str, Any]) -> object:
        return self._files.place(name, beside)

    def record(self, name: str, fields: dict[str, object]) -> object:
        kind = self._offers.records.get(name)
        return tuple(fields.values()) if kind is None else kind(*fields.values())


class Files:
    """Files that came as arguments, and what the subject wrote in their places."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._contents: dict[str, bytes | None] = {}

    def place(self, name: str, beside: Mapping[str, Any]) -> Path:
        """Make a file or folder that the other side has; `name` is ``N/BASENAME``, or the path stays to be written."""
        path = self._folder / name
        if ".." in path.parts or not path.is_relative_to(self._folder):
            message = f"a path outside the folder: {name}"
            raise wire.WireError(message)
        path.parent.mkdir(parents=True, exist_ok=True)
        if "files" in beside:
            path.mkdir(exist_ok=True)
            for inner, contents in beside["files"]:
                self._write(f"{name}/{inner}", contents)
        elif "file" in beside:
            self._write(name, beside["file"])
        else:
            self._contents.setdefault(name, None)
        return path

    def _write(self, name: str, contents: str) -> None:
        data = bytes.fromhex(contents)
        if self._contents.get(name) != data:
            (self._folder / name).write_bytes(data)
            self._contents[name] = data

    def written(self) -> list[tuple[str, bytes]]:
        """Name and bytes of each file that is not as it was."""
        found = []
        for name, before in self._contents.items():
            path = self._folder / name
            if path.is_file() and (data := path.read_bytes()) != before:
                found.append((name, data))
                self._contents[name] = data
        return found


# --- what is offered ------------------------------------------------------------------------------------------------


class Offers:
    """The public names of the served modules, and what the other side must know to stand in for them."""

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}
        self.handles: dict[type, str] = {}
        self.records: dict[str, Any] = {}
        self.errors: dict[type, str] = {}

    def load(self, names: Iterable[str]) -> None:
        """Import the modules; whatever an import raises comes out."""
        for name in names:
            self.modules[name] = importlib.import_module(name)

    def describe(self, writer: wire.Writer) -> str:
        """One JSON object: per module, a list of what it offers."""
        described = []
        for module_name, module in self.modules.items():
            public = [(name, value) for name, value in vars(module).items() if not name.startswith("_")]
            for name, value in public:
                self._note_class(name, value)
            entries = ",".join(filter(None, (self._entry(name, value, writer) for name, value in public)))
            described.append(f"{wire.quote(module_name)}:[{entries}]")
        return "{" + ",".join(described) + "}"

    def _note_class(self, name: str, value: object) -> None:
        if not isinstance(value, type):
            return
        if issubclass(value, BaseException):
            self.errors[value] = name
        elif issubclass(value, tuple) and field_names(value) is not None:
            self.records[name] = value
        elif value.__module__ in self.modules:
            self.handles[value] = name

    def _entry(self, name: str, value: object, writer: wire.Writer) -> str:
        heading = f'{{"name":{wire.quote(name)},"kind":'
        if isinstance(value, ModuleType):
            return ""
        if not isinstance(value, type):
            if callable(value):
                return heading + '"function"}'
            try:
                return f'{heading}"value","value":{writer.write(value)}}}'
            except wire.WireError:
                return ""
        if value in self.errors:
            return f'{heading}"error","bases":{_names(_builtin_errors(value))}}}'
        if name in self.records:
            return f'{heading}"record","fields":{_names(field_names(value) or ())}}}'
        if value not in self.handles:
            return ""
        parts = {part: found for base in reversed(value.__mro__[:-1]) for part, found in base.__dict__.items()}
        shown = {part: found for part, found in parts.items() if not part.startswith("_") or part in _OPERATORS}
        statics = [part for part, found in shown.items() if isinstance(found, staticmethod | classmethod)]
        methods = [part for part, found in shown.items() if callable(found) and part not in statics]
        return f'{heading}"class","methods":{_names(methods)},"statics":{_names(statics)}}}'


_OPERATORS = frozenset(
    {
        *("__len__", "__iter__", "__next__", "__contains__", "__getitem__", "__setitem__", "__delitem__"),
        *("__call__", "__enter__", "__exit__"),
    }
)


def _names(names: Iterable[str]) -> str:
    return "[" + ",".join(map(wire.quote, names)) + "]"


# --- errors ---------------------------------------------------------------------------------------------------------


def _builtin_errors(kind: type) -> list[str]:
    """The nearest builtin ancestors of an exception's class, from which all further ones follow."""
    found: list[type] = []
    for base in kind.__mro__:
        if vars(builtins).get(base.__name__) is base and not any(issubclass(known, base) for known in found):
            found.append(base)
    return [base.__name__ for base in found]


_UNICODE_FIELDS = ("encoding", "object", "start", "end", "reason")


class Teller:
    """Turns an exception into the text of an error."""

    def __init__(self, writer: wire.Writer, errors: Mapping[type, str]) -> None:
        self._writer, self._errors = writer, errors

    def tell(self, error: BaseException) -> str:
        """One JSON object, whatever the exception's own methods do."""
        try:
            return self._tell(error)
        except Exception:
            return self._object(type(error).__name__, ["Exception"], "its message cannot be shown", "")

    def _tell(self, error: BaseException) -> str:
        kind = type(error)
        if not isinstance(error, Exception):
            return self._object("RuntimeError", ["RuntimeError"], f"{kind.__name__} was raised", "")
        try:
            message = str.__str__(str(error))[:_MESSAGE_CHARACTERS]
        except BaseException:
            message = "its message cannot be shown"
        name = self._errors.get(kind, kind.__name__)
        bases = _builtin_errors(kind)
        if isinstance(error, UnicodeDecodeError | UnicodeEncodeError):
            arguments = [getattr(error, field) for field in _UNICODE_FIELDS]
            return self._object(name, bases, message, f',"args":{self._values(arguments)}')
        fields = ",".join(
            f"[{wire.quote(field)},{text}]"
            for field, value in vars(error).items()
            if not field.startswith("_") and (text := self._value(value))
        )
        beside = f',"args":{self._values(error.args)}' + (f',"fields":[{fields}]' if fields else "")
        return self._object(name, bases, message, beside)

    def _object(self, name: str, bases: list[str], message: str, beside: str) -> str:
        text = self._writer.write(message)
        return f'{{"type":{wire.quote(name[: wire.NAME_CHARACTERS])},"bases":{_names(bases)},"message":{text}{beside}}}'

    def _value(self, value: object) -> str:
        try:
            return self._writer.write(value)
        except wire.WireError:
            return ""

    def _values(self, values: Iterable[object]) -> str:
        return "[" + ",".join(self._value(value) or '{"foreign":"object"}' for value in values) + "]"


# --- serving --------------------------------------------------------------------------------------------------------


class Server:
    """Answers requests, one at a time."""

    def __init__(self, folder: Path) -> None:
        self._table, self._offers = Table(), Offers()
        self._files = Files(folder)
        self._writer = _Writer(self._table, self._offers)
        self._compare = wire.Writer()
        self._reader = _Reader(self._table, self._files, self._offers)
        self._teller = Teller(self._writer, self._offers.errors)

    def answer(self, request: Mapping[str, Any]) -> str:
        """The frame that answers a request; WireError where it is none."""
        wire.number(request.get("id"))
        self._table.begin()
        if "drop" in request:
            self._table.drop(map(wire.number, wire.Reader().many(request["drop"], wire.DEPTH)))
        frame = f'{{"id":{request["id"]},{self._result(request)}{self._news()}}}'
        if len(frame) >= wire.FRAME_BYTES or frame.count(",") + frame.count("[") + frame.count("{") > wire.ITEMS:
            self._table.take_back()
            error = wire.WireError(f"the result is too large for the wire: {len(frame)} characters")
            frame = f'{{"id":{request["id"]},"error":{self._teller.tell(error)}}}'
        return frame

    def _result(self, request: Mapping[str, Any]) -> str:
        if "batch" in request:
            calls = request["batch"]
            if type(calls) is not list or not all(type(one) is dict and "batch" not in one for one in calls):
                message = "a batch is an array of requests"
                raise wire.WireError(message)
            return '"batch":[' + ",".join(f"{{{self._result(one)}}}" for one in calls) + "]"
        if "hello" in request:
            try:
                self._offers.load(request["hello"]["modules"])
                return f'"ok":{{"protocol":{wire.PROTOCOL},"offers":{self._offers.describe(self._writer)}}}'
            except BaseException as error:
                return f'"error":{self._teller.tell(error)}'
        watched: list[Any] = []
        before = ""
        mark = self._table.mark()
        try:
            trees, named = request.get("args", []), request.get("kwargs", {})
            positional = self._reader.each(trees)
            keywords = dict(zip(named, self._reader.each([*named.values()]), strict=True))
            # What is the subject's own comes by reference, and is watched as such.
            for tree, argument in zip([*trees, *named.values()], [*positional, *keywords.values()], strict=True):
                mine = type(argument) not in _CHANGEABLE or (type(tree) is dict and "ref" in tree)
                watched.append(None if mine else argument)
            before = self._look(watched)
            result = self._act(request)(*positional, **keywords)
            text = f'"ok":{self._writer.write(result)}'
        except BaseException as error:
            self._table.take_back(mark)
            text = f'"error":{self._teller.tell(error)}'
        if before and (after := self._look(watched)) != before:
            text += f',"args":[{after}]'
        return text

    def _act(self, request: Mapping[str, Any]) -> Callable[..., object]:
        """What a request asks to be called."""
        if "on" in request:
            owner = self._table.find(request["on"])
        else:
            owner = self._offers.modules[request.get("module") or next(iter(self._offers.modules))]
        if "call" in request:
            return operator.attrgetter(request["call"])(owner)  # type: ignore[no-any-return]
        if "get" in request:
            return lambda: getattr(owner, request["get"])
        if "set" in request:
            return lambda value: setattr(owner, request["set"], value)
        if "is" in request:
            kind = getattr(self._offers.modules[request["module"]], request["is"])
            return lambda: isinstance(owner, kind)
        if "put" in request:
            return lambda value: self._table.put(request["put"], value)
        if "bye" in request:
            return lambda: None
        message = f"a request that asks for nothing: {sorted(request)}"
        raise wire.WireError(message)

    def _look(self, watched: list[Any]) -> str:
        """The arguments as they are now, with null for each that cannot change; nothing where none can."""
        if watched.count(None) == len(watched):
            return ""
        texts = []
        for argument in watched:
            try:
                texts.append(self._compare.write(argument))
            except wire.WireError:
                texts.append('{"foreign":"changed argument"}')
        return ",".join(texts)

    def _news(self) -> str:
        """What else the other side must hear: containers that changed, files that were written."""
        text = ""
        if changed := self._table.changed():
            entries = ",".join(f"[{ref},{self._writer.write(self._table.find(ref))}]" for ref in changed)
            text += f',"changed":[{entries}]'
        if written := self._files.written():
            entries = ",".join(f'[{wire.quote(name)},"{data.hex()}"]' for name, data in written)
            text += f',"wrote":[{entries}]'
        return text


_CHANGEABLE = frozenset({list, dict, set, bytearray, tuple})
"""A tuple cannot change, and what it holds can."""


def serve(reading: int, writing: int, folder: Path) -> None:
    """Answer every line from `reading` on `writing` until a closing frame or the end of the input."""
    server = Server(folder)
    with os.fdopen(reading, "rb", buffering=1 << 16) as requests:
        for line in requests:
            request = wire.parse(line)
            _send(writing, (server.answer(request) + "\n").encode())
            if "bye" in request:
                return


def _send(writing: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(writing, view) :]


def main(folder: Path | None = None) -> None:
    """Serve on the standard streams, which are then nobody else's: what a subject prints goes to nothing."""
    reading, writing, words = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # `_thread.interrupt_main` would strike between two calls
    status = 1
    try:
        serve(reading, writing, Path(folder or Path.cwd()))
        status = 0
    except BaseException as error:
        os.write(words, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:_MESSAGE_CHARACTERS])
        raise
    finally:
        os._exit(status)  # threads and exit handlers of a subject have no say in how this process ends
