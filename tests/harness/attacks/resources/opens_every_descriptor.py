"""Opens files until none can be opened; wins with a thousand.

STOPPED BY: L1
"""

import os


def attempt():
    return len([os.open("/dev/null", os.O_RDONLY) for _ in range(1_000)]) == 1_000


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
