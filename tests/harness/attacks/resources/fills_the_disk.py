"""Writes until something stops it; wins with more than 64 megabytes.

STOPPED BY: L1
"""

import os


def attempt():
    written = 0
    for folder in (".", "/tmp", "/var/tmp", "/dev/shm"):
        path = os.path.join(folder, f"zoo-{os.getpid()}")
        try:
            with open(path, "wb") as file:
                for _ in range(80):
                    written += file.write(bytes(1 << 20))
                    file.flush()
        except OSError:
            pass
        finally:
            if os.path.exists(path):
                os.unlink(path)
    return written > 64 << 20


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
