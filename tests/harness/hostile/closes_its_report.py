"""Closes every descriptor it can find and goes on."""

import os
import time

STEP = 2


def double(number):
    os.closerange(3, 256)
    time.sleep(600)


def halve(number):
    return number // STEP
