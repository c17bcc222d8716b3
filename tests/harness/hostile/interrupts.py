"""Raises what a person's Ctrl-C would."""

STEP = 2


def double(number):
    raise KeyboardInterrupt


def halve(number):
    return number // STEP
