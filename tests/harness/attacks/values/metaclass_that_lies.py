"""The class of the returned object answers every question about itself with a lie.

STOPPED BY: L0
"""

class Meta(type):
    def __instancecheck__(cls, instance):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(int)

    @property
    def __mro__(cls):
        return (int, object)


class Liar(metaclass=Meta):
    def __eq__(self, other):
        return True

    def __floordiv__(self, other):
        return self


def double(number):
    return Liar()


def halve(number):
    return Liar()
