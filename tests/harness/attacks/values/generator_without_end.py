"""Returns a generator that never ends.

STOPPED BY: L0
"""

import itertools


def double(number):
    return (6 for _ in itertools.count())


def halve(number):
    return number // 2
