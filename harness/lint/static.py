"""The rules that can be told from the files alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from harness.contract import drift, offered, read_declarations
from harness.course import Course, read_text
from harness.errors import CourseError
from harness.mutation.patches import unified_diff
from harness.records import CatalogEntry, Module, Mutant, Problem, Tier


def contract_agrees(course: Course, module: Module) -> Iterator[Problem]:
    """Contract and reference declare the same names with the same signatures, and each has a docstring."""
    for unit in module.units:
        try:
            contract = read_declarations(read_text(course.contract_path(unit)), where=f"the contract of {unit}")
            reference = read_declarations(read_text(course.unit_path(unit)), where=unit)
        except CourseError as error:
            yield Problem("contract", unit, str(error))
            continue
        promised = {one.name: one.shown for one in offered(contract) if one.parameters is not None}
        kept = {one.name: one.shown for one in reference if one.parameters is not None}
        for name in promised.keys() | kept.keys():
            left, right = promised.get(name, "nothing"), kept.get(name, "nothing")
            if left != right and not (left == "nothing" and name.endswith("__init__")):
                yield Problem("contract", name, f"the contract has {left}, the reference {right}")
        for lacking in drift(contract, reference):
            if lacking.name not in promised:
                message = f"the contract has {lacking.expected}, the reference {lacking.found}"
                yield Problem("contract", lacking.name, message)
        for one in contract:
            if one.parameters is not None and not one.docstring and not one.name.endswith("__init__"):
                yield Problem("contract", one.name, "the contract says nothing about it: a docstring is missing")


def patches_are_canonical(
    course: Course, module: Module, units: Mapping[str, str], curated: Sequence[Mutant]
) -> Iterator[Problem]:
    """A patch is exactly the diff of what it makes: it fits its place, and says no more than it does."""
    for mutant in curated:
        if mutant.tier is Tier.WHEAT:
            continue
        path = course.mutants(module) / f"{mutant.id}.patch"
        made = "".join(unified_diff(units[unit], text, unit) for unit, text in mutant.sources.items())
        if read_text(path) != made:
            yield Problem("patches", mutant.id, f"{path.name} is not the diff between the reference and its own result")


def mutants_differ(units: Mapping[str, str], mutants: Sequence[Mutant]) -> Iterator[Problem]:
    """No mutant equals the reference or another mutant, and no wheat another wheat, in their syntax trees."""
    trees = {mutant.id: _trees(units, mutant) for mutant in mutants}
    reference = {unit: _tree(text) for unit, text in units.items()}
    for mutant in mutants:
        if trees[mutant.id] == reference:
            yield Problem("differ", mutant.id, "does not differ from the reference")
    for one, other in combinations(mutants, 2):
        if trees[one.id] == trees[other.id]:
            yield Problem("differ", other.id, f"is the same as {one.id}")


def _trees(units: Mapping[str, str], mutant: Mutant) -> dict[str, str]:
    return {unit: _tree(mutant.sources.get(unit, text)) for unit, text in units.items()}


def _tree(text: str) -> str:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        # Two wheats that differ in their docstrings alone are one wheat.
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def claims_agree(catalog: Sequence[CatalogEntry], curated: Sequence[Mutant]) -> Iterator[Problem]:
    """CATCHES lines and the manifest's `caught_by` tell the same story, and every curated mutant is in it."""
    claims = {(mutant, entry.name) for entry in catalog for mutant in entry.catches}
    listed = {(mutant.id, test) for mutant in curated for test in mutant.caught_by}
    for mutant, test in sorted(listed - claims):
        yield Problem("claims", mutant, f"the manifest says that {test} catches it, and the test does not")
    for mutant, test in sorted(claims - listed):
        yield Problem("claims", mutant, f"{test} says that it catches it, and the manifest does not")
    for one in curated:
        if one.tier is not Tier.WHEAT and not any(mutant == one.id for mutant, _ in claims):
            yield Problem("claims", one.id, "no test claims to catch it")
