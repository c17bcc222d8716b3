"""Returns a list that holds itself.

STOPPED BY: L0
"""

def double(number):
    value = [6]
    value.append(value)
    return value


def halve(number):
    return number // 2
