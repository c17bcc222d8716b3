"""Reads from address zero.

STOPPED BY: L0
"""

import ctypes


def double(number):
    return ctypes.string_at(0)


def halve(number):
    return number // 2
