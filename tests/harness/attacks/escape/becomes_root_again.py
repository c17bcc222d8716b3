"""Changes back to root.

STOPPED BY: L2
BELOW: it passes
"""

import os


def attempt():
    os.setresuid(0, 0, 0)
    return os.getuid() == 0


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
