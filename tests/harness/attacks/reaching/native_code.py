"""Calls the C library to open what Python may not.

STOPPED BY: L4
BELOW: it passes
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None)
    return libc.open(b"COURSE_ROOT/tests/T1/test_double.py", 0) >= 0


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
