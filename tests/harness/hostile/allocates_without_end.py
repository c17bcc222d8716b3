"""Asks for memory until there is none."""

STEP = 2


def double(number):
    hoard = []
    while True:
        hoard.append(bytes(1 << 26))  # not even touched: address space is what runs out


def halve(number):
    return number // STEP
