"""Attaches to its parent as a debugger.

STOPPED BY: L2
BELOW: it passes
"""

import ctypes
import os


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, os.getppid(), 0, 0) != 0:
        return False
    libc.ptrace(17, os.getppid(), 0, 0)
    return True


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
