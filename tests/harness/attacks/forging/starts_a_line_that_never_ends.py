"""Writes into the wire without a newline, for ever.

STOPPED BY: L0
"""

import os
import stat


def wires():
    """The descriptors that may be the wire: pipes."""
    for descriptor in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                yield descriptor
        except OSError:
            continue


def say(text):
    for descriptor in wires():
        try:
            os.write(descriptor, text)
        except OSError:
            continue


def double(number):
    while True:
        say(b"[" * 1000)


def halve(number):
    return number // 2
