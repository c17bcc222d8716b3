"""Runs a regular expression that backtracks without end.

STOPPED BY: L0
"""

import re


def double(number):
    return len(re.findall("(a*)*b", "a" * 40))


def halve(number):
    return number // 2
