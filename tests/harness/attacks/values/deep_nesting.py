"""Returns lists inside lists, deeper than any parser goes.

STOPPED BY: L0
"""

def double(number):
    value = []
    for _ in range(100_000):
        value = [value]
    return value


def halve(number):
    return number // 2
