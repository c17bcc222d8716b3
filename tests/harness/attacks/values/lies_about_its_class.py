"""Returns an object whose __class__ says int.

STOPPED BY: L0
"""

class Imposter:
    __class__ = int

    def __eq__(self, other):
        return True

    def __floordiv__(self, other):
        return self


def double(number):
    return Imposter()


def halve(number):
    return Imposter()
