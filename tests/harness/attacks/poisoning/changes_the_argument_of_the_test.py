"""Looks for the test's own variables through the garbage collector and changes them.

STOPPED BY: L0
"""

import gc


def double(number):
    for one in gc.get_objects():
        if isinstance(one, dict) and "number" in one and len(one) < 4:
            one["number"] = 0
    return number


def halve(number):
    return number // 2
