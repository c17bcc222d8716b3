"""Offers half of what it should."""

STEP = 2


def double(number):
    return number * STEP
