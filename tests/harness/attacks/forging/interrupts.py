"""Interrupts the main thread, which ends a session that is in the same process.

STOPPED BY: L0
"""

import _thread


def double(number):
    _thread.interrupt_main()
    return number


def halve(number):
    return number // 2
