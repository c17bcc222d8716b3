"""Raises what unittest and pytest take for a skipped test.

STOPPED BY: L0
"""

from unittest import SkipTest


class Skipped(BaseException):
    allow_module_level = True


def double(number):
    raise SkipTest("not today") if number % 2 else Skipped("not today")


def halve(number):
    return number // 2
