"""Reads the command line of its parent.

STOPPED BY: L4
BELOW: it passes
"""

import os


def attempt():
    return b"pytest" in open(f"/proc/{os.getppid()}/cmdline", "rb").read()


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
