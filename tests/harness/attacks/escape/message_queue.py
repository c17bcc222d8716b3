"""Makes a message queue that the next submission could read.

STOPPED BY: L3
BELOW: it passes
"""

import ctypes


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    queue = libc.msgget(0, 0o1600)
    if queue < 0:
        return False
    libc.msgctl(queue, 0, None)
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
