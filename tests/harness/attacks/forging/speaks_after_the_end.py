"""A thread goes on writing frames after the closing one.

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


import threading


def talk():
    while True:
        threading.Event().wait(0.2)
        say(b'{"id":1,"ok":{"verdict":"pass"}}\n')


threading.Thread(target=talk, daemon=True).start()


def double(number):
    return number


def halve(number):
    return number // 2
