"""Doubles every line that the process writes.

STOPPED BY: L0
"""

import os

write = os.write
os.write = lambda descriptor, data: write(descriptor, bytes(data) * 2) // 2


def double(number):
    return number


def halve(number):
    return number // 2
