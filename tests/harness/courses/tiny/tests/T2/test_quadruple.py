"""What T2's subject is held to."""

from tinypkg.quadruple import quadruple


def test_three_quadruples_to_twelve():
    """Four times three is twelve.

    KIND: unit
    CHECKS: quadruple(3) == 12
    WHY: it stands on another module
    CATCHES: -
    """
    assert quadruple(3) == 12
