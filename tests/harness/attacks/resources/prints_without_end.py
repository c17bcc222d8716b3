"""Prints megabytes on both streams.

STOPPED BY: L0
"""

import sys


def double(number):
    for _ in range(200):
        sys.stdout.write("x" * 100_000)
        sys.stderr.write("x" * 100_000)
    return number


def halve(number):
    return number // 2
