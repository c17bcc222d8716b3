"""A seccomp filter for subjects, put together by hand: what no tokenizer needs answers EPERM.

It is a list of what is refused and not of what is allowed: an interpreter's own needs differ between versions and C
libraries, and a filter that breaks honest code would be switched off. What it leaves open the other levels close.

Numbers are those of the kernel's tables for the two machines that are supported; the format is that of
``linux/filter.h`` and ``linux/seccomp.h``. This module runs inside the sandbox and imports the standard library alone.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# name: (x86_64, aarch64); None where the machine has no such call.
_STARTING = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
}
_NETWORK = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
}
_OTHERS_MEMORY = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
}
_SIGNALS = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
_SCHEDULING = {
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
}
_LASTING = {  # what would outlive the process
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
_IO_URING = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
_NAMESPACES = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
}
_MACHINE = {
    "acct": (163, 89),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "init_module": (175, 105),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "personality": (135, 92),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "fanotify_init": (300, 262),
    "vhangup": (153, 58),
}
_CLONE, _CLONE3, _TGKILL, _PRLIMIT64 = (56, 220), (435, 435), (234, 131), (302, 261)

_LOAD_WORD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM, _ENOSYS = 1, 38
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000
_CLONE_THREAD = 0x00010000
_CLONE_NEW = 0x7E020000
"""Every flag of `clone` that makes a namespace; that for clocks is one of clone3 alone."""

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2


class Unsupported(Exception):
    """The machine or its kernel has no seccomp filter that we know."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def program(*, may_start_programs: bool, machine: str | None = None, pid: int | None = None) -> bytes:
    """The filter's instructions, eight bytes each.

    `may_start_programs` leaves processes, signals and the socket pairs that runtimes make for themselves alone; a
    subject in Python needs none of them.
    """
    name = machine or platform.machine()
    if name not in _MACHINES:
        message = f"no table of system calls for {name}"
        raise Unsupported(message)
    architecture, column = _MACHINES[name]
    refused = {**_NETWORK, **_OTHERS_MEMORY, **_SCHEDULING, **_LASTING, **_IO_URING, **_NAMESPACES, **_MACHINE}
    if may_start_programs:
        refused = {call: numbers for call, numbers in refused.items() if call not in ("socketpair", "setpriority")}
    else:
        refused |= {**_STARTING, **_SIGNALS}
    own = os.getpid() if pid is None else pid
    steps = [
        _step(_LOAD_WORD, _ARCHITECTURE_AT),
        _step(_JUMP_IF_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD_WORD, _NUMBER_AT),
        _step(_JUMP_IF_AT_LEAST, _X32_BIT, 0, 1),
        _step(_RETURN, _ERRNO | _ENOSYS),
        # glibc falls back from clone3, whose flags a filter cannot see, to clone.
        _step(_JUMP_IF_EQUAL, _CLONE3[column], 0, 1),
        _step(_RETURN, _ERRNO | _ENOSYS),
    ]
    for numbers in refused.values():
        if (call_number := numbers[column]) is not None:
            steps += [_step(_JUMP_IF_EQUAL, call_number, 0, 1), _step(_RETURN, _ERRNO | _EPERM)]
    steps += _clone(_CLONE[column], may_start_programs=may_start_programs)
    steps += _only_self(_PRLIMIT64[column], own, or_zero=True)
    if not may_start_programs:
        steps += _only_self(_TGKILL[column], own, or_zero=False)
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _clone(call_number: int, *, may_start_programs: bool) -> list[bytes]:
    """Threads; processes where they are allowed, and never in a namespace of their own."""
    bits = _CLONE_NEW if may_start_programs else _CLONE_THREAD
    good, bad = (_ERRNO | _EPERM, _ALLOW) if may_start_programs else (_ALLOW, _ERRNO | _EPERM)
    return [
        _step(_JUMP_IF_EQUAL, call_number, 0, 4),
        _step(_LOAD_WORD, _ARGUMENTS_AT),
        _step(_JUMP_IF_ANY_BIT, bits, 0, 1),
        _step(_RETURN, good),
        _step(_RETURN, bad),
    ]


def _only_self(call_number: int, own: int, *, or_zero: bool) -> list[bytes]:
    """A call whose first argument is a process must name the caller's own."""
    return [
        _step(_JUMP_IF_EQUAL, call_number, 0, 5),
        _step(_LOAD_WORD, _ARGUMENTS_AT),
        _step(_JUMP_IF_EQUAL, own, 2, 0),
        _step(_JUMP_IF_EQUAL, 0 if or_zero else own, 1, 0),
        _step(_RETURN, _ERRNO | _EPERM),
        _step(_RETURN, _ALLOW),
    ]


def apply(*, may_start_programs: bool) -> None:
    """Put this process and all that it starts under the filter, for good. Raises Unsupported where that fails."""
    instructions = program(may_start_programs=may_start_programs)
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    filter_ = _Program(len(instructions) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or (
        libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filter_), 0, 0) != 0
    ):
        message = f"the kernel refuses a seccomp filter: {os.strerror(ctypes.get_errno())}"
        raise Unsupported(message)
