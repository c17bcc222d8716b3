"""Subjects, wherever they run: inside the block of `installed`, an import of their units gives their names.

`InProcess` is as quick as an import and trusts the code; `Wired` runs it in a sandboxed process of its own and trusts
nothing. A test cannot tell which it has.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Protocol

from harness import process
from harness.course import dotted
from harness.errors import EngineError
from harness.subject import sandbox
from harness.subject.channel import Channel, End, SubjectGone
from harness.subject.inprocess import install_fresh
from harness.subject.link import Link
from harness.subject.remote import build_module, imported
from harness.subject.sandbox import Box, Level

_SCRATCH_BYTES = 64 << 20
_SCRATCH_FILES = 2_000
_MOST_PROCESSES = 128
_LAST_WORDS_BYTES = 4096
_DYING_S = 0.5


class Subject(Protocol):
    """Code under test."""

    def installed(self) -> AbstractContextManager[None]:
        """Let imports of its units find it, for as long as the block lasts."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """Code that runs in this very process."""

    sources: Mapping[str, str]
    """Whole text of each unit, by unit, in import order."""
    paths: Mapping[str, str]
    """The file name that each unit goes under."""

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Import the sources under their names; whatever their import raises comes out."""
        tops = {dotted(unit).partition(".")[0] for unit in self.sources}
        before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in tops}
        finders = sys.meta_path[:]
        for name in before:
            del sys.modules[name]
        try:
            install_fresh(self.sources, self.paths)
            yield
        finally:
            sys.meta_path[:] = finders
            for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
                del sys.modules[name]
            sys.modules.update(before)


@dataclass(frozen=True, slots=True)
class Request:
    """What to run over the wire, and within which limits."""

    units: Mapping[str, str | bytes]
    """Contents of each file of the subject, by its path below the folder of its packages."""
    serve: tuple[str, ...]
    """The units whose names are offered, in import order."""
    packages: tuple[str, ...] = ()
    """Top-level packages that it may import besides the standard library."""
    program: tuple[str, ...] = ()
    """A program that speaks the wire by itself, in the place of our worker. Its own files can be `units`, which then
    lie in ``../modules``."""
    level: Level = Level.L0
    readable: tuple[str, ...] = ()
    """Further paths that the program may read."""
    writable: bool = False
    """Whether it may write files in its scratch folder."""
    memory_bytes: int | None = 1 << 30
    call_limit_s: float = 10.0
    start_limit_s: float = 20.0


