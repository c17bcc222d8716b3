"""Returns more items than a frame may hold.

STOPPED BY: L0
"""

def double(number):
    return [[]] * 3_000_000


def halve(number):
    return number // 2
