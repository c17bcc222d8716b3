"""Looks for anything of the judge's in its environment.

STOPPED BY: L0
"""

import os


def attempt():
    return not set(os.environ) <= {"PATH", "PWD", "LC_ALL", "LC_CTYPE", "PYTHONHASHSEED"}


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
