"""What a course author writes a module's small scope with.

``mutants/<ID>/scope.py`` holds functions called ``scope_...``. The docstring's first line states what is enumerated;
the function yields what a caller could see. Two subjects whose observations are the same on every scope are called
equivalent, modulo the contract: results and their types count, exception types count, the values that the contract
says a message names count, and the rest of a message does not.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable

_PREFIX = "scope_"

Observation = tuple[str, ...]


def observe(call: Callable[..., object], *arguments: object, naming: Iterable[object] = ()) -> Observation:
    """What a caller sees of one call: the result with its type, or the exception's type and what its message names.

    `naming` are the values that the contract wants named, each as ``str`` or ``repr`` shows it.
    """
    try:
        result = call(*arguments)
    except Exception as error:
        message = str(error)
        named = [str(str(value) in message or repr(value) in message) for value in naming]
        return ("raised", type(error).__name__, *named)
    return ("returned", type(result).__name__, repr(result))


def scope_sentences(source: str) -> dict[str, str]:
    """The scopes of a ``scope.py`` in order, each with the sentence that states it; nothing is executed."""
    return {
        node.name: (ast.get_docstring(node) or node.name).partition("\n")[0]
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith(_PREFIX)
    }


def not_for_wording(source: str) -> frozenset[str]:
    """The scopes that a ``scope.py`` lists in NOT_FOR_WORDING: they add nothing where only an error's words differ."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "NOT_FOR_WORDING":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def load_scopes(source: str, filename: str) -> dict[str, Callable[[], Iterable[object]]]:
    """The functions of a ``scope.py``; it is executed, so the subject must be in place before."""
    namespace: dict[str, object] = {"__name__": "scope", "__file__": filename}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    return {name: value for name, value in namespace.items() if name.startswith(_PREFIX) and callable(value)}


def digest(observations: Iterable[object]) -> str:
    """SHA-256, hex, over all observations in order."""
    summed = hashlib.sha256()
    for observation in observations:
        summed.update(repr(observation).encode("utf-8", "backslashreplace") + b"\0")
    return summed.hexdigest()
