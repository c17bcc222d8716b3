"""Starts threads until none can be started; wins with two thousand.

STOPPED BY: L1
"""

import threading


def attempt():
    for _ in range(2_000):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
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
