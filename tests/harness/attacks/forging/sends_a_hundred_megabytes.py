"""Returns more than a frame may hold.

STOPPED BY: L0
"""

def double(number):
    return "x" * 100_000_000


def halve(number):
    return number // 2
