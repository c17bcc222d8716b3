"""A survivor is equivalent only where the whole stated scope cannot tell it from the reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.course import Course, load_course
from harness.engine.score import Options, score
from harness.mutation.scope import digest, load_scopes, observe, scope_sentences
from harness.records import Mutant, Status, Tier, Verdict

pytestmark = pytest.mark.slow

UNIT = "tinypkg/double.py"
SCOPE = '''
from harness.mutation.scope import observe
from tinypkg import double as subject

def scope_doubles():
    """every number from -3 to 50"""
    for number in range(-3, 51):
        yield observe(subject.double, number, naming=[number] if number < 0 else [])

def scope_halves():
    """every even number to 100"""
    for number in range(0, 101, 2):
        yield observe(subject.halve, number)
'''
BOTH = "the same on every number from -3 to 50; every even number to 100"


def judged(course: Course, old: str, new: str) -> Verdict:
    module = course.module("T1")
    text = course.read_units(module)[UNIT]
    assert old in text
    mutant = Mutant("x", Tier.SEMANTIC, {UNIT: text.replace(old, new)}, UNIT, 1, "", "what")
    return score(course, module, [mutant], Options(jobs=1)).verdicts[0]


@pytest.fixture
def scoped(tiny: Course) -> Course:
    """The tiny course with a small scope."""
    tiny.scope_path(tiny.module("T1")).write_text(SCOPE)
    return tiny


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        ("number < 0", "number <= -1", Status.EQUIVALENT, "the same on every number from -3 to 50"),
        ("raise ValueError(number)", 'raise ValueError(f"bad: {number}")', Status.EQUIVALENT, "from -3 to 50"),
        ("raise ValueError(number)", 'raise ValueError("-1 or so")', Status.SURVIVED, ""),
        ("number * STEP", "number * STEP if number < 10**6 else 0", Status.EQUIVALENT, "from -3 to 50"),
        ("STEP = 2", "STEP = 4 // 2", Status.EQUIVALENT, BOTH),
        ("return divmod(number, STEP)[0]", "return number >> 1", Status.EQUIVALENT, "every even number to 100"),
        ("return divmod(number, STEP)[0]", "return number / STEP", Status.SURVIVED, ""),
    ],
)
def test_a_survivor_is_equivalent_exactly_where_nothing_observed_differs(
    old: str, new: str, status: Status, reason: str, scoped: Course
) -> None:
    """The last of them gives floats, which compare equal; the type of a result is part of what is observed."""
    verdict = judged(scoped, old, new)
    assert (verdict.status, reason in verdict.reason) == (status, True)


def test_without_a_scope_nothing_is_equivalent(tiny: Course) -> None:
    assert judged(tiny, "number < 0", "number <= -1").status is Status.SURVIVED


def test_a_mutant_that_does_not_finish_its_scope_stays_a_survivor(scoped: Course) -> None:
    verdict = judged(
        scoped, "return number * STEP", "import os\n    return number * STEP if number != 49 else os._exit(0)"
    )
    assert verdict.status in (Status.SURVIVED, Status.CRASHED)


def test_a_change_that_no_scope_gets_to_is_told_as_such(tiny: Course, edit: Callable[[Path, str, str], None]) -> None:
    path = tiny.scope_path(tiny.module("T1"))
    path.write_text(SCOPE.replace("range(-3, 51)", "range(0, 51)"))
    tests = tiny.test_files(tiny.module("T1"))[0]
    edit(tests, 'with pytest.raises(ValueError, match="-1"):\n        double(-1)', "assert double(1) == 2")
    verdict = judged(tiny, "raise ValueError(number)", "raise TypeError(number)")
    assert (verdict.status, verdict.reason) == (
        Status.EQUIVALENT,
        "nothing that can be observed gets to what it changes",
    )


def test_what_no_scope_gets_to_is_for_all_tests_to_judge(tiny: Course, edit: Callable[[Path, str, str], None]) -> None:
    """The property runs after the scopes, which have nothing to say here; it is heard before that is said."""
    path = tiny.scope_path(tiny.module("T1"))
    path.write_text(SCOPE.replace("range(-3, 51)", "range(0, 51)"))
    tests = tiny.test_files(tiny.module("T1"))[0]
    edit(tests, "def test_negative_numbers_are_refused():", "@given(one=st.just(-1))\ndef test_negative(one):")
    edit(tests, "    CATCHES: m02", "    CATCHES: -")
    edit(tests, "double(-1)\n", "double(one)\n")
    edit(tiny.mutants(tiny.module("T1")) / "manifest.toml", "test_negative_numbers_are_refused", "test_negative")
    verdict = judged(tiny, "raise ValueError(number)", "raise ValueError(None)")
    assert (verdict.status, verdict.killed_by) == (Status.KILLED, ("test_negative",))


def test_words_that_only_a_heavy_scope_hears_are_compared_there(scoped: Course) -> None:
    path = scoped.scope_path(scoped.module("T1"))
    path.write_text(SCOPE + 'NOT_FOR_WORDING = ("scope_doubles",)\n')
    assert judged(scoped, "raise ValueError(number)", 'raise ValueError("-1 or so")').status is Status.SURVIVED
    verdict = judged(scoped, "raise ValueError(number)", 'raise ValueError(f"bad: {number}")')
    assert verdict.status is Status.EQUIVALENT
    assert verdict.reason.endswith("the same on every number from -3 to 50")


def test_observations_hold_types_and_named_values_and_no_prose() -> None:
    def fails(words: str) -> None:
        raise ValueError(words)

    assert observe(int, "3") == ("returned", "int", "3")
    assert observe(lambda: True) != observe(lambda: 1)
    assert observe(fails, "7 is odd", naming=[7]) == observe(fails, "odd: 7", naming=[7])
    assert observe(fails, "7 is odd", naming=[7]) != observe(fails, "odd", naming=[7])
    assert digest([("a",)]) != digest([("a",), ("a",)])


def test_every_module_of_the_course_states_its_scopes() -> None:
    course = load_course()
    for module in course.modules:
        source = course.scope_path(module).read_text()
        assert set(scope_sentences(source)) == set(load_scopes(source, "scope.py"))
        assert all(sentence[0].islower() for sentence in scope_sentences(source).values())
