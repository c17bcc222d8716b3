"""Mutants that change the wording of an error and nothing else: equivalent by rule, as long as named values stay.

The rule is about what can be told from the syntax: the same exceptions are raised at the same places, and only what
their message says differs. Whether the message still names the values that the contract wants named is a question for
the module's scopes, on which such a mutant is compared as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.mutation.pairs import differing_statements


def only_wording(reference: str, changed: str) -> bool:
    """Whether every difference is in what an exception says; both texts must parse and differ inside functions only."""
    pairs = differing_statements(reference, changed)
    return bool(pairs) and all(new is not None and _is_wording(old, new, function) for old, new, function in pairs)


def _is_wording(old: ast.stmt, new: ast.stmt, function: ast.AST) -> bool:
    if isinstance(old, ast.Raise) and isinstance(new, ast.Raise):
        return _same_exception(old, new) and all(_is_harmless(old.exc, one) for one in _arguments(new.exc))
    if isinstance(old, ast.Assign) and isinstance(new, ast.Assign):
        same_target = [ast.dump(one) for one in old.targets] == [ast.dump(one) for one in new.targets]
        target = old.targets[0]
        return (
            same_target
            and isinstance(target, ast.Name)
            and _is_only_raised(target.id, function)
            and _is_harmless(old.value, new.value)
        )
    return False


def _same_exception(old: ast.Raise, new: ast.Raise) -> bool:
    one, other = old.exc, new.exc
    if not isinstance(one, ast.Call) or not isinstance(other, ast.Call):
        return False
    causes = [ast.dump(cause) if cause else "" for cause in (old.cause, new.cause)]
    return ast.dump(one.func) == ast.dump(other.func) and causes[0] == causes[1]


def _arguments(node: ast.AST | None) -> list[ast.expr]:
    return [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []


def _is_harmless(old: ast.AST | None, new: ast.expr) -> bool:
    """Whether evaluating `new` cannot raise where `old` did not: a constant, or text around values that were there."""
    if isinstance(new, ast.Constant):
        return True
    known = {ast.dump(node) for node in ast.walk(old)} if old is not None else set()
    if isinstance(new, ast.JoinedStr):
        return all(isinstance(part, ast.Constant) or ast.dump(part) in known for part in new.values)
    return ast.dump(new) in known


def _is_only_raised(name: str, function: ast.AST) -> bool:
    """Whether a variable is read in nothing but the arguments of a raised exception."""
    raised = {
        node for statement in ast.walk(function) if isinstance(statement, ast.Raise) for node in ast.walk(statement)
    }
    return all(node in raised for node in _reads(name, function))


def _reads(name: str, function: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node
