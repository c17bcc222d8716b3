"""The statements in which two versions of a module differ, the innermost ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
Pair = tuple[ast.stmt, ast.stmt | None, ast.AST]
"""A statement of the first version, what it became (None where statements came or went), the function around it."""


def differing_statements(before: ast.AST, after: ast.AST) -> list[Pair]:
    """Pairs for two versions that differ inside function bodies only.

    Where statements came or went, every statement of that block is in the list: control that enters the block gets to
    the first of them, whatever was inserted or left out behind it.
    """
    return list(_compare(before, after, before))


def _compare(before: ast.AST, after: ast.AST, function: ast.AST) -> Iterator[Pair]:
    for old, new in zip(blocks(before), blocks(after), strict=True):
        if len(old) != len(new):
            yield from ((statement, None, function) for statement in old)
            continue
        for one, other in zip(old, new, strict=True):
            if _header(one) != _header(other):
                yield one, other, function
            else:
                inside = one if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) else function
                yield from _compare(one, other, inside)


def blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements directly inside one, those of its handlers and cases included."""
    for name in _BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            if isinstance(block[0], ast.stmt):
                yield block
            else:
                for part in block:
                    yield part.body


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
