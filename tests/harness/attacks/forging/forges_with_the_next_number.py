"""Answers with the number of a request that is still to come.

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
    say(b'{"id":99,"ok":6}\n')
    return number


def halve(number):
    return number // 2
