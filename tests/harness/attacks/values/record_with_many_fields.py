"""Returns a named tuple with more fields than a class can be made of in time.

STOPPED BY: L0
"""

class Wide(tuple):
    _fields = tuple(f"field{number}" for number in range(50_000))


def double(number):
    return Wide(range(50_000))


def halve(number):
    return number // 2
