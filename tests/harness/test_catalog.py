"""What a test says of itself is read exactly, or refused with its place."""

from pathlib import Path

import pytest

from harness.catalog import parse_fields, read_catalog
from harness.course import load_course
from harness.errors import CourseError
from harness.records import Kind

GOOD = '''
def test_one(data):
    """One law.

    KIND: property
    CHECKS: something that
        goes on for two lines
    WHY: because
    CATCHES: s01 m02
    """

def helper():
    pass
'''


def catalog_of(tmp_path: Path, text: str) -> tuple[str, ...]:
    path = tmp_path / "test_it.py"
    path.write_text(text)
    return tuple(entry.name for entry in read_catalog([path]))


def test_a_docstring_becomes_an_entry(tmp_path: Path) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(GOOD)
    (entry,) = read_catalog([path])
    assert (entry.name, entry.line, entry.law, entry.kind) == ("test_one", 2, "One law.", Kind.PROPERTY)
    assert (entry.checks, entry.why) == ("something that goes on for two lines", "because")
    assert entry.catches == ("s01", "m02")


def test_a_dash_claims_nothing(tmp_path: Path) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(GOOD.replace("s01 m02", "-"))
    assert read_catalog([path])[0].catches == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("KIND: property", "KIND: guess", r"test_it\.py:2: test_one: KIND is 'guess'"),
        ("    WHY: because\n", "", "needs a first sentence and the fields"),
        ("WHY: because", "WHY:", "needs a first sentence and the fields"),
        ("WHY: because", "WHY: because\n    WHY: again", "WHY stands twice"),
        ("WHY: because", "BECAUSE: of this", "belongs to no field"),
        ("One law.", "", "needs a first sentence"),
        ("def helper", "def test_one", "also stands at"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new)
    if new.startswith("def test_one"):
        text = GOOD + GOOD
    with pytest.raises(CourseError, match=message):
        catalog_of(tmp_path, text)


def test_a_file_that_does_not_parse_is_named(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"test_it\.py cannot be read as Python"):
        catalog_of(tmp_path, "def test_one(:")


def test_the_fields_come_in_order() -> None:
    with pytest.raises(CourseError, match="needs a first sentence and the fields"):
        parse_fields("Law.\n\nWHY: b\nKIND: unit\nCHECKS: c\nCATCHES: -", where="here")


def test_every_module_of_the_course_has_a_complete_catalog() -> None:
    course = load_course()
    for module in course.modules:
        assert len(read_catalog(course.test_files(module))) >= len(course.test_files(module)) > 0


def test_the_first_module_has_the_sixteen_tests_of_its_chapter() -> None:
    course = load_course()
    names = {entry.name for entry in read_catalog(course.test_files(course.module("M05.2")))}
    assert names >= {
        "test_hand_example_encode",
        "test_hand_example_small_maps",
        "test_matches_gpt2_table",
        "test_is_a_bijection_onto_256_characters",
        "test_every_character_is_printable_and_not_whitespace",
        "test_printable_bytes_map_to_themselves",
        "test_remapped_bytes_are_consecutive_from_256",
        "test_keys_in_byte_order_and_a_fresh_dict_each_call",
        "test_unicode_to_bytes_is_the_inverse",
        "test_roundtrip_random_bytes",
        "test_roundtrip_utf8_text",
        "test_decode_rejects_characters_outside_the_image",
        "test_encode_rejects_str",
        "test_inverse_rejects_a_collision",
        "test_is_injective_cases",
        "test_is_surjective_cases",
    }
