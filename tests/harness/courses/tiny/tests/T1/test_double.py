"""What T1's subject is held to."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tinypkg.double import double, halve


def test_three_doubles_to_six():
    """Twice three is six.

    KIND: unit
    CHECKS: double(3) == 6
    WHY: the smallest worked example
    CATCHES: s01 m01
    """
    assert double(3) == 6


@given(number=st.integers(0, 1000))
@example(number=3)
def test_halving_undoes_doubling(number):
    """Half of the double is the number itself.

    KIND: property
    CHECKS: halve(double(n)) == n
    WHY: a pair of functions that must agree
    CATCHES: s01
    """
    assert halve(double(number)) == number


def test_negative_numbers_are_refused():
    """A negative number is no input.

    KIND: boundary
    CHECKS: double(-1) raises ValueError
    WHY: an error path counts as much as a result
    CATCHES: m02
    """
    with pytest.raises(ValueError, match="-1"):
        double(-1)
