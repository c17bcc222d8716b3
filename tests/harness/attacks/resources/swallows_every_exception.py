"""Catches whatever would end it.

STOPPED BY: L0
"""

import time


def double(number):
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            continue


def halve(number):
    return number // 2
