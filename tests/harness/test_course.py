"""A course's manifest is read exactly; every mistake in it is named with its key."""

from pathlib import Path

import pytest

from harness.course import dotted, find_course, load_course, read_text
from harness.errors import CourseError, UsageError

TINY = Path(__file__).parent / "courses" / "tiny"


def write(tmp_path: Path, modules: str) -> Path:
    (tmp_path / "course.toml").write_text(f'[course]\ntitle = "t"\n{modules}')
    return tmp_path


ONE = '[[module]]\nid = "T1"\ntitle = "One"\nunits = ["p/a.py"]\n'


def test_the_built_in_course_is_found() -> None:
    assert load_course().modules[0].id == "M05.2"


def test_another_course_is_read_from_its_folder() -> None:
    course = load_course(TINY)
    module = course.module("T1")
    assert (module.title, module.units) == ("Doubling numbers", ("tinypkg/double.py",))
    assert course.read_units(module)["tinypkg/double.py"].startswith('"""Doubles numbers."""')


def test_a_units_import_name() -> None:
    assert dotted("tinyllm/tok/bpe.py") == "tinyllm.tok.bpe"


def test_a_folder_that_is_no_course_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it holds no"):
        find_course(tmp_path)


def test_an_unknown_module_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="no module 't2'") as caught:
        load_course(TINY).module("t2")
    assert "T1" in caught.value.remedy


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ("", r"declares no \[\[module\]\]"),
        (ONE + 'neds = ["x"]\n', "unknown key 'neds'"),
        (ONE.replace('title = "One"\n', ""), "'title' is missing"),
        (ONE.replace('["p/a.py"]', '"p/a.py"'), "'units' must be a list of strings"),
        (ONE.replace("p/a.py", "../a.py"), "must be a .py path below reference/"),
        (ONE.replace("p/a.py", "p/a"), "must be a .py path below reference/"),
        (ONE + ONE, "'T1' stands twice"),
        (ONE + 'needs = ["T0"]\n', "needs 'T0', which does not stand before it"),
        ("[[module]\n", "is not TOML"),
    ],
)
def test_a_mistake_in_the_manifest_is_named(modules: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=message):
        load_course(write(tmp_path, modules))


def test_a_misspelt_key_is_answered_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(CourseError) as caught:
        load_course(write(tmp_path, ONE + 'neds = ["x"]\n'))
    assert "'needs'" in caught.value.remedy


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes(b"# \xe9\n")
    with pytest.raises(CourseError, match=r"latin\.py cannot be read"):
        read_text(path)
