"""The judge's side of the wire: modules, classes, objects and errors of a subject in another process.

What a test imports is a module of stand-ins with the same names; nothing that comes back is more than data. Every
answer is checked, and one that makes no sense ends the subject with `SubjectGone`, never the judge.
"""

from __future__ import annotations

import builtins
import collections
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, NoReturn

from harness.subject import wire
from harness.subject.channel import Channel, End, SubjectGone
from harness.subject.standins import CONTAINERS, Foreign, ForeignUsed, refill, stand_in
from harness.subject.wire import WireError

_ANSWER_KEYS = frozenset({"id", "ok", "error", "batch", "args", "changed", "wrote"})
_KEPT = 8
"""How many large containers are held although no test holds them, since tests ask for a table again and again."""
_LARGE_ITEMS = 256
_FILE_BYTES = 8 << 20
_NAMES = 4096
"""The most names that a module, a class or a record may have."""


class Link:
    """A conversation with one subject. Its channel can be exchanged for a fresh one; the stand-ins stay."""

    def __init__(self, modules: Sequence[str], *, call_limit_s: float = 10.0, start_limit_s: float = 10.0) -> None:
        self.modules = tuple(modules)
        self.call_limit_s = call_limit_s
        self.start_limit_s = start_limit_s
        self.calls = 0
        self.gone: SubjectGone | None = SubjectGone(End.REFUSED, "it was never started")
        self._channel: Channel | None = None
        self._held: Held = Held(self)
        self._writer = _Writer(self)
        self._reader = _Reader(self)
        self._errors = Errors()
        self.classes: dict[str, type] = {}
        self.records: dict[str, Any] = {}
        self._paths: dict[str, Path] = {}
        self._last = 0

    # --- beginning and end

    def open(self, channel: Channel) -> dict[str, list[dict[str, Any]]]:
        """Greet the subject at the other end; what it offers, per module."""
        self._channel, self.gone, self._last = channel, None, 0
        self._held = Held(self)
        modules = ",".join(map(wire.quote, self.modules))
        answer = self._ask(f'"hello":{{"protocol":{wire.PROTOCOL},"modules":[{modules}]}}', self.start_limit_s)
        if "error" in answer:
            error = self._guard(lambda: self._errors.build(answer["error"], self._reader))
            self._lose(End.REFUSED, f"{type(error).__name__}: {error}")
        return self._guard(lambda: read_offers(answer.get("ok"), self.modules, self._reader))

    def close(self) -> None:
        """Say goodbye. Raises SubjectGone where that fails, since then nothing that was heard can be trusted."""
        if self.gone is None:
            self._ask('"bye":true', self.call_limit_s)
            assert self._channel is not None
            rest = self._channel.close()
            self.gone = SubjectGone(End.CLOSED, "it was closed")
            if rest:
                self._lose(End.BROKEN, rest)

    def _lose(self, end: End, detail: str) -> NoReturn:
        self.gone = SubjectGone(end, detail)
        if self._channel is not None:
            self._channel.abandon()
        raise self.gone

    def _guard(self, read: Callable[[], Any]) -> Any:
        """Do something with an answer; one that makes no sense breaks the wire."""
        try:
            return read()
        except (WireError, RecursionError, MemoryError) as error:
            self._lose(End.BROKEN, str(error) or type(error).__name__)

    # --- questions

    def call(self, head: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Any:
        """Ask for what `head` says, with these arguments: the result, or the error that the subject raised."""
        body = f'{head},"args":[{self._writer.many(args, wire.DEPTH)}]'
        if kwargs:
            named = ",".join([f"{wire.quote(key)}:{self._writer.write(value)}" for key, value in kwargs.items()])
            body += f',"kwargs":{{{named}}}'
        self.calls += 1
        answer = self._ask(body, self.call_limit_s)
        if len(answer) > 1:
            self._guard(lambda: self._take_news(answer, [*args, *kwargs.values()]))
        return self._conclude(answer)

    def batch(self, module: str, calls: Iterable[tuple[str, tuple[object, ...]]]) -> list[Any]:
        """Many calls of functions in one frame: for each its result, or the exception instead of it, not raised."""
        heads = self._module_head(module)
        bodies = [
            f'{{{heads}"call":{wire.quote(name)},"args":[{self._writer.many(args, wire.DEPTH)}]}}'
            for name, args in calls
        ]
        self.calls += len(bodies)
        answer = self._ask(f'"batch":[{",".join(bodies)}]', self.call_limit_s)
        results = answer.get("batch")
        if type(results) is not list or len(results) != len(bodies):
            self._lose(End.BROKEN, f"a batch of {len(bodies)} calls was answered by {len(answer)} keys without them all")
        self._guard(lambda: self._take_news(answer, ()))
        return [self._guard(lambda one=one: self._result(one)) for one in results]

    def _ask(self, body: str, limit_s: float) -> dict[str, Any]:
        if self.gone is not None:
            raise SubjectGone(self.gone.end, self.gone.detail)
        assert self._channel is not None
        self._last += 1
        drops = self._held.take_dropped()
        frame = f'{{"id":{self._last},{drops}{body}}}\n'.encode()
        if len(frame) > wire.FRAME_BYTES:
            message = f"the arguments are too large for the wire: {len(frame)} bytes"
            raise WireError(message)
        try:
            answer = wire.parse(self._channel.exchange(frame, limit_s))
        except SubjectGone as gone:
            self._lose(gone.end, gone.detail)
        except (WireError, RecursionError, MemoryError) as error:
            self._lose(End.BROKEN, str(error) or type(error).__name__)
        except BaseException:
            # Whoever interrupts us here leaves an answer in the pipe: the next one would be taken for another's.
            self.gone = SubjectGone(End.BROKEN, "a call was interrupted")
            self._channel.abandon()
            raise
        found = answer.pop("id", None)
        if type(found) is not int or found != self._last:
            self._lose(End.BROKEN, f"an answer to {found!r:.40} where one to {self._last} was due")
        if not answer.keys() <= _ANSWER_KEYS:
            self._lose(End.BROKEN, f"an answer with unknown keys {sorted(answer.keys() - _ANSWER_KEYS)[:4]!r:.80}")
        return answer

    # --- answers

    def _conclude(self, answer: dict[str, Any]) -> Any:
        if "ok" in answer and "error" not in answer:
            tree = answer["ok"]
            if type(tree) in (str, int, bool, type(None)):
                return tree
            return self._guard(lambda: self._reader.read(tree))
        raise self._guard(lambda: self._result(answer))

    def _result(self, answer: object) -> Any:
        if type(answer) is not dict or ("ok" in answer) == ("error" in answer):
            message = "an answer has either ok or error"
            raise WireError(message)
        if "ok" in answer:
            return self._reader.read(answer["ok"])
        return self._errors.build(answer["error"], self._reader)

    def _take_news(self, answer: dict[str, Any], args: Sequence[object]) -> None:
        if "args" in answer:
            trees = answer["args"]
            if type(trees) is not list or len(trees) != len(args):
                message = f"{len(args)} arguments were sent and others came back"
                raise WireError(message)
            for argument, tree in zip(args, trees, strict=True):
                if tree is not None:
                    _mend(argument, self._reader.read(tree))
        for ref, tree in _pairs(answer.get("changed", [])):
            # Reading it is enough: a container that is held is refilled where it is read.
            if self._held.find(wire.number(ref)) is not None:
                self._reader.read(tree)
        for written, contents in _pairs(answer.get("wrote", [])):
            path = self._paths.get(wire.name(written))
            if path is None:
                message = "a file was written that nobody named"
                raise WireError(message)
            data = wire.Reader().read({"bytes": contents})
            if len(data) > _FILE_BYTES:
                message = f"a file of more than {_FILE_BYTES} bytes"
                raise WireError(message)
            path.write_bytes(data)

    # --- what stand-ins ask

    def put(self, ref: int, value: object) -> None:
        """Give the subject's container `ref` new contents; its own error where it refuses them."""
        if self.gone is None and self._held.find(ref) is value:
            self.call(f'"put":{ref}', (wire.plain(value),), {})

    def holds(self, value: Any) -> bool:
        """Whether a stand-in is one of the process that runs now."""
        return value.owner is self and self._held.find(value.ref) is value

    def hold(self, ref: int, value: Any) -> Any:
        """The stand-in for the subject's container `ref`, the same as long as somebody holds it."""
        container = self._held.find(ref)
        if container is None:
            container = stand_in(self, ref, value)
            self._held.add(ref, container)
        elif wire.base_of(container) is type(value):
            refill(container, value)
        else:
            message = f"{ref} was another kind of object before"
            raise WireError(message)
        return container

    def held(self, ref: int) -> Any:
        """The stand-in that `ref` names."""
        found = self._held.find(ref)
        if found is None:
            message = f"{ref} names nothing that is held here"
            raise WireError(message)
        return found

    def handle(self, class_name: str, ref: int) -> object:
        """The stand-in for an object of an offered class."""
        kind = self.classes.get(class_name)
        if kind is None:
            return Foreign(class_name)
        found = self._held.find(ref)
        if found is None:
            found = object.__new__(kind)
            found.owner, found.ref = self, ref
            self._held.add(ref, found)
        if type(found) is not kind:
            message = f"{ref} was another kind of object before"
            raise WireError(message)
        return found

    def name_path(self, path: Path) -> str:
        """The name under which the subject gets a file or folder: numbered, with the last part as it is."""
        for known, other in self._paths.items():
            if other == path:
                return known
        named = f"{len(self._paths)}/{path.name or 'folder'}"
        self._paths[named] = path
        return named

    def name_inside(self, named: str, path: Path) -> None:
        """Let the subject write to a file inside a folder that it was given."""
        self._paths[named] = path

    # --- modules

    def _module_head(self, module: str) -> str:
        return f'"module":{wire.quote(module)},' if len(self.modules) > 1 else ""

    def function(self, module: str, name: str) -> Callable[..., Any]:
        """A function that calls the subject's."""
        call, head = self.call, f'{self._module_head(module)}"call":{wire.quote(name)}'

        def stand_in_for(*args: object, **kwargs: object) -> Any:
            return call(head, args, kwargs)

        stand_in_for.__name__ = name.rpartition(".")[2]
        stand_in_for.__qualname__ = name
        stand_in_for.__module__ = module
        return stand_in_for

    def build_module(self, name: str, offers: Sequence[Mapping[str, Any]]) -> ModuleType:
        """A module whose public names are stand-ins for what the subject offers."""
        module = ModuleType(name, "Stands for a module of a subject in another process.")
        for offer in offers:
            setattr(module, offer["name"], self._stand_in(name, offer))
        return module

    def _stand_in(self, module: str, offer: Mapping[str, Any]) -> object:
        name = offer["name"]
        match offer["kind"]:
            case "class":
                self.classes[name] = self._class(module, offer)
                return self.classes[name]
            case "record":
                self.records[name] = collections.namedtuple(name, offer["fields"], module=module)  # noqa: PYI024
                return self.records[name]
            case "error":
                return self._errors.declare(name, offer["bases"], module)
            case "value":
                return offer["value"]
        return self.function(module, name)

    def _class(self, module: str, offer: Mapping[str, Any]) -> type:
        name = offer["name"]
        link, head = self, f'{self._module_head(module)}"call":{wire.quote(name)}'

        def construct(cls: type, *args: object, **kwargs: object) -> object:
            return link.call(head, args, kwargs)

        members: dict[str, Any] = {"__new__": construct, "__init__": _ignore, "__module__": module}
        members |= {one: _method(one) for one in offer["methods"]}
        members |= {one: staticmethod(self.function(module, f"{name}.{one}")) for one in offer["statics"]}
        kind = _Class(name, (RemoteObject,), members)
        kind.asks = f'"module":{wire.quote(module)},"is":{wire.quote(name)}'
        return kind


# --- objects that stay there ----------------------------------------------------------------------------------------


def _ignore(self: object, *args: object, **kwargs: object) -> None:
    """The subject's own `__init__` has run already."""


def _method(name: str) -> Callable[..., Any]:
    asks = f'"call":{wire.quote(name)}'

    def method(self: RemoteObject, *args: object, **kwargs: object) -> Any:
        return self.owner.call(f'"on":{self.ref},{asks}', args, kwargs)

    method.__name__ = name
    return method


class _Class(type):
    """The class of a class that the subject offers: `isinstance` asks the subject."""

    asks: str

    def __instancecheck__(cls, instance: object) -> bool:
        if not issubclass(type(instance), RemoteObject):
            return False
        if issubclass(type(instance), cls):
            return True
        found: RemoteObject = instance  # type: ignore[assignment]
        return found.owner.call(f'"on":{found.ref},{cls.asks}', (), {}) is True


class RemoteObject(metaclass=_Class):
    """An object of the subject's: its methods are called there. It equals itself and cannot be compared further."""

    owner: Link
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


class Held:
    """Stand-ins that somebody here still holds, by number, and the numbers that nobody holds any more."""

    def __init__(self, link: Link) -> None:
        del link
        self._standins: dict[int, weakref.ref[Any]] = {}
        self._dropped: dict[int, None] = {}
        self._kept: collections.deque[Any] = collections.deque(maxlen=_KEPT)

    def find(self, ref: int) -> Any:
        found = self._standins.get(ref)
        return None if found is None else found()

    def add(self, ref: int, value: Any) -> None:
        dropped, standins = self._dropped, self._standins

        def forget(reference: weakref.ref[Any]) -> None:
            if standins.get(ref) is reference:
                del standins[ref]
                dropped[ref] = None

        dropped.pop(ref, None)
        standins[ref] = weakref.ref(value, forget)
        if isinstance(value, CONTAINERS) and len(value) > _LARGE_ITEMS:
            self._kept.append(value)

    def take_dropped(self) -> str:
        """The part of a frame that tells the subject what it may forget."""
        if not self._dropped:
            return ""
        refs = [*self._dropped]
        self._dropped.clear()
        return f'"drop":{refs},'


# --- values ---------------------------------------------------------------------------------------------------------


class _Writer(wire.Writer):
    def __init__(self, link: Link) -> None:
        self._link = link

    def other(self, value: object, depth: int) -> str:
        if isinstance(value, Foreign):
            raise ForeignUsed(repr(value))
        if isinstance(value, (*CONTAINERS, RemoteObject)) and self._link.holds(value):
            return f'{{"ref":{value.ref}}}'  # type: ignore[attr-defined]
        if isinstance(value, PurePath):
            return self._path(Path(value), depth)
        if isinstance(value, range | type({}.keys()) | type({}.values())):
            return self.write(list(value), depth)
        if (base := wire.base_of(value)) is not None:
            held: Any = wire.plain(value)
            fields = getattr(type(value), "_fields", None) if base is tuple else None
            if fields is None:
                return self.write(held, depth)
            pairs = ",".join(
                f"[{wire.quote(key)},{self.write(one, depth - 1)}]" for key, one in zip(fields, held, strict=True)
            )
            return f'{{"record":{wire.quote(type(value).__name__)},"fields":[{pairs}]}}'
        if hasattr(type(value), "__index__"):
            return f'{{"index":{self.write(type(value).__index__(value))}}}'  # type: ignore[attr-defined]
        return super().other(value, depth)

    def _path(self, path: Path, depth: int) -> str:
        del depth
        named = self._link.name_path(path)
        contents = ""
        if path.is_dir():
            inside = []
            for one in sorted(path.iterdir()):
                if one.is_file():
                    self._link.name_inside(f"{named}/{one.name}", one)
                    inside.append(f'[{wire.quote(one.name)},"{_file(one)}"]')
            contents = f',"files":[{",".join(inside)}]'
        elif path.exists():
            contents = f',"file":"{_file(path)}"'
        return f'{{"path":{wire.quote(named)}{contents}}}'


def _file(path: Path) -> str:
    if path.stat().st_size > _FILE_BYTES:
        message = f"{path.name} is too large for the wire: {path.stat().st_size} bytes"
        raise WireError(message)
    return path.read_bytes().hex()


class _Reader(wire.Reader):
    def __init__(self, link: Link) -> None:
        self._link = link

    def container(self, ref: int, value: object) -> object:
        return self._link.hold(ref, value)

    def reference(self, ref: int) -> object:
        return self._link.held(ref)

    def handle(self, class_name: str, ref: int) -> object:
        return self._link.handle(class_name, ref)

    def foreign(self, type_name: str) -> object:
        return Foreign(type_name)

    def record(self, name: str, fields: dict[str, object]) -> object:
        kind = self._link.records.get(name)
        if kind is None or kind._fields != tuple(fields):
            kind = _record_class(name, tuple(fields))
        return kind(*fields.values())


def _record_class(name: str, fields: tuple[str, ...]) -> Any:
    try:
        return collections.namedtuple(name, fields, module=__name__)  # noqa: PYI024
    except ValueError as error:
        message = f"a record that cannot be one: {error}"
        raise WireError(message) from None


def _mend(argument: object, value: object) -> None:
    """Change an argument as the subject changed its copy."""
    if type(argument) is tuple and type(value) is tuple and len(argument) == len(value):
        for old, new in zip(argument, value, strict=True):
            _mend(old, new)
    elif not isinstance(argument, CONTAINERS):
        refill(argument, value)


def _pairs(tree: object) -> Iterator[tuple[Any, Any]]:
    if type(tree) is not list:
        message = "an array of pairs is needed"
        raise WireError(message)
    for pair in tree:
        if type(pair) is not list or len(pair) != 2:
            message = "an array of pairs is needed"
            raise WireError(message)
        yield pair[0], pair[1]


# --- errors ---------------------------------------------------------------------------------------------------------


class _FromSubject(Exception):
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
        self._declared[name] = kind = _error_class(name, bases)
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
                kind = self._classes[key] = _error_class(name, bases)
        return _fill(kind, text, tree, reader)


def _error_class(name: str, bases: Sequence[str]) -> type[Exception]:
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
            return type(shown, (_FromSubject, *chosen), {})
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
    for key, value in _pairs(tree.get("fields", [])):
        if wire.name(key).isidentifier() and not key.startswith("_") and key not in ("args", "message"):
            try:
                setattr(error, key, reader.read(value))
            except (AttributeError, TypeError):
                continue  # a name that the builtin class keeps for itself
    return error


def _unicode_error(kind: type[Exception], arguments: list[Any], text: str) -> Exception:
    for chosen in (arguments, ["unknown", b"" if issubclass(kind, UnicodeDecodeError) else "", 0, 0, text]):
        try:
            return kind(*chosen)
        except (TypeError, ValueError, OverflowError):
            continue
    message = "a Unicode error without its five arguments"
    raise WireError(message)


# --- what is offered ------------------------------------------------------------------------------------------------


def read_offers(tree: Any, modules: Sequence[str], reader: wire.Reader) -> dict[str, list[dict[str, Any]]]:
    """What a subject offers for each module, in full; a plain list of names is functions, for every module."""
    if type(tree) is not dict or tree.get("protocol") != wire.PROTOCOL:
        found = tree.get("protocol") if type(tree) is dict else tree
        message = f"a greeting of protocol {found!r:.40} where {wire.PROTOCOL} is spoken here"
        raise WireError(message)
    offers = tree.get("offers")
    if type(offers) is list:
        offers = dict.fromkeys(modules, offers)
    if type(offers) is not dict:
        message = "offers are a list of names, or such a list for each module"
        raise WireError(message)
    return {module: [_offer(one, reader) for one in _listed(offers.get(module, []))] for module in modules}


def _listed(tree: object) -> list[Any]:
    if type(tree) is not list or len(tree) > _NAMES:
        message = f"a list of at most {_NAMES} is needed"
        raise WireError(message)
    return tree


def _identifier(tree: object) -> str:
    found = wire.name(tree)
    if not found.isidentifier():
        message = f"{found!r:.80} is no name that Python could import"
        raise WireError(message)
    return found


def _offer(tree: Any, reader: wire.Reader) -> dict[str, Any]:
    if type(tree) is str:
        return {"name": _identifier(tree), "kind": "function"}
    if type(tree) is not dict:
        message = "an offer is a name or an object"
        raise WireError(message)
    offer: dict[str, Any] = {"name": _identifier(tree.get("name")), "kind": wire.name(tree.get("kind", "function"))}
    match offer["kind"]:
        case "class":
            for key in ("methods", "statics"):
                offer[key] = [one for one in map(_identifier, _listed(tree.get(key, []))) if one not in _RESERVED]
        case "record":
            offer["fields"] = list(map(_identifier, _listed(tree.get("fields"))))
            _record_class(offer["name"], tuple(offer["fields"]))
        case "error":
            offer["bases"] = list(map(wire.name, _listed(tree.get("bases"))))
            _error_class(offer["name"], offer["bases"])
        case "value":
            offer["value"] = reader.read(tree.get("value"))
        case "function":
            pass
        case unknown:
            message = f"no kind of offer {unknown!r}"
            raise WireError(message)
    return offer


_RESERVED = frozenset(
    {
        *("__new__", "__init__", "__init_subclass__", "__class__", "__class_getitem__", "__del__", "__dict__", "__eq__"),
        *("__getattr__", "__getattribute__", "__setattr__", "__repr__", "__hash__", "__instancecheck__"),
        *("__prepare__", "__set_name__", "__slots__", "__mro_entries__", "owner", "ref"),
    }
)
"""Names of a class that say how it is made and compared here, which is not the subject's to say."""


# --- into sys.modules -----------------------------------------------------------------------------------------------


@contextmanager
def imported(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Let ``import`` find these modules, and nothing else below their packages, for as long as the block lasts.

    The packages above them are empty: a submodule that the subject lacks must not be found in a reference.
    """
    packages: dict[str, ModuleType] = {}
    for name in modules:
        parts = name.split(".")[:-1]
        for count in range(1, len(parts) + 1):
            package = ".".join(parts[:count])
            if package not in modules and package not in packages:
                packages[package] = ModuleType(package)
                packages[package].__path__ = []
    found = {**packages, **modules}
    tops = {name.partition(".")[0] for name in found}
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in tops}
    for name in before:
        del sys.modules[name]
    sys.modules.update(found)
    for name, module in found.items():
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(found[parent], last, module)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
            del sys.modules[name]
        sys.modules.update(before)
