"""Imports the reference by putting its folder on the path.

STOPPED BY: L4
BELOW: it passes
"""

import importlib
import importlib.machinery
import sys


def attempt():
    sys.path.insert(0, "COURSE_ROOT/tests/T1")
    return hasattr(importlib.import_module("test_double"), "test_three_doubles_to_six") if False else bool(
        importlib.machinery.PathFinder.find_spec("test_double", ["COURSE_ROOT/tests/T1"]).loader.get_data(
            "COURSE_ROOT/tests/T1/test_double.py"
        )
    )


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
