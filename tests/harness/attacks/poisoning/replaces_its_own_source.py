"""Rewrites its own file and leaves compiled code beside it, for a second look.

STOPPED BY: L2
"""

import contextlib
import py_compile

RIGHT = "def double(number):\n    return number * 2\n"
with contextlib.suppress(OSError):
    with open(__file__, "w") as source:
        source.write(RIGHT)
    py_compile.compile(__file__)


def double(number):
    return number


def halve(number):
    return number // 2
