"""Stubs: a contract turned into a Python file whose functions say what they will do and do not do it yet."""

from __future__ import annotations

import ast


def stub_source(contract: str) -> str:
    """The text of a stub: signatures and docstrings as in the contract, ``raise NotImplementedError`` for bodies.

    Constants that the contract gives a value keep it; those with a type only are left for the student to set.
    """
    tree = ast.parse(contract)
    tree.body = [kept for node in tree.body if (kept := _stubbed(node)) is not None]
    return _spaced(ast.unparse(ast.fix_missing_locations(tree))) + "\n"


def _stubbed(node: ast.stmt) -> ast.stmt | None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        docstring = node.body[:1] if ast.get_docstring(node) is not None else []
        node.body = [*docstring, _NOT_YET]
    elif isinstance(node, ast.ClassDef):
        is_protocol = any("Protocol" in ast.unparse(base) or "NamedTuple" in ast.unparse(base) for base in node.bases)
        body = [kept for one in node.body if (kept := _stubbed(one)) is not None]
        node.body = node.body if is_protocol else body or [ast.Pass()]
    return node


_NOT_YET = ast.parse("raise NotImplementedError").body[0]


def _spaced(source: str) -> str:
    """Two blank lines before each function and class at the top level, as people write it."""
    lines: list[str] = []
    for line in source.splitlines():
        starts = line.startswith(("def ", "class ", "@", "async def "))
        if starts and lines and not lines[-1].startswith("@"):
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", ""]
        lines.append(line)
    return "\n".join(lines)
