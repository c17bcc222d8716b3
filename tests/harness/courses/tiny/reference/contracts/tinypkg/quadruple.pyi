"""Doubles twice."""

def quadruple(number: int) -> int:
    """Four times the number."""
