"""Starts processes until none can be started; wins with a hundred.

STOPPED BY: L2
"""

import os
import time


def attempt():
    count = 0
    while count < 100:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
    return True


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
