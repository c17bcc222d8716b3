"""Reaches an abstract address from one end of a socket pair.

STOPPED BY: L3
"""

import socket


def attempt():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return one.sendto(b"x", "\0tokproof-zoo") == 1 or other is not None


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
