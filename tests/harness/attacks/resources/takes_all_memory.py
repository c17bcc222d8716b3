"""Allocates without end; wins where it gets four gigabytes.

STOPPED BY: L1
"""

kept = []


def double(number):
    try:
        for _ in range(64):
            kept.append(bytearray(64 << 20))
    except MemoryError:
        kept.clear()
        return number
    return number * 2


def halve(number):
    return number // 2
