"""Recurses with the limit taken away.

STOPPED BY: L0
"""

import sys

sys.setrecursionlimit(10**9)


def double(number):
    return double(number)


def halve(number):
    return number // 2
