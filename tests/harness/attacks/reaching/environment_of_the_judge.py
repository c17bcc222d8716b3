"""Reads the environment of its parent.

STOPPED BY: L2
BELOW: it passes
"""

import os


def attempt():
    return b"=" in open(f"/proc/{os.getppid()}/environ", "rb").read()


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
