"""Closes the wire and goes on running.

STOPPED BY: L0
"""

import os
import time


def double(number):
    os.closerange(0, 64)
    time.sleep(3600)


def halve(number):
    return number // 2
