"""Puts a right answer in front of the worker's own.

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


asked = 1


def double(number):
    global asked
    asked += 1
    say(b'{"id":%d,"ok":%d}\n' % (asked, number * 2))
    return number


def halve(number):
    return number // 2
