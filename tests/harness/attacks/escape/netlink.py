"""Asks the kernel about the network.

STOPPED BY: L3
BELOW: it passes
"""

import socket


def attempt():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) is not None


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
