"""Returns a value that no comparison holds for.

STOPPED BY: L0
"""

def double(number):
    return float("nan")


def halve(number):
    return float("nan")
