"""Asks for memory until there is none."""

STEP = 2


def double(number):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 26))


def halve(number):
    return number // STEP
