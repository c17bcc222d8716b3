"""Contracts: what a unit must offer, read from its ``.pyi``, and where code has drifted from it.

Everything is read from syntax trees. Nothing is imported, so a submission that hangs at import can be compared too.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from harness.errors import CourseError


class Sort(StrEnum):
    """What a public name is bound to."""

    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    """A constant, or anything that the syntax tree does not show: an import, a partial, a lambda."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One public name of a unit; a method is called ``Class.method``."""

    name: str
    sort: Sort
    shown: str
    """How a reader would write it: ``def encode_bytes(data: bytes) -> str``."""
    parameters: ast.arguments | None = None
    docstring: str = ""


@dataclass(frozen=True, slots=True)
class Drift:
    """A name whose code is not what the contract says."""

    name: str
    expected: str
    found: str
    """How the code has it, or ``nothing``."""


def read_declarations(source: str, *, where: str) -> tuple[Declaration, ...]:
    """The public names that a module or a contract binds, in order; CourseError where it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        message = f"{where} does not parse: {error}"
        raise CourseError(message) from error
    return tuple(_declarations(tree.body, ""))


def _declarations(body: list[ast.stmt], prefix: str) -> Iterator[Declaration]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if _is_public(node.name):
                yield Declaration(
                    prefix + node.name, Sort.FUNCTION, _heading(node), node.args, ast.get_docstring(node) or ""
                )
        elif isinstance(node, ast.ClassDef):
            if _is_public(node.name):
                yield Declaration(
                    prefix + node.name, Sort.CLASS, _class_heading(node), docstring=ast.get_docstring(node) or ""
                )
                yield from _declarations(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _values(node, prefix)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                if _is_public(name):
                    yield Declaration(prefix + name, Sort.VALUE, ast.unparse(node))
        else:
            for part in ("body", "orelse", "finalbody"):
                yield from _declarations(getattr(node, part, []), prefix)
            for handler in getattr(node, "handlers", []):
                yield from _declarations(handler.body, prefix)


def _values(node: ast.Assign | ast.AnnAssign, prefix: str) -> Iterator[Declaration]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for name in ast.walk(target):
            if isinstance(name, ast.Name) and _is_public(name.id):
                yield Declaration(prefix + name.id, Sort.VALUE, ast.unparse(node))


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def _heading(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"def {node.name}({ast.unparse(node.args)}){returns}"


def _class_heading(node: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    return f"class {node.name}({bases})" if bases else f"class {node.name}"


def offered(declarations: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """A contract's own names: without what it imports and the type variables it needs to say what it says."""
    return tuple(
        one for one in declarations if not one.shown.startswith(("from ", "import ")) and "TypeVar(" not in one.shown
    )


def drift(contract: tuple[Declaration, ...], code: tuple[Declaration, ...]) -> tuple[Drift, ...]:
    """Where `code` cannot be used as `contract` says.

    Only what a caller would notice counts: a name that is not there, or a function that cannot be called in a way
    that the contract allows. Annotations, further optional parameters and further names are the author's own; what
    the tree does not show (an imported or assigned function) is left to the tests.
    """
    found = {one.name: one for one in code}
    if "*" in found:
        return ()
    drifts = []
    for wanted in offered(contract):
        actual = found.get(wanted.name)
        owner = found.get(wanted.name.rpartition(".")[0])
        if actual is None:
            inherited = owner is not None and (owner.sort is not Sort.CLASS or "(" in owner.shown)
            if not inherited:
                drifts.append(Drift(wanted.name, wanted.shown, "nothing"))
        elif wanted.sort is Sort.FUNCTION and not _callable_alike(wanted, actual):
            drifts.append(Drift(wanted.name, wanted.shown, actual.shown))
    return tuple(drifts)


def _callable_alike(wanted: Declaration, actual: Declaration) -> bool:
    if actual.sort is not Sort.FUNCTION:
        return actual.sort is Sort.VALUE
    assert wanted.parameters is not None
    assert actual.parameters is not None
    theirs = _signature(actual.parameters)
    for positional, keywords in _ways_to_call(_signature(wanted.parameters)):
        try:
            theirs.bind(*positional, **keywords)
        except TypeError:
            return False
    return True


def _signature(arguments: ast.arguments) -> inspect.Signature:
    kinds = inspect.Parameter
    parameters = []
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        kind = kinds.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else kinds.POSITIONAL_OR_KEYWORD
        default = kinds.empty if index < first_default else None
        parameters.append(inspect.Parameter(argument.arg, kind, default=default))
    if arguments.vararg:
        parameters.append(inspect.Parameter(arguments.vararg.arg, kinds.VAR_POSITIONAL))
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = kinds.empty if value is None else None
        parameters.append(inspect.Parameter(argument.arg, kinds.KEYWORD_ONLY, default=default))
    if arguments.kwarg:
        parameters.append(inspect.Parameter(arguments.kwarg.arg, kinds.VAR_KEYWORD))
    return inspect.Signature(parameters)


def _ways_to_call(signature: inspect.Signature) -> Iterator[tuple[list[None], dict[str, None]]]:
    """Calls that the signature allows: all by position, all by name, and with no more than it requires."""
    kinds = inspect.Parameter
    by_position = [
        one for one in signature.parameters.values() if one.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    by_name = [one for one in signature.parameters.values() if one.kind is kinds.KEYWORD_ONLY]
    required = [one for one in by_position if one.default is kinds.empty]
    required_names = {one.name: None for one in by_name if one.default is kinds.empty}
    yield [None] * len(by_position), {one.name: None for one in by_name}
    yield [None] * len(required), required_names
    position_only = [one for one in by_position if one.kind is kinds.POSITIONAL_ONLY]
    named = {one.name: None for one in by_position if one.kind is not kinds.POSITIONAL_ONLY}
    yield [None] * len(position_only), named | {one.name: None for one in by_name}
