"""Imports the reference under another name.

STOPPED BY: L4
BELOW: it passes
"""

import importlib.util


def attempt():
    spec = importlib.util.spec_from_file_location("answers", "COURSE_ROOT/reference/tinypkg/double.py")
    answers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(answers)
    return answers.double(21) == 42


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
