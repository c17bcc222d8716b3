"""Raises errors whose text, arguments and attributes lie or raise.

STOPPED BY: L0
"""

class Mean(ValueError):
    args = property(lambda self: 1 / 0)

    def __str__(self):
        raise SystemExit(0)

    def __getattr__(self, name):
        return self


def double(number):
    raise Mean


def halve(number):
    return number // 2
