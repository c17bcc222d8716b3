"""Looks for an answer or a path of the tests in its own command line.

STOPPED BY: L0
"""

import sys


def attempt():
    return any("tests" in part or "reference" in part for part in [*sys.argv, *sys.orig_argv])


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
