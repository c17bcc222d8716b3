"""Puts itself in the way of every import.

STOPPED BY: L0
"""

import sys


class Everything:
    def find_spec(self, name, path=None, target=None):
        raise SystemExit(0)


sys.meta_path.insert(0, Everything())
sys.modules.clear()


def double(number):
    return number


def halve(number):
    return number // 2
