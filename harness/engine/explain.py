"""What a failed test shows a person: the smallest input as a call they can repeat, what was expected, what came.

The tests are plain pytest functions that assert ``got == expected``. From the exception, the frame of the test and its
source, this works out the call that was judged, with the values of that moment in the place of the names.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from pathlib import Path
from types import FrameType, TracebackType

from harness.engine.words import bounded, describe

LONGEST_VALUE = 400


class Comparison(AssertionError):
    """A comparison that did not hold, with both sides; raised by the hook that pytest asks to explain it."""

    def __init__(self, operator: str, left: object, right: object) -> None:
        super().__init__(f"{bounded(left)} {operator} {bounded(right)}")
        self.operator, self.left, self.right = operator, left, right


def explain_failure(error: BaseException, test_file: Path) -> dict[str, str]:
    """Keys ``input``, ``expected``, ``got`` and ``values`` (by name, a line each)."""
    found = _test_frame(error.__traceback__, str(test_file))
    if found is None:
        return {"input": "", "expected": "", "got": describe(error), "values": ""}
    frame, line = found
    statement = _statement_at(test_file, line)
    call, names = _judged_call(statement, frame)
    expected, got = _sides(error, statement, frame)
    return {"input": call, "expected": expected, "got": got, "values": "\n".join(_values(names, frame))}


def _test_frame(traceback: TracebackType | None, path: str) -> tuple[FrameType, int] | None:
    """The innermost frame of the test file and the line on which it stood."""
    found = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path and traceback.tb_frame.f_code.co_name != "<lambda>":
            found = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
    return found


def _statement_at(path: Path, line: int) -> ast.stmt | None:
    """The innermost statement that covers a line of a file."""
    tree = ast.parse("".join(linecache.getlines(str(path))) or path.read_text("utf-8"))
    covering = [
        node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(covering, key=lambda node: node.lineno) if covering else None


def _judged_call(statement: ast.stmt | None, frame: FrameType) -> tuple[str, set[str]]:
    """The judged expression with values for names, and the names that it had."""
    if isinstance(statement, ast.Assert):
        test = statement.test
        expression = test.left if isinstance(test, ast.Compare) else test
    elif isinstance(statement, ast.Expr | ast.Assign):
        expression = statement.value
    elif isinstance(statement, ast.With) and isinstance(statement.body[0], ast.Expr | ast.Assign):
        expression = statement.body[0].value
    else:
        return "", set()
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name) and node.id in frame.f_locals}
    shown = _Filled(frame.f_locals).visit(expression)
    return ast.unparse(ast.fix_missing_locations(shown)), names


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


def _sides(error: BaseException, statement: ast.stmt | None, frame: FrameType) -> tuple[str, str]:
    if isinstance(error, Comparison):
        if error.operator == "==":
            return bounded(error.right, LONGEST_VALUE), bounded(error.left, LONGEST_VALUE)
        left, right = bounded(error.left, LONGEST_VALUE), bounded(error.right, LONGEST_VALUE)
        if error.operator == "in":
            return f"something that contains {left}", right
        return f"something that is {error.operator} {right}", left
    wanted = _wanted_error(statement)
    if type(error).__name__ == "Failed" and "DID NOT RAISE" in str(error):
        return wanted or "an error", "no error: the call returned"
    if wanted:
        return wanted, describe(error)
    if isinstance(error, AssertionError):
        return "True", "False"
    return _right_side(statement, frame), describe(error)


def _wanted_error(statement: ast.stmt | None) -> str:
    """What a ``with pytest.raises(X)`` around the line asks for; empty where there is none."""
    if isinstance(statement, ast.With):
        call = statement.items[0].context_expr
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
