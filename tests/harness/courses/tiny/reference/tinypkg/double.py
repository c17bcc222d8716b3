"""Doubles numbers."""

STEP = 2


def double(number: int) -> int:
    """Twice the number; ValueError for a negative one."""
    if number < 0:
        raise ValueError(number)
    return number * STEP


def halve(number: int) -> int:
    """Half of an even number."""
    return divmod(number, STEP)[0]
