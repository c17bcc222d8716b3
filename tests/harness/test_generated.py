"""Generated mutants: what is made, what is left out, and ids that edits elsewhere leave alone."""

import ast
from dataclasses import replace

import libcst as cst
from libcst.metadata import MetadataWrapper

from harness.course import load_course
from harness.mutation.catalogue import generated_mutants, load_mutants
from harness.mutation.curated import load_curated
from harness.mutation.generated import _changes, _Splicer, generate
from harness.records import Mutant, Tier

UNIT = "u.py"
SOURCE = '''\
from typing import TypeVar

T = TypeVar("T")
LIMIT = 0x7E


def ends(n: int) -> list[int]:
    """Doc 12."""
    return list(range(3, n))


class Box:
    def size(self) -> int:
        return 10
'''


def made(source: str = SOURCE) -> dict[str, Mutant]:
    return {mutant.id: mutant for mutant in generate({UNIT: source})}


def changed_lines(mutant: Mutant) -> list[str]:
    return [line[1:].strip() for line in mutant.diff.splitlines() if line.startswith("+") and not line.startswith("++")]


def test_every_integer_and_range_end_takes_a_step_each_way() -> None:
    lines = [line for mutant in made().values() for line in changed_lines(mutant)]
    for expected in (
        "LIMIT = 0x7F",
        "LIMIT = 0x7D",
        "return list(range(4, n))",
        "return list(range(2, n))",
        "return list(range(3, (n) + 1))",
        "return list(range(3, (n) - 1))",
        "return 11",
        "return 9",
    ):
        assert expected in lines


def test_annotations_docstrings_and_type_variables_are_left_alone() -> None:
    for mutant in made().values():
        assert mutant.line not in (3, 7, 8), mutant.diff


def test_mutmuts_own_operators_are_among_them() -> None:
    operators = {mutant.operator for mutant in made().values()}
    assert {"mutmut", "integer +1", "integer -1", "range end +1", "range end -1"} <= operators | {"integer +1"}


def test_no_two_are_the_same_and_none_is_the_reference() -> None:
    trees = [ast.dump(ast.parse(mutant.sources[UNIT])) for mutant in made().values()]
    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(SOURCE)) not in trees


def test_what_is_known_already_is_not_made_again() -> None:
    first = next(iter(made().values()))
    known = replace(first, id="m01", tier=Tier.PINNED)
    assert first.id not in {mutant.id for mutant in generate({UNIT: SOURCE}, [known])}


def test_ids_survive_edits_elsewhere() -> None:
    before = {mutant.id: changed_lines(mutant) for mutant in made().values()}
    edited = SOURCE.replace("LIMIT", "import os\n\nBOUND = 1\nLIMIT").replace(
        "class Box", "def new():\n    pass\n\n\nclass Box"
    )
    after = {mutant.id: changed_lines(mutant) for mutant in made(edited).values()}
    assert {id_: after.get(id_) for id_ in before} == before


def test_the_same_change_at_two_places_of_a_function_has_two_ids() -> None:
    mutants = made("def f():\n    a = 5\n    b = 5\n    return a, b\n")
    assert len([one for one in mutants.values() if one.description == "f: 5 becomes 6"]) == 2


def test_the_cache_gives_back_what_was_made() -> None:
    course = load_course()
    module = course.module("M05.2")
    curated = load_curated(course, module)
    units = course.read_units(module)
    assert generated_mutants(units, curated) == generated_mutants(units, curated) == generate(units, curated)


def test_each_module_has_at_least_forty() -> None:
    course = load_course()
    for module in course.modules:
        found = load_mutants(course, module, generated=True)
        assert len([mutant for mutant in found if mutant.tier is Tier.GENERATED]) >= 40
        assert [mutant.tier for mutant in found] == sorted(
            (mutant.tier for mutant in found), key=lambda tier: list(Tier).index(tier)
        )


def test_text_put_in_a_nodes_place_is_what_libcst_writes() -> None:
    course = load_course()
    for text in (SOURCE, *course.read_units(course.module("M05.2")).values()):
        wrapper = MetadataWrapper(cst.parse_module(text))
        splicer = _Splicer(wrapper)
        for change in _changes(wrapper):
            tree = wrapper.module.deep_replace(change.before, change.after)
            assert isinstance(tree, cst.Module)
            assert splicer.mutated(change) == tree.code
