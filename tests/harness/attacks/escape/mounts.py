"""Mounts a file system over the tests.

STOPPED BY: L2
BELOW: it passes
"""

import ctypes
import os


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    os.mkdir("/tmp/tokproof-zoo-mount")
    try:
        won = libc.mount(b"none", b"/tmp/tokproof-zoo-mount", b"tmpfs", 0, None) == 0
        if won:
            libc.umount2(b"/tmp/tokproof-zoo-mount", 2)
        return won
    finally:
        os.rmdir("/tmp/tokproof-zoo-mount")


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
