"""Sleeps for an hour.

STOPPED BY: L0
"""

import time


def double(number):
    time.sleep(3600)


def halve(number):
    return number // 2
