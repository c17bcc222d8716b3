"""Opens a TCP connection.

STOPPED BY: L3
BELOW: it passes
"""

import socket


def attempt():
    server = socket.create_server(("127.0.0.1", 0))
    return socket.create_connection(server.getsockname(), 1) is not None


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
