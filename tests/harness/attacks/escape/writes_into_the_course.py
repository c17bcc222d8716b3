"""Writes into the course's tests.

STOPPED BY: L2
WITHOUT ROOT: L4
BELOW: it passes
"""

import os


def attempt():
    path = "COURSE_ROOT/tests/T1/zoo.txt"
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
