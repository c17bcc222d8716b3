"""Which functions of the subject a test reaches.

A profiling hook would slow every call in the process, and the times of the baseline are what time limits are made
from. So the reference is run in a form in which each function first notes its own name, which costs next to nothing.
"""

from __future__ import annotations

import ast
import builtins

from harness.subject.inprocess import type_of_function

_RECORDER = "__tokproof_reached__"


def note_calls(source: str, unit: str) -> str:
    """The same module, in which every function begins by noting ``unit::qualname``."""
    tree = ast.parse(source)
    _instrument(tree, f"{unit}::")
    return ast.unparse(ast.fix_missing_locations(tree))


def _instrument(node: ast.AST, prefix: str) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, type_of_function):
            call = ast.Call(ast.Name(_RECORDER, ast.Load()), [ast.Constant(prefix + child.name)], [])
            child.body.insert(0, ast.Expr(call))
        elif isinstance(child, ast.ClassDef):
            _instrument(child, f"{prefix}{child.name}.")
        else:
            _instrument(child, prefix)


def record_into(reached: set[str]) -> None:
    """Let the functions of such a module note their names in `reached`."""
    setattr(builtins, _RECORDER, reached.add)
