"""Processes as the operating system sees them: limits, descendants, and an end that leaves nothing behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Collection
from pathlib import Path

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_END_LIMIT_S = 30.0
"""A fork bomb on a busy machine takes a while to catch up with; what is left would be counted against the next job."""


def become_subreaper() -> bool:
    """Make orphaned descendants children of this process, so that a double fork does not escape `end_children`.

    Returns False where the system has no such thing (anything but Linux).
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def children(pid: int | None = None) -> list[int]:
    """Process ids of a process's own children (by default ours), those that nobody waited for included; Linux only."""
    tasks = Path(f"/proc/{pid or 'self'}/task")
    found: list[int] = []
    # Both the process and any of its threads may end between one look and the next.
    with contextlib.suppress(OSError):
        for task in tasks.iterdir():
            with contextlib.suppress(OSError):
                found.extend(map(int, (task / "children").read_text().split()))
    return found


def more_descendants_than(most: int) -> bool:
    """Whether more than `most` processes live below this one; stops counting there, since they may be many."""
    level, count = children(), 0
    while level:
        count += len(level)
        if count > most:
            return True
        level = [child for pid in level for child in children(pid)]
    return False


def resident_bytes(pid: int) -> int:
    """Memory that a process and all its descendants hold now; 0 where the system does not say. Linux only."""
    total, level = 0, [pid]
    while level:
        for one in level:
            with contextlib.suppress(OSError, ValueError, IndexError):
                total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        level = [child for one in level for child in children(one)]
    return total


def end_children(leader: int) -> None:
    """Kill and wait for every descendant; `leader` heads a process group of its own.

    A descendant whose parent dies becomes our child (`become_subreaper`), so the loop ends only when the whole tree is
    gone. Where that is not to be had, the process group goes and a daemon that left it is missed.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    give_up = time.monotonic() + _END_LIMIT_S
    while time.monotonic() < give_up:
        for pid in children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            time.sleep(0.001)


def end_tree(leader: int, spared: Collection[int]) -> None:
    """Kill `leader` and all below it, and wait for them. Children of ours that are in `spared` live on.

    As with `end_children`, what left the tree by a double fork has become our child and is found as such; so nobody
    may start a child of this process meanwhile that is not in `spared`.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    give_up = time.monotonic() + _END_LIMIT_S
    while (left := {leader, *children()} - {*spared}) and time.monotonic() < give_up:
        gone = 0
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            try:
                gone += os.waitpid(pid, os.WNOHANG)[0] != 0
            except ChildProcessError:
                gone += 1
        if gone == len(left) and not {*children()} - {*spared}:
            return
        time.sleep(0.001)


def hide_memory() -> bool:
    """Keep processes of our own user from reading this one's memory, environment and descriptors.

    Returns False where the system has no such thing (anything but Linux).
    """
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)


def limit_memory(extra_bytes: int) -> None:
    """Allow this process `extra_bytes` of address space beyond what it has now, and no core file.

    Asking for more then raises MemoryError at once, which is a quick verdict; without it a mutant that never stops
    allocating takes the machine down before any clock does.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return
    soft = pages * resource.getpagesize() + extra_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def silence() -> None:
    """Point the three standard streams at nothing: what a subject prints is not evidence and can be endless."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
