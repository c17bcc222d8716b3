"""Which tests can notice a change at all: those that run a statement that the change touches.

A test that never gets to a changed statement does exactly what it does on the reference, so it need not run. Which
statements a test gets to is noted by the reference itself, in a form in which every statement of a function first
says its line: a tracing hook would slow the whole process, and the baseline's times are what limits are made from.
"""

from __future__ import annotations

import ast
import builtins

from harness.mutation.pairs import blocks, differing_statements
from harness.subject.inprocess import type_of_function

_RECORDER = "__tokproof_reached__"


def note_statements(source: str, unit: str) -> str:
    """The same module, in which every statement inside a function first notes ``unit:line``."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, type_of_function):
            node.body = _noted(node.body, unit)
    return ast.unparse(ast.fix_missing_locations(tree))


def _noted(block: list[ast.stmt], unit: str) -> list[ast.stmt]:
    noted: list[ast.stmt] = []
    for statement in block:
        if _is_note(statement):
            return block  # a nested function, met a second time
        noted += [_note(unit, statement.lineno), statement]
        if not isinstance(statement, (*type_of_function.__args__, ast.ClassDef)):
            for inner in blocks(statement):
                inner[:] = _noted(inner, unit)
    return noted


def _note(unit: str, line: int) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(_RECORDER, ast.Load()), [ast.Constant(f"{unit}:{line}")], []))


def _is_note(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and statement.value.func.id == _RECORDER
    )


def record_into(reached: set[str]) -> None:
    """Let such a module's statements note themselves in `reached`."""
    setattr(builtins, _RECORDER, reached.add)


def changed_statements(reference: str, changed: str, unit: str) -> frozenset[str]:
    """``unit:line`` of the reference's statements that a change inside function bodies touches."""
    pairs = differing_statements(reference, changed)
    return frozenset(f"{unit}:{old.lineno}" for old, _, _ in pairs)
