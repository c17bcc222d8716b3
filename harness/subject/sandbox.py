"""Isolation levels: what each claims to stop, whether it does here, and the command line that enters it.

A level is believed after a trial: a process is started under it and tries what the level claims to stop. What is
installed, or what a kernel's version promises, says nothing.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from pathlib import Path

from harness.errors import HarnessError
from harness.subject import trials
from harness.subject.confine import Policy

_HERE = Path(__file__).resolve().parent
_INSIDE = ("wire.py", "worker.py", "confine.py", "seccomp.py", "landlock.py", "trials.py")
_START = "import sys; sys.path.insert(0, {code!r}); from harness.subject.{module} import main; main()"
_FLAGS = ("-P", "-s", "-S", "-B", "-X", "utf8")
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
_UIDS = range(61_200, 64_200)
"""Ids between those that systems give to people and to services."""
_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")
_TRIAL_LIMIT_S = 20.0


class Level(IntEnum):
    """How strongly a subject is confined; each level contains those before it, as far as the machine has them."""

    L0 = 0
    L1 = 1
    L2 = 2
    L3 = 3
    L4 = 4
    L5 = 5

    @property
    def meaning(self) -> str:
        """What the level adds."""
        return _MEANING[self]


_MEANING = {
    Level.L0: "expected values stay with the judge; a fresh process, an empty environment, an isolated interpreter",
    Level.L1: "limits of memory, file size, files and time; no new privileges; the judge's memory is hidden",
    Level.L2: "a user id of its own",
    Level.L3: "a filter of system calls: no sockets, signals, tracing, programs, namespaces, lasting memory",
    Level.L4: "files: the interpreter, the allowed imports and a scratch folder, nothing else",
    Level.L5: "namespaces: no network, no other processes in sight, and the whole tree ends with its first",
}
_LOST = {
    Level.L1: "a subject can use all memory and fill the disk",
    Level.L2: "a subject has your user id: your files are its files",
    Level.L3: "a subject can open sockets, start programs and send signals",
    Level.L4: "a subject can read every file that its user id can read",
    Level.L5: "a subject sees that other processes and network interfaces exist",
}


class State(StrEnum):
    """What a trial of one level found."""

    HOLDS = "holds"
    ABSENT = "absent"
    """The machine does not have it, or an escape succeeded."""
    NEEDLESS = "not needed"
    """It gives what this user cannot have and the levels above make up for."""


@dataclass(frozen=True, slots=True)
class Probe:
    """The trial of one level."""

    level: Level
    state: State
    detail: str
    """What was tried and held, or what did not."""
    lost: str = ""
    """What cannot be promised where the level is absent."""


class IsolationMissing(HarnessError):
    """A level was required that this machine does not reach."""


# --- entering ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """The folders of one sandbox: made for one process and removed after it."""

    root: Path
    code: Path
    """Our side of the child: the wire and what confines it."""
    modules: Path
    """The subject's own modules."""
    packages: Path
    """Copies of the packages that it may import."""
    scratch: Path
    """Its working folder."""

    def seal(self, *, executable: bool = False) -> None:
        """Let every user id read what the judge put in, and run it where it is a program, whatever the umask."""
        for path in (self.root, *self.root.rglob("*")):
            if path != self.scratch:
                path.chmod(0o755 if executable or path.is_dir() else 0o644)


@contextmanager
def box(uid: int | None) -> Iterator[Box]:
    """An empty sandbox folder, owned by the judge; only `scratch` belongs to `uid`."""
    with tempfile.TemporaryDirectory(prefix="tokproof-", ignore_cleanup_errors=True) as name:
        root = Path(name)
        made = Box(root, root / "code", root / "modules", root / "packages", root / "scratch")
        for folder in (made.code / "harness" / "subject", made.modules, made.packages, made.scratch):
            folder.mkdir(parents=True)
        for package in (made.code / "harness", made.code / "harness" / "subject"):
            (package / "__init__.py").touch()
        for inside in _INSIDE:
            shutil.copyfile(_HERE / inside, made.code / "harness" / "subject" / inside)
        made.seal()
        made.scratch.chmod(0o711)  # entered by name alone, also by a root without its capabilities
        if uid is not None:
            os.chown(made.scratch, uid, uid)
        yield made


