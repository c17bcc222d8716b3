"""What tests are worth: shares in whole cents, single points, and rules that cannot be obeyed."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.catalog import read_catalog
from harness.course import load_course
from harness.errors import UsageError
from harness.grading.rules import Lateness, scheme
from harness.records import CatalogEntry, Kind, Module, Visibility

MODULE = Module("T1", "Doubling numbers", ("tinypkg/double.py",))


def entry(name: str, kind: Kind = Kind.UNIT) -> CatalogEntry:
    return CatalogEntry(name, Path("test_it.py"), 1, "A law.", kind, "checks", "why", ())


CATALOG = [entry("test_a"), entry("test_b", Kind.PROPERTY), entry("test_c", Kind.PROPERTY)]


def rules(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(text)
    return path


def worth(path: Path | None = None, module: Module = MODULE) -> dict[str, str]:
    return {one.name: str(one.max_points) for one in scheme(module, CATALOG, path).tests}


def test_each_kind_has_its_share_and_its_tests_split_it() -> None:
    assert worth() == {"test_a": "50.00", "test_b": "25.00", "test_c": "25.00"}


def test_weights_of_the_course_are_overridden_by_a_rule_file(tmp_path: Path) -> None:
    module = Module("T1", "", ("a.py",), weights={"property": 3})
    assert worth(module=module)["test_a"] == "25.00"
    assert worth(rules(tmp_path, "[weights]\nproperty = 1"), module)["test_a"] == "50.00"


def test_a_single_test_can_have_points_of_its_own(tmp_path: Path) -> None:
    assert worth(rules(tmp_path, 'max_points = 10\n[points]\n"test_[bc]" = 2.5')) == {
        "test_a": "5.00",
        "test_b": "2.50",
        "test_c": "2.50",
    }


@given(
    kinds=st.lists(st.sampled_from(list(Kind)), min_size=1, max_size=60),
    weights=st.dictionaries(st.sampled_from([str(kind) for kind in Kind]), st.integers(1, 1000)),
    points=st.integers(7000, 10_000_00),
)
def test_points_sum_up_to_the_cent(kinds: list[Kind], weights: dict[str, int], points: int) -> None:
    """Whatever is split into whatever shares, nothing is lost to rounding, and every test is worth something."""
    catalog = [entry(f"test_{place}", kind) for place, kind in enumerate(kinds)]
    module = Module("T1", "", ("a.py",), weights=weights, grading={"max_points": points / 100})
    try:
        found = scheme(module, catalog)
    except UsageError as error:
        assert "would be worth nothing" in str(error)
        return
    assert sum(one.max_points for one in found.tests) == found.max_points == Decimal(points) / 100
    assert all(one.max_points > 0 for one in found.tests)


def test_required_and_hidden_tests_are_named_by_patterns(tmp_path: Path) -> None:
    path = rules(tmp_path, 'required = ["test_a"]\nhidden = ["test_*"]\n[visibility]\ntest_c = "after_due_date"')
    found = {one.name: (one.required, one.visibility) for one in scheme(MODULE, CATALOG, path).tests}
    assert found == {
        "test_a": (True, Visibility.HIDDEN),
        "test_b": (False, Visibility.HIDDEN),
        "test_c": (False, Visibility.AFTER_DUE_DATE),
    }


@pytest.mark.parametrize(
    ("late_days", "percent"), [(0, 0), (1, 0), (2, 10), (3, 20), (9, 50)], ids=lambda value: str(value)
)
def test_lateness_costs_by_the_day_after_grace_and_up_to_a_most(late_days: int, percent: int) -> None:
    late = Lateness(Decimal(10), Decimal(50), grace_days=1)
    assert late.percent(late_days) == percent


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_point = 10", "did you mean 'max_points'?"),
        ("max_points = -1", "max_points cannot be -1"),
        ("max_points = true", "max_points cannot be True"),
        ("max_points = nan", "max_points cannot be nan"),
        ("max_points = 0.02", "too few"),
        ('required = ["test_d"]', "no test is called 'test_d'"),
        ('required = "test_a"', "required cannot be 'test_a'"),
        ("required = [1]", "no test is called 1"),
        ('[visibility]\ntest_a = "secret"', "cannot be 'secret'"),
        ("[points]\ntest_a = 200", "leaves less than nothing"),
        ('[points]\n"test_*" = 1', "nothing is left to share them among"),
        ("[late]\npercent_per_day = 200", "late.percent_per_day cannot be 200"),
        ("[late]\ngrace_days = 1.5", "late.grace_days cannot be 1.5"),
        ("[late]\ndays = 1", "unknown key 'days'"),
        ("[weights]\nproprety = 2", "did you mean 'property'?"),
        ("weights = 2", "docs/grading.md shows the form"),
        ("seed_per_student = true", "the same code has the same grade"),
        ("a = ", "is not TOML"),
    ],
)
def test_a_rule_that_cannot_be_obeyed_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = rules(tmp_path, text)
    with pytest.raises(UsageError) as refused:
        scheme(MODULE, CATALOG, path)
    assert said in f"{refused.value} {refused.value.remedy}"
    assert str(path) in str(refused.value) or "too few" in said


def test_rules_of_a_course_are_held_to_the_same_form() -> None:
    for grading in ({"max_point": 10}, 5):
        module = Module("T1", "", ("a.py",), grading=grading)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"course\.toml, T1\.grading"):
            scheme(module, CATALOG)


def test_the_example_of_the_manual_is_obeyed(tmp_path: Path) -> None:
    manual = (Path(__file__).parents[3] / "docs" / "grading.md").read_text("utf-8")
    course = load_course()
    module = course.module("M05.2")
    found = scheme(
        module, read_catalog(course.test_files(module)), rules(tmp_path, manual.split("```toml\n")[1].split("```")[0])
    )
    worth = {one.name: one for one in found.tests}
    assert found.max_points == sum(one.max_points for one in found.tests) == 10
    assert str(worth["test_matches_gpt2_table"].max_points) == "2.50"
    assert worth["test_roundtrip_random_bytes"].required
    assert worth["test_decode_rejects_characters_outside_the_image"].visibility is Visibility.HIDDEN
    assert found.late == Lateness(Decimal(10), Decimal(50), grace_days=1)


def test_a_rule_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.toml cannot be read"):
        scheme(MODULE, CATALOG, tmp_path / "nowhere.toml")
