"""Reads the memory of its parent.

STOPPED BY: L1
"""

import os


def attempt():
    return len(open(f"/proc/{os.getppid()}/mem", "rb").raw.name) > 0 and bool(os.listdir(f"/proc/{os.getppid()}/fd"))


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
