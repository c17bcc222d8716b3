"""Right, but leaves a process behind that left its group and session by a double fork."""

import os
import time

STEP = 2


def double(number):
    if number < 0:
        raise ValueError(number)
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(600)
        os._exit(0)
    return number * STEP


def halve(number):
    return number // STEP
