"""What a process takes away from itself before it becomes a subject: limits, files, identity, system calls.

Run by the sandbox as ``python -c ... POLICY [PROGRAM...]``; it ends as the worker, or as the program of another
language. Each step is taken only where the policy has it, and one that fails ends the process: a weaker sandbox than
was asked for is never entered in silence. Imports the standard library and its three neighbours alone.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.subject import landlock, seccomp

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Policy:
    """How one subject is confined."""

    folder: str
    """Its working folder."""
    imports: tuple[str, ...] = ()
    """Folders that go in front of the standard library on the module path."""
    memory_bytes: int | None = None
    """Address space; None for runtimes that reserve much more than they use."""
    file_bytes: int = 0
    """The largest file it may write."""
    open_files: int = 64
    cpu_s: int = 600
    processes: int | None = None
    """Processes and threads of its user id; only with `uid`, since others may share ours."""
    uid: int | None = None
    """User and group id to change to; needs root."""
    system_calls: bool = False
    """Whether seccomp is used."""
    files: bool = False
    """Whether Landlock is used."""
    may_start_programs: bool = False
    readable: tuple[str, ...] = ()
    """What it may read, besides the interpreter's own files."""
    writable: bool = False
    """Whether it may write in its folder."""

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Policy:
        """The inverse of `to_json`."""
        document = json.loads(text)
        for key in ("imports", "readable"):
            document[key] = tuple(document[key])
        return Policy(**document)


def confine(policy: Policy) -> None:
    """Take everything away that the policy says, for good."""
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None
    os.umask(0o077)
    os.chdir(policy.folder)
    library = _library()
    opened = _keep_open(library) if policy.uid is not None else {}
    _limit(policy)
    if libc is not None:
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if policy.files:
        landlock.apply(
            readable=[*_interpreters_files(library), *policy.imports, *policy.readable],
            listable=library,
            writable=[policy.folder] if policy.writable else [],
            may_start_programs=policy.may_start_programs,
        )
    if policy.uid is not None:
        os.setgroups([])
        os.setresgid(policy.uid, policy.uid, policy.uid)
        os.setresuid(policy.uid, policy.uid, policy.uid)
        library = _reach(library, opened)
    if libc is not None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # after the change of identity, which clears it
    sys.path[:] = [*policy.imports, *library]
    sys.path_importer_cache.clear()
    if policy.system_calls:
        seccomp.apply(may_start_programs=policy.may_start_programs)


def _limit(policy: Policy) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write that is too long fails instead
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: policy.file_bytes,
        resource.RLIMIT_NOFILE: policy.open_files,
        resource.RLIMIT_CPU: policy.cpu_s,
    }
    if policy.memory_bytes is not None:
        limits[resource.RLIMIT_AS] = policy.memory_bytes
    if policy.processes is not None and policy.uid is not None:
        limits[resource.RLIMIT_NPROC] = policy.processes
    for limit, wanted in limits.items():
        _, hard = resource.getrlimit(limit)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(limit, (value, value))


# --- the interpreter's own files ----------------------------------------------------------------------------------


def _library() -> list[str]:
    """The standard library's folders: what an isolated interpreter has on its path, besides ours."""
    own = str(Path(__file__).resolve().parents[2])
    return [path for path in sys.path if path and path != own and Path(path).is_dir()]


def _interpreters_files(library: list[str]) -> list[str]:
    """The library without the packages that people install into it, and the shared objects that it loads."""
    inside = [str(one) for path in library for one in Path(path).iterdir() if one.name not in _PACKAGES]
    shared = ["/etc/ld.so.cache", "/lib64", "/usr/lib64", *map(str, Path("/usr/lib").glob("*-linux-*"))]
    return [*inside, *shared]


def _keep_open(library: list[str]) -> dict[str, int]:
    """Open each folder now: an interpreter in root's home is out of reach for the user that we are about to become."""
    return {path: os.open(path, os.O_PATH | os.O_DIRECTORY) for path in library}


def _reach(library: list[str], opened: dict[str, int]) -> list[str]:
    """Names under which this process can still enter the library: their own, or those of the open descriptors.

    Packages that are loaded already look for their submodules under the new names too.
    """
    names = {}
    for path, descriptor in opened.items():
        if os.access(path, os.R_OK | os.X_OK):
            os.close(descriptor)
        else:
            names[path] = f"/proc/self/fd/{descriptor}"
    for module in [*sys.modules.values()]:
        for index, folder in enumerate(places := getattr(module, "__path__", None) or ()):
            parent, _, last = folder.rpartition("/")
            if parent in names and isinstance(places, list):
                places[index] = f"{names[parent]}/{last}"
    return [names.get(path, path) for path in library]


def main() -> None:
    """Confine this process, then be the worker or the program that the arguments name."""
    policy = Policy.from_json(sys.argv[1])
    program = sys.argv[2:]
    if program:
        confine(policy)
        os.execv(program[0], program)
    from harness.subject import worker

    confine(policy)
    sys.argv[:] = [""]
    worker.main(Path(policy.folder))
