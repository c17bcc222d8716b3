"""The judge's side of the wire: asks one subject, and takes nothing on trust that comes back.

Every answer is checked, and one that makes no sense ends the subject with `SubjectGone`, never the judge.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from time import perf_counter
from typing import Any, NoReturn

from harness.subject import wire
from harness.subject.channel import Channel, End, SubjectGone
from harness.subject.failures import Errors
from harness.subject.held import Held
from harness.subject.objects import RemoteObject
from harness.subject.offers import read_offers, record_class
from harness.subject.standins import CONTAINERS, Foreign, ForeignUsed, refill, stand_in
from harness.subject.wire import WireError

_ANSWER_KEYS = frozenset({"id", "ok", "error", "batch", "args", "changed", "wrote"})
_FILE_BYTES = 8 << 20


class Link:
    """A conversation with one subject. Its channel can be exchanged for a fresh one; the stand-ins stay."""

    def __init__(self, modules: Sequence[str], *, call_limit_s: float = 10.0, start_limit_s: float = 10.0) -> None:
        self.modules = tuple(modules)
        self.call_limit_s = call_limit_s
        self.start_limit_s = start_limit_s
        self.calls = 0
        self.waited_s = 0.0
        """How long answers were waited for, since the link was made: the subject's time, pipes included."""
        self.gone: SubjectGone | None = SubjectGone(End.REFUSED, "it was never started")
        self._channel: Channel | None = None
        self._held: Held = Held()
        self._writer = _Writer(self)
        self._reader = _Reader(self)
        self.errors = Errors()
        self.classes: dict[str, type] = {}
        self.records: dict[str, Any] = {}
        self._paths: dict[Path, str] = {}
        self._to_write: dict[str, Path] = {}
        self._last = 0
        self._no_batches = False

    # --- beginning and end

    def open(self, channel: Channel) -> dict[str, list[dict[str, Any]]]:
        """Greet the subject at the other end; what it offers, per module."""
        self._channel, self.gone, self._last = channel, None, 0
        self._held = Held()
        modules = ",".join(map(wire.quote, self.modules))
        answer = self._ask(f'"hello":{{"protocol":{wire.PROTOCOL},"modules":[{modules}]}}', self.start_limit_s)
        if "error" in answer:
            error = self._guard(lambda: self.errors.build(answer["error"], self._reader))
            self._lose(End.REFUSED, f"{type(error).__name__}: {error}")
        offers: dict[str, list[dict[str, Any]]] = self._guard(
            lambda: read_offers(answer.get("ok"), self.modules, self._reader)
        )
        return offers

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
        with _no_collection():
            answer = self._ask(body, self.call_limit_s)
            if len(answer) > 1:
                self._guard(lambda: self._take_news(answer, [*args, *kwargs.values()]))
            return self._conclude(answer)

    def batch(self, module: str, calls: Sequence[tuple[str, tuple[object, ...]]]) -> list[Any]:
        """Many calls of functions in one frame: for each its result, or the exception instead of it, not raised.

        A subject that does no batches is asked one by one.
        """
        heads = [f'{self.module_head(module)}"call":{wire.quote(name)}' for name, _ in calls]
        if self._no_batches:
            return [self._attempt(head, args) for head, (_, args) in zip(heads, calls, strict=True)]
        bodies = [
            f'{{{head},"args":[{self._writer.many(args, wire.DEPTH)}]}}'
            for head, (_, args) in zip(heads, calls, strict=True)
        ]
        with _no_collection():
            answer = self._ask(f'"batch":[{",".join(bodies)}]', self.call_limit_s)
            if "error" not in answer:
                self.calls += len(bodies)
                return list(self._guard(lambda: self._results(answer, len(bodies))))
        self._no_batches = True
        return self.batch(module, calls)

    def _attempt(self, head: str, args: tuple[object, ...]) -> Any:
        try:
            return self.call(head, args, {})
        except Exception as error:
            return error

    def _results(self, answer: dict[str, Any], count: int) -> list[Any]:
        results = answer.get("batch")
        if type(results) is not list or len(results) != count:
            message = f"a batch of {count} calls without as many answers"
            raise WireError(message)
        self._take_news(answer, ())
        return [self._result(one) for one in results]

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
        began = perf_counter()
        try:
            line = self._channel.exchange(frame, limit_s)
            self.waited_s += perf_counter() - began
            answer = wire.parse(line)
        except SubjectGone as gone:
            self.waited_s += perf_counter() - began
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
        return self.errors.build(answer["error"], self._reader)

    def _take_news(self, answer: dict[str, Any], args: Sequence[object]) -> None:
        if "args" in answer:
            trees = answer["args"]
            if type(trees) is not list or len(trees) != len(args):
                message = f"{len(args)} arguments were sent and others came back"
                raise WireError(message)
            for argument, tree in zip(args, trees, strict=True):
                if tree is not None:
                    _mend(argument, self._reader.read(tree))
        for ref, tree in wire.pairs(answer.get("changed", [])):
            # Reading it is enough: a container that is held is refilled where it is read.
            if self._held.find(wire.number(ref)) is not None:
                self._reader.read(tree)
        for written, contents in wire.pairs(answer.get("wrote", [])):
            path = self._to_write.get(wire.name(written))
            if path is None:
                continue  # a file that was lent for reading stays as it is
            data = wire.Reader().read({"bytes": contents})
            if len(data) > _FILE_BYTES:
                message = f"a file of more than {_FILE_BYTES} bytes"
                raise WireError(message)
            path.write_bytes(data)

    def module_head(self, module: str) -> str:
        """The part of a request that says which module is meant; empty where there is one only."""
        return f'"module":{wire.quote(module)},' if len(self.modules) > 1 else ""

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
        if container is not None and wire.base_of(container) is type(value):
            refill(container, value)
            return container
        if container is not None and not isinstance(container, Foreign) and not isinstance(value, Foreign):
            message = f"{ref} was another kind of object before"
            raise WireError(message)
        # A container is foreign for as long as it holds a key that cannot be one here.
        container = value if isinstance(value, Foreign) else stand_in(self, ref, value)
        self._held.add(ref, container)
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
            made: Any = object.__new__(kind)
            made.owner, made.ref = self, ref
            self._held.add(ref, made)
            return made
        if type(found) is not kind:
            message = f"{ref} was another kind of object before"
            raise WireError(message)
        return found

    def name_path(self, path: Path) -> str:
        """The name under which the subject gets a file or folder: numbered, with the last part as it is.

        Only where nothing is yet may the subject write.
        """
        named = self._paths.get(path)
        if named is None:
            named = self._paths[path] = f"{len(self._paths)}/{path.name or 'folder'}"
            if not path.exists():
                self._to_write[named] = path
        return named


class _no_collection:  # noqa: N801  used as a function
    """Keeps the garbage collector from taking, in the middle of an answer, what the answer is about to name."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._was_on:
            gc.enable()


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
            files = [one for one in sorted(path.iterdir()) if one.is_file()]
            inside = [f'[{wire.quote(one.name)},"{_file(one)}"]' for one in files]
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
            kind = record_class(name, tuple(fields))
        return kind(*fields.values())


def _mend(argument: object, value: object) -> None:
    """Change an argument as the subject changed its copy."""
    if type(argument) is tuple and type(value) is tuple and len(argument) == len(value):
        for old, new in zip(argument, value, strict=True):
            _mend(old, new)
    elif not isinstance(argument, CONTAINERS):
        refill(argument, value)
