"""Sends every process a signal that does nothing, to see whom it could kill.

STOPPED BY: L2
BELOW: it passes
"""

import os


def attempt():
    reached = 0
    for pid in range(1, 5_000):
        if pid != os.getpid():
            try:
                os.kill(pid, 0)
                reached += 1
            except OSError:
                continue
    return reached > 0


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
