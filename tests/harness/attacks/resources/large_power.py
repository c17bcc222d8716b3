"""Computes a power with more digits than there is time.

STOPPED BY: L0
"""

def double(number):
    return pow(7, 10**9)


def halve(number):
    return number // 2
