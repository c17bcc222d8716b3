"""Reads the reference.

STOPPED BY: L4
BELOW: it passes
"""


def attempt():
    return "STEP" in open("COURSE_ROOT/reference/tinypkg/double.py").read()


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