@dataclass(slots=True)
class Wired:
    """A subject in a process of its own: a context manager that starts it and leaves nothing of it behind.

    Whoever starts one must not start other children from the same process while it runs, and has to call from the
    thread that started it.
    """

    request: Request
    link: Link = field(init=False)
    modules: dict[str, ModuleType] = field(default_factory=dict, init=False)
    _running: _Running | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        names = [dotted(unit) for unit in self.request.serve]
        self.link = Link(names, call_limit_s=self.request.call_limit_s, start_limit_s=self.request.start_limit_s)

    def __enter__(self) -> Wired:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self) -> None:
        """Start the process and build the modules. Raises SubjectGone where it does not import or greet."""
        self._running = _Running(self.request)
        try:
            offers = self.link.open(self._running.channel)
            if not self.modules:
                self.modules = {name: build_module(self.link, name, offered) for name, offered in offers.items()}
        except BaseException:
            self.end()
            raise

    def restart(self) -> None:
        """A fresh process behind the same modules, after one that is gone or is not to be trusted any further."""
        self.end()
        self.start()

    def close(self) -> None:
        """Say goodbye, then end it. Raises SubjectGone where the wire was broken or the process is already gone."""
        try:
            if self.link.gone is not None:
                raise SubjectGone(self.link.gone.end, self.link.gone.detail)
            self.link.close()
        finally:
            self.end()

    def end(self) -> None:
        """End the process and everything that it started, now."""
        if self._running is not None:
            self._running.end()
            self._running = None
        if self.link.gone is None:
            self.link.gone = SubjectGone(End.CLOSED, "it was ended")

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Let imports find the stand-ins; the process is started where it does not run yet."""
        if self._running is None:
            self.start()
        with imported(self.modules):
            yield


# --- the process ----------------------------------------------------------------------------------------------------

_leaders: set[int] = set()


class _Running:
    """One sandboxed process, its folders and its pipes."""

    def __init__(self, request: Request) -> None:
        self._stack = ExitStack()
        self._words = b""
        process.become_subreaper()
        process.hide_memory()
        self._spared = {*process.children(), *_leaders}
        self._uid = sandbox.unused_uid() if request.level >= Level.L2 else None
        self._box = self._stack.enter_context(sandbox.box(self._uid))
        if self._uid is not None:
            self._stack.callback(sandbox.sweep, self._uid)
        try:
            _fill(self._box, request)
            self._start(request)
        except BaseException:
            self._stack.close()
            raise

    def _start(self, request: Request) -> None:
        policy = sandbox.policy_for(
            request.level, self._box, uid=self._uid, memory_bytes=None if request.program else request.memory_bytes
        )
        if request.writable:
            policy = replace(policy, writable=True, file_bytes=_SCRATCH_BYTES // 4)
        if request.program:
            readable = (*request.readable, str(self._box.modules))
            policy = replace(policy, may_start_programs=True, readable=readable)
        self._most_bytes = request.memory_bytes if request.program else None
        self._watched = request.writable or request.program or request.level < Level.L3
        self._popen = subprocess.Popen(
            sandbox.command(request.level, self._box, policy, program=request.program),
            env=sandbox.environment(),
            cwd=self._box.scratch,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        _leaders.add(self._popen.pid)
        self._stack.callback(self._end_tree)
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        os.set_blocking(self._popen.stderr.fileno(), False)
        self.channel = Channel(
            reading=os.dup(self._popen.stdout.fileno()),
            writing=os.dup(self._popen.stdin.fileno()),
            patrol=self._patrol,
            why_dead=self._why_dead,
        )
        self._popen.stdin.close()
        self._popen.stdout.close()

    def _end_tree(self) -> None:
        process.end_tree(self._popen.pid, self._spared | (_leaders - {self._popen.pid}))
        self._popen.wait()
        _leaders.discard(self._popen.pid)
        assert self._popen.stderr is not None
        self._popen.stderr.close()

    def end(self) -> None:
        """Leave nothing: no process, no pipe, no file."""
        self._stack.callback(self.channel.abandon)
        self._stack.close()

    def _listen(self) -> str:
        """What was last written on standard error."""
        assert self._popen.stderr is not None
        with contextlib.suppress(OSError):
            while said := os.read(self._popen.stderr.fileno(), 1 << 16):
                self._words = (self._words + said)[-_LAST_WORDS_BYTES:]
        return self._words.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]

    def _why_dead(self) -> str:
        try:
            status = self._popen.wait(timeout=_DYING_S)
        except subprocess.TimeoutExpired:
            return "it closed its pipes and went on"
        said = self._listen()
        how = f"killed by signal {-status}" if status < 0 else f"its process ended by itself with status {status}"
        return f"{how}: {said}" if said else how

    def _patrol(self) -> str:
        self._listen()
        if not self._watched:
            return ""
        if process.more_descendants_than(_MOST_PROCESSES):
            return f"more than {_MOST_PROCESSES} processes"
        # A program's runtime may reserve much more than it uses, so what it holds is looked at instead.
        most = self._most_bytes
        if most is not None and process.resident_bytes(self._popen.pid) > most:
            return f"more than {most >> 20} MiB of memory"
        files = size = 0
        for folder, _, names in os.walk(self._box.scratch):
            for name in names:
                files += 1
                with contextlib.suppress(OSError):
                    size += Path(folder, name).lstat().st_blocks * 512
                if files > _SCRATCH_FILES or size > _SCRATCH_BYTES:
                    return f"more than {_SCRATCH_FILES} files or {_SCRATCH_BYTES} bytes on disk"
        return ""


def _fill(made: Box, request: Request) -> None:
    """Put the subject's files and its packages where its process will look for them."""
    for unit, contents in request.units.items():
        path = made.modules / unit
        if not path.resolve().is_relative_to(made.modules.resolve()):
            message = f"unit {unit!r} lies outside the subject's folder"
            raise EngineError(message)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
    if not request.program:
        for folder in {parent for unit in request.units for parent in (made.modules / unit).parents}:
            if folder != made.modules and folder.is_relative_to(made.modules):
                (folder / "__init__.py").touch()
    for name in request.packages:
        _copy_package(name, made.packages)
    made.seal(executable=bool(request.program))


def _copy_package(name: str, target: Path) -> None:
    """Copy one installed package, so that it can be read without all that is installed beside it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        message = f"{name}, which subjects of this module may import, is not installed"
        raise EngineError(message, remedy=f"python -m pip install {name}")
    origin = Path(spec.origin)
    if spec.submodule_search_locations:
        shutil.copytree(origin.parent, target / name)
    else:
        shutil.copy2(origin, target / origin.name)


def start_cost_s(request: Request) -> float:
    """Seconds from nothing to the greeting, measured once."""
    began = time.perf_counter()
    with Wired(request):
        return time.perf_counter() - began
