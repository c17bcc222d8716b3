"""Mutants that nobody wrote: mutmut's operators as a library, and one step each way on every integer and range end.

They are made from the reference's text, never written to the tree, and known by an id that depends on nothing but
the function they are in, what stood there and what stands there now: an edit elsewhere leaves it as it was.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import libcst as cst
import libcst.matchers as m
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from harness.mutation.pairs import changed_function, parsed
from harness.mutation.patches import first_difference, unified_diff
from harness.records import Mutant, Tier

_ID_DIGITS = 6
_LONGEST_SNIPPET = 60


@dataclass(frozen=True, slots=True)
class _Change:
    """One node replaced by another."""

    before: cst.CSTNode
    after: cst.CSTNode
    function: str
    """Name of the top-level function or method around it; empty at module level."""
    line: int
    operator: str


def generate(units: Mapping[str, str], known: Iterable[Mutant] = ()) -> tuple[Mutant, ...]:
    """The generated mutants of a module's units, in the order of the text.

    Left out are those whose syntax tree is the reference's, that of an earlier one, or that of a `known` mutant.
    """
    known = list(known)
    mutants: dict[str, Mutant] = {}
    for unit, text in units.items():
        wrapper = MetadataWrapper(cst.parse_module(text))
        splicer = _Splicer(wrapper)
        seen = {_tree(text, mutant.sources[unit]) for mutant in known if unit in mutant.sources}
        for change in sorted(_changes(wrapper), key=lambda change: change.line):
            mutated = splicer.mutated(change)
            tree = _tree(text, mutated)
            if tree is None or tree in seen:
                continue
            seen.add(tree)
            mutant = _mutant(unit, text, mutated, change, taken=mutants)
            mutants[mutant.id] = mutant
    return tuple(mutants.values())


class _Splicer:
    """Texts of a module with one node replaced."""

    def __init__(self, wrapper: MetadataWrapper) -> None:
        self._module = wrapper.module
        self._bytes = wrapper.module.bytes
        self._spans = wrapper.resolve(ByteSpanPositionProvider)

    def mutated(self, change: _Change) -> str:
        """The whole text with the change; where a node's span is not all of its text, LibCST writes the tree anew.

        Writing the tree of a long file takes a hundred times as long as putting one piece of text in another's place.
        """
        span = self._spans.get(change.before)
        if span is not None:
            start, end = span.start, span.start + span.length
            before = self._module.code_for_node(change.before).encode()
            if self._bytes[start:end] == before:
                after = self._module.code_for_node(change.after).encode()
                return (self._bytes[:start] + after + self._bytes[end:]).decode()
        tree = self._module.deep_replace(change.before, change.after)
        assert isinstance(tree, cst.Module)
        return tree.code


def _tree(reference: str, mutated: str) -> tuple[str, ...] | None:
    """The same for two texts with the same syntax tree, and None for that of `reference`."""
    changed = changed_function(reference, mutated)
    if changed is not None:
        function, node = changed
        tree = ast.dump(node)
        return None if tree == ast.dump(function.node) else (function.name, str(function.first), tree)
    try:
        tree = ast.dump(ast.parse(mutated))
    except SyntaxError:
        return ("does not parse", mutated)
    return None if tree == ast.dump(parsed(reference)) else ("the whole", tree)


def _mutant(unit: str, text: str, mutated: str, change: _Change, *, taken: Mapping[str, Mutant]) -> Mutant:
    line = first_difference(text, mutated)
    before, after = _code(change.before), _code(change.after)
    place = change.function or "the module"
    seen = 0
    while (id_ := _id(unit, change.function, change.operator, before, after, str(seen))) in taken:
        seen += 1  # the same change at another place of the same function
    return Mutant(
        id=id_,
        tier=Tier.GENERATED,
        sources={unit: mutated},
        unit=unit,
        line=line,
        diff=unified_diff(text, mutated, unit),
        description=f"{place}: {_short(before)} becomes {_short(after)}",
        operator=change.operator,
        required=False,
    )


def _id(*parts: str) -> str:
    return "g" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_ID_DIGITS]


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node).strip()


def _short(code: str) -> str:
    one_line = " ".join(code.split())
    return one_line if len(one_line) <= _LONGEST_SNIPPET else one_line[: _LONGEST_SNIPPET - 3] + "..."


# --- operators ----------------------------------------------------------------------------------------------------


def _changes(wrapper: MetadataWrapper) -> Iterator[_Change]:
    visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    positions = wrapper.resolve(PositionProvider)
    functions = _enclosing_functions(wrapper.module)
    inert = _declared_types(wrapper.module)

    def change(before: cst.CSTNode, after: cst.CSTNode, operator: str) -> _Change:
        position = positions.get(before)
        return _Change(before, after, functions.get(before, ""), position.start.line if position else 0, operator)

    # The steps come first: they write a hexadecimal literal as one, where mutmut's own step would not.
    steps = _Steps()
    wrapper.module.visit(steps)
    for before, after, operator in steps.found:
        yield change(before, after, operator)
    for mutation in visitor.mutations:
        if mutation.original_node not in inert:
            yield change(mutation.original_node, mutation.mutated_node, "mutmut")


def _declared_types(module: cst.Module) -> set[cst.CSTNode]:
    """All nodes of ``K = TypeVar("K")`` and the like at module level: only a type checker ever looks at them."""
    call = m.Call(func=m.Name("TypeVar") | m.Name("ParamSpec") | m.Name("NewType"))
    declaration = m.Assign(value=call) | m.AnnAssign(annotation=m.Annotation(m.Name("TypeAlias")))
    return {
        node
        for statement in module.body
        if m.matches(statement, m.SimpleStatementLine(body=[declaration]))
        for node in _descendants(statement)
    }


def _descendants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _descendants(child)


def _enclosing_functions(module: cst.Module) -> dict[cst.CSTNode, str]:
    """For every node inside a top-level function or a method, that function's qualified name."""
    names: dict[cst.CSTNode, str] = {}

    def walk(body: Iterable[cst.CSTNode], prefix: str) -> None:
        for node in body:
            if isinstance(node, cst.FunctionDef):
                names.update(dict.fromkeys(_descendants(node), prefix + node.name.value))
            elif isinstance(node, cst.ClassDef):
                walk(node.body.body, f"{prefix}{node.name.value}.")

    walk(module.body, "")
    return names


