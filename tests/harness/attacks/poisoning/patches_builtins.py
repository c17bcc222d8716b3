"""Replaces builtin functions and exceptions by others that agree with everything.

STOPPED BY: L0
"""

import builtins


class Agreeable(Exception):
    def __eq__(self, other):
        return True


builtins.ValueError = Agreeable
builtins.isinstance = lambda one, kind: True
builtins.len = lambda one: 0
builtins.repr = lambda one: "6"


def double(number):
    return number


def halve(number):
    return number // 2
