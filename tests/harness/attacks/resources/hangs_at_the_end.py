"""Answers everything, and never lets go.

STOPPED BY: L0
"""

import os

leave = os._exit


def stay(status):
    while True:
        pass


os._exit = stay


def double(number):
    return number


def halve(number):
    return number // 2
