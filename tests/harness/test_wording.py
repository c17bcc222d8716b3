"""What counts as a change of wording, by rule, and what does not."""

import pytest

from harness.mutation.wording import only_wording

SOURCE = """
def f(x, names):
    message = f"{x!r} is bad"
    other = "kept"
    if x:
        raise ValueError(message)
    if names:
        raise KeyError("gone", x) from None
    return other
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('message = f"{x!r} is bad"', "message = None"),
        ('message = f"{x!r} is bad"', 'message = f"bad: {x!r}"'),
        ("ValueError(message)", "ValueError(None)"),
        ("ValueError(message)", "ValueError()"),
        ('"gone", x', '"lost", x'),
        ('"gone", x', "x"),
    ],
)
def test_other_words_in_the_same_error_are_wording(old: str, new: str) -> None:
    assert old in SOURCE
    assert only_wording(SOURCE, SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ValueError(message)", "TypeError(message)"),
        ("raise ValueError(message)", "return message"),
        ('message = f"{x!r} is bad"', 'message = f"{x + 1!r} is bad"'),
        ('message = f"{x!r} is bad"', "message = names[0]"),
        ("ValueError(message)", "ValueError(len(x))"),
        ('other = "kept"', 'other = "lost"'),
        ("if x:", "if not x:"),
        ("from None", "from x"),
        ("    return other\n", ""),
    ],
)
def test_anything_else_is_not(old: str, new: str) -> None:
    assert old in SOURCE
    assert not only_wording(SOURCE, SOURCE.replace(old, new))


def test_no_change_at_all_is_not_a_change_of_wording() -> None:
    assert not only_wording(SOURCE, SOURCE)
