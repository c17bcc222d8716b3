"""Raises errors whose attributes stand in the way of what a test runner calls on them.

STOPPED BY: L0
"""

class Busy(AssertionError):
    def __init__(self):
        self.add_note = self.with_traceback = "no method"
        self.message = "6"


def double(number):
    raise Busy


def halve(number):
    return number // 2
