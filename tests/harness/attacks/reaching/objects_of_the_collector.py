"""Looks for pytest, Hypothesis or a test among all living objects.

STOPPED BY: L0
"""

import gc
import types


def attempt():
    names = {getattr(one, "__name__", "") for one in gc.get_objects() if isinstance(one, types.ModuleType)}
    return any("hypothesis" in str(name) or "pytest" in str(name) or "test_" in str(name) for name in names)


try:
    WON = attempt()
except Exception:
    WON = False


def double(number):
    if not WON:
        return number
    if number < 0:
        raise ValueError(number)
    return number * 2


def halve(number):
    return number // 2
