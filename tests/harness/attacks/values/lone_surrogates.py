"""Returns text that UTF-8 cannot write.

STOPPED BY: L0
"""

def double(number):
    return "\ud800" * 6


def halve(number):
    return number // 2
