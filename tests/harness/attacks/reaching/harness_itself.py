"""Imports the engine, whose oracles know the answers.

STOPPED BY: L0
"""


def attempt():
    from harness.bytelevel import oracles

    return bool(oracles)


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
