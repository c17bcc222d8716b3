"""Never returns."""

STEP = 2


def double(number):
    while True:
        pass


def halve(number):
    return number // STEP