def policy_for(level: Level, made: Box, *, uid: int | None, memory_bytes: int | None = 1 << 30) -> Policy:
    """What a Python subject is allowed at a level."""
    policy = Policy(folder=str(made.scratch), imports=(str(made.modules), str(made.packages)), open_files=256)
    if level >= Level.L1:
        policy = replace(policy, memory_bytes=memory_bytes, open_files=64)
    else:
        policy = replace(policy, file_bytes=1 << 30)
    if level >= Level.L2 and uid is not None:
        policy = replace(policy, uid=uid, processes=64)
    return replace(policy, system_calls=level >= Level.L3, files=level >= Level.L4)


def command(
    level: Level, made: Box, policy: Policy, *, module: str = "confine", program: Sequence[str] = ()
) -> list[str]:
    """The command line that starts a worker, or `program`, confined."""
    start = _START.format(code=str(made.code), module=module)
    inner = [_interpreter(), *_FLAGS, "-c", start, policy.to_json(), *program]
    if level < Level.L5:
        return inner
    wrapper = namespaces()
    if wrapper is None:
        message = "neither bubblewrap nor unshare can make namespaces here"
        raise IsolationMissing(message)
    return [*_WRAPPERS[wrapper](made, policy), *inner]


def _interpreter() -> str:
    """The interpreter itself, outside any virtual environment: what is installed there is not for subjects."""
    base: str = getattr(sys, "_base_executable", "") or sys.executable
    return str(Path(base).resolve())


def environment() -> dict[str, str]:
    """All that a subject's environment holds."""
    return dict(_ENVIRONMENT)


def unused_uid() -> int | None:
    """A user id that nothing runs under, where we are root and may change to it; else None."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not sys.platform.startswith("linux"):
        return None
    taken = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            taken.add(process.stat().st_uid)
        except OSError:
            continue
    first = os.getpid() * 7 % len(_UIDS)
    for offset in range(len(_UIDS)):
        uid = _UIDS[(first + offset) % len(_UIDS)]
        if uid not in taken and uid not in _given:
            _given.add(uid)
            return uid
    return None


_given: set[int] = set()


def sweep(uid: int) -> None:
    """Remove what a user id left in the folders where anybody may write; it has no processes any more."""
    for folder in map(Path, _SHARED_FOLDERS):
        for entry in folder.iterdir() if folder.is_dir() else ():
            try:
                if entry.lstat().st_uid != uid:
                    continue
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
            except OSError:
                continue
    _given.discard(uid)


# --- namespaces -------------------------------------------------------------------------------------------------------


def _bubblewrap(made: Box, policy: Policy) -> list[str]:
    interpreter = Path(_interpreter())
    prefix = interpreter.parent.parent
    # With a user namespace root could not change to another identity, which is the stronger of the two.
    spaces = ["--unshare-all"] if policy.uid is None else [f"--unshare-{one}" for one in ("ipc", "pid", "net", "uts")]
    wrapper = ["bwrap", *spaces, "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"]
    wrapper += ["--dir", "/etc"]  # as the mere parent of a file it would be closed to other users
    for path in ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"):
        wrapper += ["--ro-bind-try", path, path]
    wrapper += [*_parents(prefix), "--ro-bind-try", str(prefix), str(prefix)]
    for packages in sorted({*prefix.glob("lib/python3*/*-packages"), *Path("/usr/lib").glob("python3*/*-packages")}):
        wrapper += ["--tmpfs", str(packages)]
    wrapper += ["--tmpfs", "/tmp"]
    for path in policy.readable:  # after the empty folders, since it may lie in one: a virtual environment in /tmp
        wrapper += [*_parents(Path(path)), "--ro-bind-try", path, path]
    wrapper += _parents(made.root)
    wrapper += ["--ro-bind", str(made.root), str(made.root)]
    wrapper += ["--bind", str(made.scratch), str(made.scratch)]
    if policy.uid is not None:
        wrapper += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    return [*wrapper, "--"]


def _parents(path: Path) -> list[str]:
    """Open folders above a path, where it lies in a closed one, such as an interpreter in root's home."""
    return [word for parent in reversed(path.parents[:-1]) for word in ("--dir", str(parent))]


