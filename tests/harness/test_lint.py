"""Every rule of `ol lint` holds on the tiny course and fails on a copy broken in its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli import main
from harness.course import Course, load_course
from harness.errors import ExitCode
from harness.lint.course import RULES, lint

pytestmark = pytest.mark.slow

Edit = Callable[[Path, str, str], None]


def broken_rules(course: Course, *, run: bool = True) -> set[str]:
    """The rules that a course breaks; loaded anew, since its manifest may be what is broken."""
    course = load_course(course.root)
    return {problem.rule for problem in lint(course, course.module("T1"), jobs=2, run=run)}


TOLD_FROM_THE_FILES = {"manifest", "catalog", "contract", "patches", "differ", "claims"}


def test_every_rule_holds_on_the_tiny_course(tiny: Course) -> None:
    assert broken_rules(tiny) == set()


TESTS = "tests/T1/test_double.py"
MANIFEST = "mutants/T1/manifest.toml"
CONTRACT = "reference/contracts/tinypkg/double.pyi"
WHEAT = "mutants/T1/w01.py"

BREAKS = {
    "manifest": [
        ("mutants/T1/s01.patch", "return number * STEP", "return number * STEEP"),
        (MANIFEST, 'id = "m02"', 'id = "m03"'),
    ],
    "catalog": [(TESTS, "    WHY: the smallest worked example\n", "")],
    "contract": [
        (CONTRACT, "def halve(number: int) -> int:", "def halve(number: int, step: int) -> int:"),
        (CONTRACT, '    """Half of an even number."""', "    ..."),
        (CONTRACT, "STEP: int", "STEP: int\nSTRIDE: int"),
    ],
    "patches": [("mutants/T1/s01.patch", "--- a/", "a note before the patch\n--- a/")],
    "claims": [
        (TESTS, "CATCHES: m02", "CATCHES: -"),
        (MANIFEST, 'caught_by = ["test_negative_numbers_are_refused"]', "caught_by = []"),
    ],
    "tests": [(TESTS, "import pytest", "import no_such_module_anywhere")],
    "controls": [(WHEAT, "number + number", "number")],
    "refusal": [(TESTS, ', match="-1"', "")],
    "catches": [(TESTS, "CATCHES: s01\n", "CATCHES: s01 m01\n")],
    "survivors": [(TESTS, 'match="-1"):\n        double(-1)', 'match="-2"):\n        double(-2)')],
    "witness": [
        (MANIFEST, 'witness = "double(-1)"', 'witness = "double(-2)"'),
        (MANIFEST, 'witness = "double(-1)"', 'witness = ""'),
    ],
    "behaviour": [("mutants/T1/behaviour.json", '"m01": {', '"m09": {')],
}


@pytest.mark.parametrize(
    ("rule", "path", "old", "new"), [(rule, *edit) for rule, edits in BREAKS.items() for edit in edits]
)
def test_a_rule_fails_on_a_course_broken_in_its_place(
    rule: str, path: str, old: str, new: str, tiny: Course, edit: Edit
) -> None:
    edit(tiny.root / path, old, new)
    assert rule in broken_rules(tiny, run=rule not in TOLD_FROM_THE_FILES)


@pytest.mark.parametrize(
    ("name", "like"), [("m03.patch", "m02.patch"), ("w02.py", "w01.py")], ids=["mutants", "wheats"]
)
def test_a_copy_of_a_mutant_or_wheat_is_found(name: str, like: str, tiny: Course, edit: Edit) -> None:
    folder = tiny.root / "mutants" / "T1"
    text = (folder / like).read_text()
    (folder / name).write_text(text.replace("Adds instead", "With another docstring, adds instead"))
    manifest = folder / "manifest.toml"
    blocks = manifest.read_text().split("\n\n")
    (block,) = [block for block in blocks if f'id = "{like.partition(".")[0]}"' in block]
    manifest.write_text("\n\n".join([*blocks[:3], block.replace(like[:3], name[:3]), *blocks[3:]]))
    assert "differ" in broken_rules(tiny, run=False)


IDLE = '''

def test_the_subject_has_a_name():
    """The subject says what it is called.

    KIND: unit
    CHECKS: name() is text
    WHY: for the rule about idle tests
    CATCHES: -
    """
    assert isinstance(name(), str)
'''
NAME = '''

def name() -> str:
    """What this is called."""
    return "double"
'''


def test_an_idle_test_must_say_why_it_stays(tiny: Course, edit: Edit) -> None:
    for path in ("reference/tinypkg/double.py", CONTRACT, WHEAT):
        with (tiny.root / path).open("a") as file:
            file.write(NAME)
    edit(tiny.root / TESTS, "import double, halve", "import double, halve, name")
    with (tiny.root / TESTS).open("a") as file:
        file.write(IDLE)
    assert idle(tiny) == ["test_the_subject_has_a_name"]
    edit(tiny.root / TESTS, "WHY: for the rule about idle tests", "STAYS: it documents the name\n    WHY: for the rule")
    edit(tiny.root / TESTS, "WHY: the smallest", "STAYS: so they say\n    WHY: the smallest")
    assert idle(tiny) == ["test_three_doubles_to_six"]


def idle(course: Course) -> list[str]:
    return [problem.where for problem in lint(course, course.module("T1"), jobs=2) if problem.rule == "idle"]


def test_every_rule_has_been_broken_here() -> None:
    assert set(RULES) - set(BREAKS) == {"differ", "idle"}  # each has a test of its own above


def test_the_command_prints_every_rule_and_ends_as_it_should(
    tiny: Course, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--course", str(tiny.root), "lint", "T1"]) == ExitCode.PASS
    shown = capsys.readouterr().out
    assert all(rule in shown for rule in RULES)
    assert "Every rule holds." in shown
    edit(tiny.root / TESTS, "CATCHES: m02", "CATCHES: -")
    assert main(["--course", str(tiny.root), "lint", "--json"]) == ExitCode.FAIL
    problems = json.loads(capsys.readouterr().out)["T1"]
    assert {"rule", "where", "message"} == set(problems[0])
