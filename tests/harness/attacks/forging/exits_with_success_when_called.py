"""Ends the process with status 0 at the first call.

STOPPED BY: L0
"""

import os


def double(number):
    os._exit(0)


def halve(number):
    return number // 2
