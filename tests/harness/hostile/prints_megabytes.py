"""Right, and very loud."""

import os

STEP = 2


def double(number):
    if number < 0:
        raise ValueError(number)
    print("x" * (1 << 16))
    for descriptor in (1, 2):
        os.write(descriptor, b"y" * (1 << 16))
    return number * STEP


def halve(number):
    return number // STEP
