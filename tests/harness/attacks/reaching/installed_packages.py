"""Imports a package that is installed beside the judge's.

STOPPED BY: L4
BELOW: it passes
"""

import sys


def attempt():
    sys.path.append("SITE_PACKAGES")
    import pluggy

    return bool(pluggy)


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
