"""Hangs while it is imported.

STOPPED BY: L0
"""

import time

time.sleep(3600)


def double(number):
    return number


def halve(number):
    return number // 2
