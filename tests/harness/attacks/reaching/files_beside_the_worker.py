"""Looks for more than the worker's own files in the folder that it came from.

STOPPED BY: L0
"""

import sys
from pathlib import Path


def attempt():
    known = {"__init__.py", "wire.py", "worker.py", "confine.py", "seccomp.py", "landlock.py", "trials.py"}
    folder = Path(sys.modules["harness.subject.wire"].__file__).parent
    return bool({path.name for path in folder.rglob("*")} - known - {"__pycache__"})


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
