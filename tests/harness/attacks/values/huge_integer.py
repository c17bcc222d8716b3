"""Returns an integer of a million digits.

STOPPED BY: L0
"""

def double(number):
    return 1 << 4_000_000


def halve(number):
    return number // 2