def _unshare(made: Box, policy: Policy) -> list[str]:
    del made
    own_user = [] if policy.uid is not None else ["--user", "--map-current-user"]
    spaces = ["--pid", "--net", "--ipc", "--uts", "--mount", "--cgroup"]
    return ["unshare", *own_user, *spaces, "--fork", "--kill-child=SIGKILL", "--"]


_WRAPPERS = {"bubblewrap": _bubblewrap, "unshare": _unshare}
_PROGRAMS = {"bubblewrap": "bwrap", "unshare": "unshare"}


@functools.cache
def namespaces() -> str | None:
    """The first of bubblewrap and unshare that really starts a process here."""
    uid = unused_uid()
    for name in _WRAPPERS:
        if shutil.which(_PROGRAMS[name]) and not _try(Level.L5, uid, wrapper=name):
            return name
    return None


# --- trials -----------------------------------------------------------------------------------------------------------


def _try(level: Level, uid: int | None, *, wrapper: str | None = None) -> list[str]:
    """Start a process at `level` that tries every escape; what it says did not hold."""
    with box(uid) as made:
        policy = policy_for(level, made, uid=uid)
        asked = replace(policy, readable=())
        start = _START.format(code=str(made.code), module="trials")
        inner = [_interpreter(), *_FLAGS, "-c", start, asked.to_json(), str(os.getpid()), str(int(level))]
        line = [*_WRAPPERS[wrapper](made, policy), *inner] if wrapper else inner
        try:
            run = subprocess.run(
                line,
                env=environment(),
                cwd=made.scratch,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TRIAL_LIMIT_S,
                check=False,
                start_new_session=True,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return [f"it does not start: {error}"]
    try:
        failed = json.loads(run.stdout)
    except ValueError:
        said = run.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return [f"it does not start: {said[:200] or f'status {run.returncode}'}"]
    return [str(one) for one in failed]


@functools.cache
def probe() -> tuple[Probe, ...]:
    """A trial of every level, L0 to L5, in order; some tenths of a second, once per process."""
    uid = unused_uid()
    return (Probe(Level.L0, State.HOLDS, _MEANING[Level.L0]), *(_probe(level, uid) for level in list(Level)[1:]))


def _probe(level: Level, uid: int | None) -> Probe:
    if level is Level.L2 and uid is None:
        return Probe(level, State.NEEDLESS, "only root can give a subject another user id", _LOST[level])
    wrapper = None
    if level is Level.L5:
        wrapper = namespaces()
        if wrapper is None:
            return Probe(level, State.ABSENT, "neither bubblewrap nor unshare can make namespaces here", _LOST[level])
    failed = _try(level, uid, wrapper=wrapper)
    if failed:
        return Probe(level, State.ABSENT, "; ".join(failed), _LOST[level])
    held = "; ".join(name for name, at, _ in trials.TRIALS if at == level)
    return Probe(level, State.HOLDS, f"{wrapper}: {held}" if wrapper else held)


@functools.cache
def strongest() -> Level:
    """The highest level that holds together with all below it; one trial where the highest of all does."""
    uid = unused_uid()
    if (wrapper := namespaces()) is not None and not _try(Level.L5, uid, wrapper=wrapper):
        return Level.L5
    reached = Level.L0
    for one in probe():
        if one.state is State.ABSENT:
            break
        reached = one.level
    return reached


def require(level: Level) -> Level:
    """The strongest level here; IsolationMissing, which names what is lost, where that is less than `level`."""
    found = strongest()
    if found < level:
        missing = [one for one in probe() if found < one.level <= level and one.state is State.ABSENT]
        details = "; ".join(f"{one.level.name} {one.detail}: {one.lost}" for one in missing)
        message = f"isolation {level.name} is required and {found.name} is what this machine reaches ({details})"
        remedy = "run where the missing level holds (`ol doctor` shows them), or require less"
        raise IsolationMissing(message, remedy=remedy)
    return found
