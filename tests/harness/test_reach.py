"""Only tests that get to a changed statement can notice the change."""

import pytest

from harness.subject.reach import changed_statements, note_statements, record_into

SOURCE = '''\
LIMIT = 3

def f(x):
    """Doc."""
    if x > 1:
        y = x
    elif x > 0:
        y = 2
    else:
        y = 3
    for i in range(y):
        try:
            y += 1
        except ValueError:
            y = 0
        finally:
            x = y
    while x < 0:
        x += 1
    match x:
        case 1:
            return 1
        case _:
            pass
    def inner():
        return x
    return inner()

class A:
    def g(self):
        return 1
'''


def run(call: str) -> set[int]:
    namespace: dict[str, object] = {}
    reached: set[str] = set()
    record_into(reached)
    exec(note_statements(SOURCE, "u.py"), namespace)
    exec(call, namespace)
    assert all(one.startswith("u.py:") for one in reached)
    return {int(one.partition(":")[2]) for one in reached}


def test_a_call_notes_exactly_the_statements_that_it_runs() -> None:
    assert run("f(0)") == {4, 5, 7, 10, 11, 12, 13, 17, 18, 20, 24, 25, 26, 27}
    assert run("f(1)") == {4, 5, 7, 8, 11, 12, 13, 17, 18, 20, 24, 25, 26, 27}
    assert run("A().g()") == {31}
    assert run("pass") == set()


def test_noting_changes_no_result() -> None:
    for call in ("f(0)", "f(1)", "f(5)", "A().g()"):
        plain: dict[str, object] = {}
        noted: dict[str, object] = {}
        record_into(set())
        exec(SOURCE, plain)
        exec(note_statements(SOURCE, "u.py"), noted)
        assert eval(call, noted) == eval(call, plain)


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("y = x\n", "y = -x\n", {6}),
        ("if x > 1", "if x >= 1", {5}),
        ("elif x > 0", "elif x > 9", {7}),
        ("        y = 3", "        y = 4", {10}),
        ("range(y)", "range(y + 1)", {11}),
        ("except ValueError", "except TypeError", {12}),
        ("            y = 0", "            y = 1", {15}),
        ("            x = y", "            x = 1", {17}),
        ("x += 1", "x += 2", {19}),
        ("case 1:", "case 2:", {20}),
        ("return 1\n        case", "return 2\n        case", {22}),
        ("return x", "return -x", {26}),
        ("        return 1\n", "        return 2\n", {31}),
        ("            y += 1\n", "            y += 1\n            y += 2\n", {13}),
        ("    return inner()\n", "", {4, 5, 11, 18, 20, 25, 27}),
        ("        y = 3\n", "        y = 3\n        y = 4\n", {10}),
        ("            pass", "            return 4", {24}),
    ],
)
def test_a_change_touches_the_innermost_statement(old: str, new: str, lines: set[int]) -> None:
    assert SOURCE.count(old) >= 1
    place = SOURCE.rindex(old) if old == "        return 1\n" else SOURCE.index(old)
    changed = SOURCE[:place] + new + SOURCE[place + len(old) :]
    assert changed_statements(SOURCE, changed, "u.py") == {f"u.py:{line}" for line in lines}


def test_equal_texts_touch_nothing() -> None:
    assert changed_statements(SOURCE, SOURCE + "# a comment\n", "u.py") == frozenset()
