"""Landlock by its three system calls: files outside the granted trees, TCP, and other processes are out of reach.

What a kernel's version of it lacks is left out, and `apply` returns the version, so that a report can say so. This
module runs inside the sandbox and imports the standard library alone. Format: ``linux/landlock.h``.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_ALL_OF_VERSION_1 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_WRITING = _WRITE_FILE | _READ_FILE | _READ_DIR | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _TRUNCATE
"""No links, devices, sockets or pipes: a judge that reads a folder afterwards finds files and folders."""
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/random")
"""Devices that keep nothing."""
_NET_TCP = 0b11
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


class Unsupported(Exception):
    """The kernel has no Landlock, or it is switched off."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def version() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)))


def apply(
    *, readable: Iterable[str], listable: Iterable[str], writable: Iterable[str], may_start_programs: bool
) -> int:
    """Restrict this process, for good, to these trees; the version that did it.

    `readable` trees and files can be read, and run where `may_start_programs`; of `listable` ones only the names; in
    `writable` ones files and folders can be made. Paths that do not exist are passed over. Raises Unsupported.
    """
    found = version()
    if found == 0:
        message = "the kernel has no Landlock"
        raise Unsupported(message)
    handled = _ALL_OF_VERSION_1
    handled |= _REFER if found >= 2 else 0
    handled |= _TRUNCATE if found >= 3 else 0
    handled |= _IOCTL_DEV if found >= 5 else 0
    rules = _Ruleset(handled, _NET_TCP if found >= 4 else 0, _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if found >= 6 else 0)
    size = 8 if found < 4 else 16 if found < 6 else 24
    libc = _libc()
    ruleset = int(libc.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0))
    if ruleset < 0:
        message = f"no ruleset: {os.strerror(ctypes.get_errno())}"
        raise Unsupported(message)
    reading = _READ_FILE | _READ_DIR | (_EXECUTE if may_start_programs else 0)
    devices = _READ_FILE | _WRITE_FILE | _IOCTL_DEV
    for paths, rights in ((readable, reading), (listable, _READ_DIR), (writable, _WRITING), (_DEVICES, devices)):
        for path in paths:
            _grant(libc, ruleset, path, rights & handled)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
        message = f"the kernel refuses the ruleset: {os.strerror(ctypes.get_errno())}"
        raise Unsupported(message)
    os.close(ruleset)
    return found


def _grant(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(parent).st_mode):
                rights &= _FILE_RIGHTS
            beneath = _PathBeneath(rights, parent)
            if libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(beneath), 0) != 0:
                message = f"no rule for {path}: {os.strerror(ctypes.get_errno())}"
                raise Unsupported(message)
        finally:
            os.close(parent)
