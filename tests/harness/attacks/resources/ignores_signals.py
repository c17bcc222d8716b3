"""Ignores every signal that can be ignored.

STOPPED BY: L0
"""

import signal
import time

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue


def double(number):
    time.sleep(3600)


def halve(number):
    return number // 2
