"""Runs a program that is in no file.

STOPPED BY: L3
"""

import os


def attempt():
    descriptor = os.memfd_create("zoo")
    os.write(descriptor, open("/bin/true", "rb").read())
    child = os.posix_spawn(f"/proc/self/fd/{descriptor}", ["zoo"], {})
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


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
