"""Doubles twice."""

from tinypkg.double import double


def quadruple(number: int) -> int:
    """Four times the number."""
    return double(double(number))
