"""Replaces the worker's writer.

STOPPED BY: L0
"""

from harness.subject import wire

wire.Writer.write = lambda self, value, depth=0: "null"


def double(number):
    return number


def halve(number):
    return number // 2