# LibCST calls visitors by these names.
# ruff: noqa: N802
class _Steps(cst.CSTVisitor):
    """One step up and one down on every integer literal, and on every end of a ``range`` that is no literal."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[cst.CSTNode, cst.CSTNode, str]] = []

    def visit_Integer(self, node: cst.Integer) -> None:
        for step in (1, -1):
            value = node.evaluated_value + step
            if value >= 0:
                self.found.append((node, node.with_changes(value=_like(node.value, value)), f"integer {step:+d}"))
            else:
                self.found.append((node, cst.parse_expression(f"({value})"), f"integer {step:+d}"))

    def visit_Call(self, node: cst.Call) -> None:
        if isinstance(node.func, cst.Name) and node.func.value == "range":
            for argument in node.args:
                if not isinstance(argument.value, cst.Integer):
                    for sign in "+-":
                        stepped = cst.parse_expression(f"({_code(argument.value)}) {sign} 1")
                        self.found.append((argument.value, stepped, f"range end {sign}1"))

    def visit_Annotation(self, node: cst.Annotation) -> bool:
        return False  # nothing happens there


def _like(literal: str, value: int) -> str:
    """The value written in the base of the literal, so that the diff reads as a person would have made it."""
    lowered = literal.lower()
    if lowered.startswith("0x"):
        return f"0x{value:0{len(literal) - 2}X}"
    if lowered.startswith("0b"):
        return bin(value)
    if lowered.startswith("0o"):
        return oct(value)
    return str(value)
