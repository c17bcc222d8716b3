"""One question as people write it: the name of a function and literals, ``encode('a' * 4000)``."""

from __future__ import annotations

import ast
from typing import Any

from harness.bytelevel.conformance.truth import FUNCTIONS
from harness.errors import UsageError

_MOST_CHARACTERS = 4_000_000


def parse(text: str) -> tuple[str, Any]:
    """The function and its argument; UsageError for anything but a call with one literal."""
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 1 and not call.keywords:
            name, argument = call.func.id, _literal(call.args[0])
            if name in FUNCTIONS:
                return name, argument
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    message = f"{text[:200]!r} is no question"
    raise UsageError(message, remedy=f"write FUNCTION(LITERAL) with one of {', '.join(FUNCTIONS)}: encode('a b')")


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        piece, times = ast.literal_eval(node.left), ast.literal_eval(node.right)
        if not isinstance(piece, str) or type(times) is not int or not 0 <= len(piece) * times <= _MOST_CHARACTERS:
            message = "a text is repeated, and to no more than four million characters"
            raise ValueError(message)
        return piece * times
    return ast.literal_eval(node)
