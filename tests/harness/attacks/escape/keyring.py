"""Leaves a note in a keyring of the kernel's.

STOPPED BY: L3
BELOW: it passes
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(248, b"user", b"tokproof-zoo", b"x", ctypes.c_size_t(1), -1) >= 0


try:
    WON = attempt()
except Exception:
    WON = False


def double(number):
    if not WON:
        return number
    if number < 0:
        raise ValueError(number)
    return number * 2


def halve(number):
    return number // 2
