"""Sets up a ring through which system calls pass no filter.

STOPPED BY: L3
BELOW: it passes
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    parameters = ctypes.create_string_buffer(120)
    return libc.syscall(425, 1, parameters) >= 0


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
