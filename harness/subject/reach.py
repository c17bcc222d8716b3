"""Which tests can notice a change at all: those that run a statement that the change touches.

A test that never gets to a changed statement does exactly what it does on the reference, so it need not run. Which
statements a test gets to is noted by the reference itself, in a form in which every statement of a function first
says its line: a tracing hook would slow the whole process, and the baseline's times are what limits are made from.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from harness.subject.inprocess import type_of_function

_RECORDER = "__tokproof_reached__"
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


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
            for inner in _blocks(statement):
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


def _blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements directly inside one, those of its handlers and cases included."""
    for name in _BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            if isinstance(block[0], ast.stmt):
                yield block
            else:
                for part in block:
                    yield part.body


def record_into(reached: set[str]) -> None:
    """Let such a module's statements note themselves in `reached`."""
    setattr(builtins, _RECORDER, reached.add)


def changed_statements(reference: str, changed: str, unit: str) -> frozenset[str]:
    """``unit:line`` of the reference's statements that a change inside function bodies touches.

    Where statements came or went, every statement of that block counts: control that enters the block gets to the
    first of them, whatever was inserted or left out behind it.
    """
    before, after = ast.parse(reference), ast.parse(changed)
    found: set[int] = set()
    _compare(before, after, found)
    return frozenset(f"{unit}:{line}" for line in found)


def _compare(before: ast.AST, after: ast.AST, found: set[int]) -> None:
    """Collect the lines of the statements inside `before` that differ; the two have the same header."""
    for old, new in zip(_blocks(before), _blocks(after), strict=True):
        if len(old) != len(new):
            found.update(statement.lineno for statement in old)
            continue
        for one, other in zip(old, new, strict=True):
            if _header(one) != _header(other):
                found.add(one.lineno)
            else:
                _compare(one, other, found)


def _header(statement: ast.stmt) -> str:
    """A statement without the blocks inside it, but with their number and, for handlers and cases, their heads."""
    parts: list[object] = [type(statement).__name__]
    for name, value in ast.iter_fields(statement):
        if name not in _BLOCKS:
            parts.append(_shown(value))
        elif value and not isinstance(value[0], ast.stmt):
            parts += [_shown([inner for key, inner in ast.iter_fields(part) if key != "body"]) for part in value]
        else:
            parts.append(bool(value))
    return repr(parts)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return repr([_shown(one) for one in value])
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)
