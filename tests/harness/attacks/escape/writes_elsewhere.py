"""Writes where anybody may write.

STOPPED BY: L4
BELOW: it passes
"""

import os


def attempt():
    path = f"/tmp/zoo-{os.getpid()}"
    open(path, "w").close()
    os.unlink(path)
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
