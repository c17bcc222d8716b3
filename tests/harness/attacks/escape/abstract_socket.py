"""Binds an abstract Unix socket, which no file permission guards.

STOPPED BY: L3
BELOW: it passes
"""

import socket


def attempt():
    return socket.socket(socket.AF_UNIX).bind("\0tokproof-zoo") is None


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
