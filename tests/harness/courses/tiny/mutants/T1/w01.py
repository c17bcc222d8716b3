"""Adds instead of multiplying."""

STEP = 2


def double(number):
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number + number


def halve(number):
    return number >> 1
