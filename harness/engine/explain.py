"""What a failed test shows a person: the smallest input as a call they can repeat, what was expected, what came.

The tests are plain pytest functions that assert ``got == expected``. From the exception, the frame of the test and its
source, this works out the call that was judged, with the values of that moment in the place of the names.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from types import FrameType, TracebackType

from harness.engine.words import bounded, describe

LONGEST_VALUE = 160
_SHORT = 60


class Comparison(AssertionError):
    """A comparison that did not hold, with both sides; raised by the hook that pytest asks to explain it."""

    def __init__(self, operator: str, left: object, right: object) -> None:
        super().__init__(f"{bounded(left)} {operator} {bounded(right)}")
        self.operator, self.left, self.right = operator, left, right


def explain_failure(error: BaseException, test_file: Path, package: str) -> dict[str, str]:
    """What is shown of a failure of code in `package`.

    Keys ``input``, ``expected``, ``got`` and ``values`` (by name, a line each).
    """
    found = _test_frame(error.__traceback__, str(test_file))
    if found is None:
        return {"input": "", "expected": "", "got": describe(error), "values": ""}
    frame, line = found
    tree = ast.parse("".join(linecache.getlines(str(test_file))) or test_file.read_text("utf-8"))
    statement = _statement_at(tree, line)
    call, names = _judged_call(tree, statement, frame, package)
    expected, got = _sides(error, statement, frame, _wanted_error(tree, line))
    return {"input": call, "expected": expected, "got": got, "values": "\n".join(_values(names, frame))}


def _test_frame(traceback: TracebackType | None, path: str) -> tuple[FrameType, int] | None:
    """The innermost frame of the test file and the line on which it stood."""
    found = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path and traceback.tb_frame.f_code.co_name != "<lambda>":
            found = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
    return found


def _statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost statement that covers a line."""
    covering = [
        node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(covering, key=lambda node: node.lineno) if covering else None


def _judged_call(tree: ast.Module, statement: ast.stmt | None, frame: FrameType, package: str) -> tuple[str, set[str]]:
    """The judged expression with values for names, and the names that it had.

    Where the assertion itself calls nothing of the subject, the calls that the test made before stand for it.
    """
    subjects = _imported_from(tree, package)
    subjects |= {name for name, value in {**frame.f_globals, **frame.f_locals}.items() if _is_of(value, package)}
    judged: list[ast.AST] = [_judged_expression(statement)] if statement is not None else []
    if not any(_calls(expression, subjects) for expression in judged):
        line = statement.lineno if statement is not None else 0
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.lineno <= line]
        inside = max(functions, key=lambda node: node.lineno) if functions else tree
        calls = [call for call in _calls(inside, subjects) if call.lineno <= line]
        # A test that gets its object from a helper names nothing of the subject's: its assertion speaks for itself.
        judged = [*calls] or [one for one in judged if any(isinstance(node, ast.Call) for node in ast.walk(one))]
    names = {node.id for one in judged for node in ast.walk(one) if isinstance(node, ast.Name)} & set(frame.f_locals)
    filled = [_Filled(frame.f_locals).visit(one) for one in judged]
    shown = [ast.unparse(ast.fix_missing_locations(one)) for one in filled]
    return "; ".join(dict.fromkeys(shown)), names


def _judged_expression(statement: ast.stmt) -> ast.AST:
    if isinstance(statement, ast.Assert):
        return statement.test.left if isinstance(statement.test, ast.Compare) else statement.test
    if isinstance(statement, ast.With):
        return _judged_expression(statement.body[0])
    if isinstance(statement, ast.Expr | ast.Assign | ast.Return):
        return statement.value or statement
    return statement


def _imported_from(tree: ast.Module, package: str) -> set[str]:
    """The names that a test file takes from the subject's package."""
    return {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == package
        for alias in node.names
    }


def _is_of(value: object, package: str) -> bool:
    """Whether a value is an object of one of the subject's own classes."""
    return type(value).__module__.partition(".")[0] == package


