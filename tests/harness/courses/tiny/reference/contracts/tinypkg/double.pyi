"""Doubles numbers."""

STEP: int

def double(number: int) -> int:
    """Twice the number; ValueError for a negative one."""

def halve(number: int) -> int:
    """Half of an even number."""
