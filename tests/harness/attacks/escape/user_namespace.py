"""Makes a namespace in which it is root.

STOPPED BY: L3
BELOW: it passes
"""

import ctypes


def attempt():
    return ctypes.CDLL(None).unshare(0x10000000) == 0


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
