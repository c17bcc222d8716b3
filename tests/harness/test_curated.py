"""Patches apply exactly or not at all, and manifest and files agree."""

import shutil
from pathlib import Path

import pytest

from harness.course import Course, load_course
from harness.errors import CourseError, PatchError, UsageError
from harness.mutation.curated import load_curated, load_folder
from harness.mutation.patches import apply_patch, first_difference, unified_diff
from harness.records import Mutant, Tier

TINY = Path(__file__).parent / "courses" / "tiny"
UNIT = "tinypkg/double.py"
BEFORE = "one\ntwo\nthree\nfour\nfive\n"
AFTER = "one\ntwo\nTHREE\nfour\nfive\n"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A copy of the tiny course that a test may damage."""
    shutil.copytree(TINY, tmp_path / "course")
    return load_course(tmp_path / "course")


def curated(course: Course) -> tuple[Mutant, ...]:
    return load_curated(course, course.module("T1"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_patch_made_here_applies_here() -> None:
    patch = unified_diff(BEFORE, AFTER, UNIT)
    assert apply_patch(patch, {UNIT: BEFORE}, where="p") == {UNIT: AFTER}


@pytest.mark.parametrize("line", ["one", "two", "three", "four", "five"])
def test_a_patch_fits_every_line_of_its_context_or_fails(line: str) -> None:
    patch = unified_diff(BEFORE, AFTER, UNIT)
    with pytest.raises(PatchError, match="does not apply"):
        apply_patch(patch, {UNIT: BEFORE.replace(line, line + "!")}, where="p")


def test_a_patch_fits_at_its_place_or_fails() -> None:
    patch = unified_diff(BEFORE, AFTER, UNIT)
    with pytest.raises(PatchError, match="does not apply"):
        apply_patch(patch, {UNIT: "zero\n" + BEFORE}, where="p")


@pytest.mark.parametrize("text", ["", "not a patch\n", "--- a/x\n"])
def test_what_is_no_patch_is_refused(text: str) -> None:
    with pytest.raises(PatchError, match="p is not a unified diff"):
        apply_patch(text, {UNIT: BEFORE}, where="p")


def test_a_patch_of_another_file_is_refused_with_the_units() -> None:
    with pytest.raises(PatchError, match="is no unit of the module") as caught:
        apply_patch(unified_diff(BEFORE, AFTER, "other.py"), {UNIT: BEFORE}, where="p")
    assert UNIT in caught.value.remedy


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [(BEFORE, AFTER, 3), ("a\n", "b\n", 1), ("a\nb\n", "a\n", 2), ("a\n", "a\nb\n", 1), ("a\n", "a\n", 1)],
)
def test_the_first_line_that_differs(before: str, after: str, line: int) -> None:
    assert first_difference(before, after) == line


def test_the_manifest_gives_tiers_lines_and_claims(course: Course) -> None:
    found = {mutant.id: mutant for mutant in curated(course)}
    assert [mutant.tier for mutant in found.values()] == [Tier.SEMANTIC, Tier.PINNED, Tier.PINNED, Tier.WHEAT]
    assert (found["s01"].line, found["s01"].unit, found["s01"].required) == (10, UNIT, True)
    assert found["m01"].caught_by == ("test_three_doubles_to_six",)
    assert "number * number" in found["s01"].sources[UNIT]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('operator = "squares"\n', "", "s01: 'operator' is missing"),
        ('operator = "squares"', 'oprator = "squares"', "unknown key 'oprator'"),
        ('id = "m01"', 'id = "s01"', "s01"),
        ('id = "m01"', 'id = "x01"', "begins with s or m"),
        ('unit = "tinypkg/double.py"\ndescription', 'unit = "other.py"\ndescription', "is no unit of the module"),
        ("[[wheat]]", "[[wheat]", "is not TOML"),
    ],
)
def test_a_mistake_in_the_manifest_is_named(old: str, new: str, message: str, course: Course) -> None:
    edit(course.mutants(course.module("T1")) / "manifest.toml", old, new)
    with pytest.raises(CourseError, match=message):
        curated(course)


def test_a_patch_without_an_entry_and_an_entry_without_a_patch_are_named(course: Course) -> None:
    folder = course.mutants(course.module("T1"))
    (folder / "s02.patch").write_text((folder / "s01.patch").read_text())
    with pytest.raises(CourseError, match="does not mention s02"):
        curated(course)
    (folder / "s02.patch").unlink()
    (folder / "s01.patch").unlink()
    with pytest.raises(CourseError, match=r"lacks .*s01\.patch"):
        curated(course)


def test_a_changed_reference_breaks_the_patches_loudly(course: Course) -> None:
    edit(course.unit_path(UNIT), "number * STEP", "STEP * number")
    with pytest.raises(PatchError, match=r"s01\.patch does not apply") as caught:
        curated(course)
    assert "again" in caught.value.remedy


def test_anybodys_files_become_mutants(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    module = course.module("T1")
    (folder / "slow.py").write_text('"""Counts up."""\n')
    shutil.copy(course.mutants(module) / "m01.patch", folder / "three.patch")
    slow, three = load_folder(folder, course, module, tier=Tier.SEMANTIC)
    assert (slow.id, slow.description, slow.required) == ("slow", "Counts up.", False)
    assert (three.id, three.line) == ("three", 3)


def test_a_folder_without_mutants_is_a_usage_error(course: Course, tmp_path: Path) -> None:
    for folder, message in ((tmp_path / "nowhere", "is not a folder"), (tmp_path, r"holds no \*\.patch")):
        with pytest.raises(UsageError, match=message):
            load_folder(folder, course, course.module("T1"), tier=Tier.WHEAT)


@pytest.mark.parametrize("module_id", [module.id for module in load_course().modules])
def test_the_courses_patches_are_what_a_diff_of_their_result_gives(module_id: str) -> None:
    course = load_course()
    module = course.module(module_id)
    units = course.read_units(module)
    for mutant in load_curated(course, module):
        if mutant.tier is not Tier.WHEAT:
            patch = (course.mutants(module) / f"{mutant.id}.patch").read_text()
            assert patch == "".join(unified_diff(units[unit], text, unit) for unit, text in mutant.sources.items())
