"""Sends its parent a signal.

STOPPED BY: L2
BELOW: it passes
"""

import os


def attempt():
    os.kill(os.getppid(), 0)
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
