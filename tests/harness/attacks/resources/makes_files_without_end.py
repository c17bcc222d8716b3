"""Makes thousands of empty files; wins with five thousand.

STOPPED BY: L4
"""

import os


def attempt():
    made = 0
    for folder in ("/tmp", "/dev/shm", "."):
        try:
            for number in range(6_000):
                open(os.path.join(folder, f"zoo-{os.getpid()}-{number}"), "w").close()
                made += 1
        except OSError:
            continue
    return made > 5_000


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
