"""The statements in which two versions of a module differ, the innermost ones."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
Pair = tuple[ast.stmt, ast.stmt | None, ast.AST]
"""A statement of the first version, what it became (None where statements came or went), the function around it."""


def differing_statements(before: str, after: str) -> list[Pair]:
    """Pairs for two texts that differ inside function bodies only.

    Where statements came or went, every statement of that block is in the list: control that enters the block gets to
    the first of them, whatever was inserted or left out behind it.
    """
    comparison = _Comparison(before.splitlines(), after.splitlines())
    if (changed := changed_function(before, after)) is not None:
        function, node = changed
        return list(comparison.of(function.node, node, function.node))
    return list(comparison.of(parsed(before), parsed(after), None))


@functools.lru_cache(maxsize=32)
def parsed(source: str) -> ast.Module:
    """A text's tree, which nobody may change: the reference's is asked for by each mutant, a mutant's several times."""
    return ast.parse(source)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a module or a method of one of its classes; lines count from 0."""

    name: str
    """Qualified."""
    node: ast.FunctionDef | ast.AsyncFunctionDef
    first: int
    """Of its decorators, where it has any."""
    body: int
    """The first line that holds nothing of its heading."""
    end: int
    """Past its last line."""


@functools.lru_cache(maxsize=32)
def functions(source: str) -> tuple[Function, ...]:
    """All functions of a text in order; those inside functions are their affair."""
    return tuple(_functions(parsed(source), ""))


def _functions(node: ast.AST, prefix: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)]) - 1
            end = child.end_lineno or child.lineno
            body = child.body[0].lineno - 1
            yield Function(prefix + child.name, child, first, end if body < child.lineno else body, end)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif not isinstance(child, ast.expr):
            yield from _functions(child, prefix)


def changed_function(before: str, after: str) -> tuple[Function, ast.FunctionDef | ast.AsyncFunctionDef] | None:
    """The function of `before` in whose body alone the texts differ, and what it is in `after`; None if it is not so.

    Only that function is parsed: a long module has a thousand mutants, and each differs in one line.
    """
    old, new = before.split("\n"), after.split("\n")
    same = _alike(old, new)
    end = len(old) - _alike(old[same:][::-1], new[same:][::-1])
    more = len(new) - len(old)
    for function in functions(before):
        if function.body <= same and end <= function.end:
            indented = function.node.col_offset > 0
            lines = ["if 1:"] * indented + new[function.first : function.end + more]
            try:
                tree = ast.parse("\n".join(lines))
            except SyntaxError:
                return None
            found = tree.body[0].body if indented and isinstance(tree.body[0], ast.If) else tree.body
            if len(tree.body) == len(found) == 1 and isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef):
                ast.increment_lineno(tree, function.first - indented)
                return function, found[0]
            return None
    return None


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines two lists have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@dataclass(frozen=True, slots=True)
class _Comparison:
    before: list[str]
    after: list[str]

    def of(self, old: ast.AST, new: ast.AST, function: ast.AST | None) -> Iterator[Pair]:
        """The pairs inside two statements whose headers are the same."""
        for block, other in zip(blocks(old), blocks(new), strict=True):
            if len(block) != len(other):
                yield from ((statement, None, function or old) for statement in block)
                continue
            for one, two in zip(block, other, strict=True):
                if self._same_lines(one, two):
                    continue
                if _header(one) != _header(two):
                    yield one, two, function or old
                else:
                    inside = one if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) else function
                    yield from self.of(one, two, inside)

    def _same_lines(self, one: ast.stmt, two: ast.stmt) -> bool:
        """Whether two statements are written alike, and so are alike: most are, and a tree costs more to look at."""
        old = self.before[one.lineno - 1 : one.end_lineno]
        return one.col_offset == two.col_offset and old == self.after[two.lineno - 1 : two.end_lineno]


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
