"""Starts another interpreter to read the reference.

STOPPED BY: L3
BELOW: it passes
"""

import subprocess


def attempt():
    code = "print(open('COURSE_ROOT/reference/tinypkg/double.py').read())"
    return "STEP" in subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True).stdout


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
