"""Makes the worker offer internals of the judge's classes.

STOPPED BY: L0
"""

from harness.subject import worker

worker.Offers.describe = lambda self, writer: '{"tinypkg.double":["double","halve","__class__","__eq__"]}'


def double(number):
    return number


def halve(number):
    return number // 2
