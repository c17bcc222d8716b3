"""Makes the worker greet with a version that does not exist.

STOPPED BY: L0
"""

from harness.subject import wire

wire.PROTOCOL = 10**6


def double(number):
    return number


def halve(number):
    return number // 2
