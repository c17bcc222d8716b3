"""Makes a segment of shared memory that outlives it.

STOPPED BY: L3
BELOW: it passes
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0, 4096, 0o1600)
    if segment < 0:
        return False
    libc.shmctl(segment, 0, None)
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
