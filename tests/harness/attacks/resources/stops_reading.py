"""Never reads the wire again, and holds its worker with a lock.

STOPPED BY: L0
"""

import threading

lock = threading.Lock()


def double(number):
    lock.acquire()
    lock.acquire()


def halve(number):
    return number // 2
