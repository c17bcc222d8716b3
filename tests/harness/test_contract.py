"""Contracts say what the reference offers, and drift is what a caller would notice."""

import pytest

from harness.contract import Drift, drift, offered, read_declarations
from harness.course import load_course, read_text
from harness.errors import CourseError

CONTRACT = '''
from collections.abc import Mapping
LIMIT: int
def encode(data: bytes, *, strict: bool = True) -> str:
    """Encode."""
class Box:
    def open(self, key: int) -> str: ...
'''


def compare(code: str) -> list[str]:
    contract = read_declarations(CONTRACT, where="contract")
    return [one.name for one in drift(contract, read_declarations(code, where="code"))]


def test_contract_and_reference_declare_the_same() -> None:
    course = load_course()
    compared = 0
    for module in course.modules:
        for unit in module.units:
            contract = read_declarations(read_text(course.contract_path(unit)), where=unit)
            reference = read_declarations(read_text(course.unit_path(unit)), where=unit)
            ours = {one.name: one.shown for one in offered(contract) if one.parameters is not None}
            theirs = {one.name: one.shown for one in reference if one.parameters is not None}
            assert ours == theirs
            assert drift(contract, reference) == ()
            compared += len(ours)
    assert compared > 0


def test_every_declaration_of_a_contract_has_a_docstring() -> None:
    course = load_course()
    for module in course.modules:
        for unit in module.units:
            contract = read_declarations(read_text(course.contract_path(unit)), where=unit)
            silent = [one.name for one in contract if one.parameters is not None and not one.docstring]
            assert silent in ([], [name for name in silent if name.endswith("__init__")])


def test_code_that_offers_everything_has_no_drift() -> None:
    assert compare("LIMIT = 3\ndef encode(data, strict=True, more=1): ...\nclass Box:\n def open(self, key): ...") == []


@pytest.mark.parametrize(
    "encode",
    [
        "from elsewhere import encode",
        "encode = make()",
        "encode = lambda data, strict=True: data",
        "def encode(*args, **kwargs): ...",
        "try:\n import fast\nexcept ImportError:\n def encode(data, strict=True): ...",
        "if True:\n def encode(data, *, strict=False): ...",
    ],
)
def test_an_unusual_way_to_offer_a_function_is_no_drift(encode: str) -> None:
    assert compare(f"LIMIT = 3\n{encode}\nclass Box:\n def open(self, key): ...") == []


@pytest.mark.parametrize(
    "encode",
    [
        "",
        "def encode(): ...",
        "def encode(data): ...",
        "def encode(payload, *, strict=True): ...",
        "def encode(data, key, *, strict=True): ...",
        "class encode: ...",
    ],
)
def test_a_function_that_cannot_be_called_as_agreed_is_drift(encode: str) -> None:
    assert compare(f"LIMIT = 3\n{encode}\nclass Box:\n def open(self, key): ...") == ["encode"]


def test_missing_names_and_methods_are_drift() -> None:
    assert compare("def encode(data, strict=True): ...\nclass Box: ...") == ["LIMIT", "Box.open"]


def test_an_inherited_method_is_no_drift() -> None:
    assert compare("LIMIT = 3\ndef encode(data, strict=True): ...\nclass Box(Base): ...") == []


def test_drift_spells_out_both_sides() -> None:
    contract = read_declarations("def f(a: int) -> int: ...", where="contract")
    code = read_declarations("def f(b): ...", where="code")
    assert drift(contract, code) == (Drift("f", "def f(a: int) -> int", "def f(b)"),)


def test_what_does_not_parse_is_named() -> None:
    with pytest.raises(CourseError, match=r"broken\.py does not parse"):
        read_declarations("def f(", where="broken.py")
