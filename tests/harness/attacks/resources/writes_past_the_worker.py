"""Writes megabytes into standard output and error by their descriptors.

STOPPED BY: L0
"""

import os


def double(number):
    for _ in range(200):
        os.write(1, b"x" * 100_000)
        os.write(2, b"x" * 100_000)
    return number


def halve(number):
    return number // 2
