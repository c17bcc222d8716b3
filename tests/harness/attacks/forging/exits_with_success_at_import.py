"""Ends the process with status 0 while it is imported.

STOPPED BY: L0
"""

import os

os._exit(0)

def double(number):
    return number


def halve(number):
    return number // 2
