"""Trials of a sandbox: a process enters it, attempts what each level claims to stop, and prints what was not stopped.

Runs inside the sandbox in the place of the worker; imports the standard library and `confine` alone.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from harness.subject.confine import Policy, confine

_REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
_SYS_UNSHARE = {"x86_64": 272, "aarch64": 97}
_SYS_IO_URING_SETUP = 425
_SYS_PTRACE = {"x86_64": 101, "aarch64": 117}
_CLONE_NEWUSER = 0x10000000


def _memory_is_limited(judge: int) -> bool:
    try:
        mmap.mmap(-1, 1 << 40).close()
    except (OSError, ValueError, OverflowError, MemoryError):
        return True
    return False


def _files_are_limited(judge: int) -> bool:
    return resource.getrlimit(resource.RLIMIT_FSIZE)[1] != resource.RLIM_INFINITY


def _no_new_privileges(judge: int) -> bool:
    return bool(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) == 1)


def _own_user(judge: int) -> bool:
    return os.getresuid() == (os.getuid(),) * 3 and os.getuid() != 0 and os.getgroups() == []


def _root_is_lost(judge: int) -> bool:
    return _is_refused(lambda: os.setresuid(0, 0, 0))


def _judge_is_out_of_reach(judge: int) -> bool:
    return _is_refused(lambda: os.kill(judge, 0)) and _is_refused(lambda: _read(f"/proc/{judge}/mem"))


def _no_sockets(judge: int) -> bool:
    import socket

    return all(
        _is_refused(lambda family=family, kind=kind: socket.socket(family, kind).close())  # type: ignore[misc]
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)
    )


def _no_tracing(judge: int) -> bool:
    return _system_call(_SYS_PTRACE.get(os.uname().machine, 101), 16, judge, 0, 0)


def _no_io_uring(judge: int) -> bool:
    return _system_call(_SYS_IO_URING_SETUP, 1, 0, 0, 0)


def _no_namespaces(judge: int) -> bool:
    return _system_call(_SYS_UNSHARE.get(os.uname().machine, 272), _CLONE_NEWUSER, 0, 0, 0)


def _no_programs(judge: int) -> bool:
    return _is_refused(_fork) and _is_refused(lambda: os.execv(sys.executable, [sys.executable]))


def _threads_work(judge: int) -> bool:
    ran: list[int] = []
    thread = threading.Thread(target=ran.append, args=(1,))
    thread.start()
    thread.join()
    return ran == [1]


def _no_other_files(judge: int) -> bool:
    paths = ("/", "/etc/passwd", "/proc/self/environ", f"/proc/{judge}/cmdline", "/tmp")
    return all(_is_refused(lambda path=path: _read(path)) for path in paths if path)  # type: ignore[misc]


def _library_is_readable(judge: int) -> bool:
    import fractions
    import json.tool  # a submodule of a package that was loaded before

    return fractions.Fraction(1, 2) == 0.5 and bool(json.tool) and b"\x80".decode("cp437") == "\u00c7"


def _nothing_to_write(judge: int) -> bool:
    return all(_is_refused(lambda path=path: Path(path).touch()) for path in ("/tmp/x", "/dev/shm/x", "x"))  # type: ignore[misc]


def _own_processes(judge: int) -> bool:
    return os.getppid() in (0, 1, 2)


TRIALS: tuple[tuple[str, int, Callable[[int], bool]], ...] = (
    ("a terabyte of memory is refused", 1, _memory_is_limited),
    ("files have a limit", 1, _files_are_limited),
    ("no new privileges", 1, _no_new_privileges),
    ("a user id of its own", 2, _own_user),
    ("no way back to root", 2, _root_is_lost),
    ("the judge can be neither signalled nor read", 2, _judge_is_out_of_reach),
    ("no sockets of any family", 3, _no_sockets),
    ("no ptrace", 3, _no_tracing),
    ("no io_uring", 3, _no_io_uring),
    ("no namespaces", 3, _no_namespaces),
    ("no processes or programs", 3, _no_programs),
    ("threads still work", 3, _threads_work),
    ("no file of anybody else's", 4, _no_other_files),
    ("the standard library still imports", 1, _library_is_readable),
    ("nowhere to write", 4, _nothing_to_write),
    ("processes of its own", 5, _own_processes),
)
"""What is tried, at which level it must hold, and how; each function returns whether it did."""


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError as error:
        return error.errno in (*_REFUSED, errno.ESRCH, errno.ENOENT, errno.EAFNOSUPPORT, errno.EFBIG)
    return False


def _system_call(number: int, *arguments: int) -> bool:
    """Whether a system call is refused."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(number, *arguments) == -1 and ctypes.get_errno() in _REFUSED


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
    os.wait()


def _read(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.read(descriptor, 1) if not os.path.isdir(path) else os.listdir(path)  # noqa: PTH112, PTH208
    finally:
        os.close(descriptor)


def main() -> None:
    """Enter the policy of the first argument and print, as a JSON list, the trials of the level that failed."""
    policy, judge, level = Policy.from_json(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    confine(policy)
    failed = []
    for name, at, holds in TRIALS:
        if at <= level and (at != 2 or policy.uid is not None):
            try:
                held = holds(judge)
            except BaseException as error:
                name, held = f"{name} ({type(error).__name__}: {error})", False
            if not held:
                failed.append(f"failed: {name}")
    sys.stdout.write(json.dumps(failed))
