"""Makes a link in its folder that leads elsewhere.

STOPPED BY: L2
WITHOUT ROOT: L4
BELOW: it passes
"""

import os


def attempt():
    os.symlink("/etc", "zoo-link")
    return os.path.islink("zoo-link") and os.access("../code/harness/subject/wire.py", os.W_OK)


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
