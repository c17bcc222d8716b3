"""`ol diff`: a student's code beside the reference, function by function."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass

_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Difference:
    """One function or class, or what stands around them, in both versions."""

    name: str
    diff: str
    """Unified diff from the student's to the reference's; empty where the two say the same in other layout."""


def compare(yours: str, reference: str) -> tuple[Difference, ...]:
    """Every top-level function and class that is in either text, in the reference's order, then the rest."""
    mine, theirs = _parts(yours), _parts(reference)
    names = [*theirs, *(name for name in mine if name not in theirs)]
    return tuple(Difference(name, _diff(mine.get(name, ""), theirs.get(name, ""))) for name in names)


def _parts(source: str) -> dict[str, str]:
    lines = source.splitlines()
    parts: dict[str, str] = {}
    taken: set[int] = set()
    for node in ast.parse(source).body:
        if isinstance(node, _NAMED):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            span = range(first - 1, node.end_lineno or first)
            parts[node.name] = "\n".join(lines[index] for index in span)
            taken.update(span)
    rest = "\n".join(line for index, line in enumerate(lines) if index not in taken)
    parts["(everything else)"] = "\n".join(line for line in rest.splitlines() if line.strip())
    return parts


def _diff(yours: str, reference: str) -> str:
    try:
        if ast.dump(ast.parse(yours)) == ast.dump(ast.parse(reference)):
            return ""
    except SyntaxError:
        pass
    lines = difflib.unified_diff(yours.splitlines(), reference.splitlines(), "yours", "reference", n=99, lineterm="")
    return "\n".join(line for line in lines if not line.startswith("@@"))