def _calls(node: ast.AST, names: set[str]) -> list[ast.Call]:
    """Calls of these names, and of methods of what these names are bound to."""
    found = []
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            root = one.func.value if isinstance(one.func, ast.Attribute) else one.func
            if isinstance(root, ast.Name) and root.id in names:
                found.append(one)
    return found


class _Filled(ast.NodeTransformer):
    """Puts the value of a local variable where its name stands, where the value is plain and short."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._values or not isinstance(node.ctx, ast.Load):
            return node
        shown = bounded(self._values[node.id], LONGEST_VALUE)
        try:
            return ast.parse(shown, mode="eval").body
        except SyntaxError:
            return node


def _values(names: set[str], frame: FrameType) -> list[str]:
    return [f"{name} = {bounded(frame.f_locals[name], LONGEST_VALUE)}" for name in sorted(names)]


def _sides(error: BaseException, statement: ast.stmt | None, frame: FrameType, wanted: str) -> tuple[str, str]:
    if isinstance(error, Comparison):
        if error.operator == "==":
            return _where_they_differ(error.right, error.left)
        left, right = bounded(error.left, LONGEST_VALUE), bounded(error.right, LONGEST_VALUE)
        if error.operator == "in":
            return f"something that contains {left}", right
        return f"something that is {error.operator} {right}", left
    if type(error).__name__ == "Failed" and "DID NOT RAISE" in str(error):
        return wanted or "an error", "no error: the call returned"
    if wanted:
        return wanted, describe(error)
    if isinstance(error, AssertionError):
        return "True", "False"
    return _right_side(statement, frame), describe(error)


def _where_they_differ(expected: object, got: object) -> tuple[str, str]:
    """Both sides; of two long containers only the first entry that differs, with its place."""
    sides = bounded(expected, LONGEST_VALUE), bounded(got, LONGEST_VALUE)
    if max(map(len, sides)) <= _SHORT or not (pairs := _differing_entries(expected, got)):
        return sides
    place, wanted, found = pairs[0]
    more = f", and {len(pairs) - 1} more places" if len(pairs) > 1 else ""
    shown = sides[0] if len(sides[0]) <= _SHORT else f"at [{bounded(place)}]: {bounded(wanted)}"
    return shown, f"at [{bounded(place)}]: {bounded(found)}{more}"


def _differing_entries(expected: object, got: object) -> list[tuple[object, object, object]]:
    """Place, expected entry and found entry of every difference between two containers of one kind."""
    if isinstance(expected, dict) and isinstance(got, dict):
        pairs = [(key, expected.get(key, _GONE), got.get(key, _GONE)) for key in {**expected, **got}]
    elif isinstance(expected, list | tuple | str | bytes) and isinstance(got, type(expected)):
        ends = zip_longest(expected, got, fillvalue=_GONE)
        pairs = [(index, wanted, found) for index, (wanted, found) in enumerate(ends)]
    else:
        return []
    return [pair for pair in pairs if pair[1] is _GONE or pair[2] is _GONE or pair[1] != pair[2]]


class _Gone:
    def __repr__(self) -> str:
        return "nothing"


_GONE = _Gone()


def _wanted_error(tree: ast.Module, line: int) -> str:
    """What a ``with pytest.raises(X)`` around the line asks for; empty where there is none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and node.lineno <= line <= (node.end_lineno or 0):
            call = node.items[0].context_expr
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.func).endswith("raises"):
                return ast.unparse(call.args[0])
    return ""


def _right_side(statement: ast.stmt | None, frame: FrameType) -> str:
    """Where the subject raised inside ``assert got == expected``: the other side, if it is a plain value by now."""
    if isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Compare):
        right = statement.test.comparators[0]
        if isinstance(right, ast.Name) and right.id in frame.f_locals:
            return bounded(frame.f_locals[right.id], LONGEST_VALUE)
        if isinstance(right, ast.Constant | ast.Tuple | ast.List | ast.Dict):
            return ast.unparse(right)
    return "a result, and no error"
