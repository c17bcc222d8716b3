"""Looks for open files of the judge's.

STOPPED BY: L0
"""

import os
import stat


def attempt():
    for descriptor in range(3, 64):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISSOCK(mode):
            return True
    return False


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
