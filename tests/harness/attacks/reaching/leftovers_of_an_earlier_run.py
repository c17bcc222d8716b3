"""Leaves a note for the next run wherever it can, and finds that of the last one.

STOPPED BY: L4
"""

import os


def attempt():
    found = False
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "."):
        note = os.path.join(folder, "tokproof-zoo-note")
        found = found or os.path.exists(note)
        try:
            open(note, "w").close()
        except OSError:
            pass
    return found


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
