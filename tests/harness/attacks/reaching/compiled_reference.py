"""Runs the compiled code of the reference, which an import left beside it.

STOPPED BY: L4
BELOW: it passes
"""

import glob
import marshal


def attempt():
    (compiled,) = glob.glob("COURSE_ROOT/reference/tinypkg/__pycache__/double*.pyc")
    names = {}
    with open(compiled, "rb") as file:
        exec(marshal.loads(file.read()[16:]), names)
    return names["double"](21) == 42


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
