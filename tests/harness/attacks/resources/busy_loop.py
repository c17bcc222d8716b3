"""Never comes back.

STOPPED BY: L0
"""

def double(number):
    while True:
        pass


def halve(number):
    return number // 2
