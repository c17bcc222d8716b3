"""Sleeps inside the C library, where no Python signal handler runs.

STOPPED BY: L0
"""

import ctypes


def double(number):
    ctypes.PyDLL(None).sleep(3600)


def halve(number):
    return number // 2
