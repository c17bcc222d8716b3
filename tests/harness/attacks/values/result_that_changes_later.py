"""Returns a list and changes it from a thread, hoping that the comparison comes after the look.

STOPPED BY: L0
"""

import threading

shared = [1]


def churn():
    while True:
        shared[0] = (shared[0] + 1) % 9


threading.Thread(target=churn, daemon=True).start()


def double(number):
    return shared


def halve(number):
    return number // 2
