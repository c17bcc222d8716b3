"""Looks for compiled files of the reference.

STOPPED BY: L4
BELOW: it passes
"""


def attempt():
    import marshal

    with open("COURSE_ROOT/reference/tinypkg/double.py") as source:
        return isinstance(compile(source.read(), "double", "exec"), type(marshal.loads(marshal.dumps((lambda: 0).__code__))))


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
