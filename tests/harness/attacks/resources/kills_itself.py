"""Aborts.

STOPPED BY: L0
"""

import os


def double(number):
    os.abort()


def halve(number):
    return number // 2
