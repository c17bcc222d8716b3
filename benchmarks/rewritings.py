"""The same program in other words: three writings of a module that behave as it does, and have few lines in common.

They stand for students who make the same mistake in code of their own. Nothing here knows a mutant or a test.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

Writing = Callable[[str], str]
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def other_names(source: str) -> str:
    """Every local variable has another name, and comments, docstrings and layout are gone."""
    tree = ast.parse(source)
    for node in _outermost_functions(tree):
        _rename_locals(node)
    return ast.unparse(ast.fix_missing_locations(_Bare().visit(tree)))


def other_shapes(source: str) -> str:
    """Conditions are negated with their branches exchanged, comparisons turned round, tests of loops moved in."""
    return ast.unparse(ast.fix_missing_locations(_Turned().visit(ast.parse(source))))


def other_spelling(source: str) -> str:
    """Numbers are sums, texts are joined from pieces, comprehensions of lists are loops in functions of their own."""
    return ast.unparse(ast.fix_missing_locations(_Spelled().visit(_Bare().visit(ast.parse(source)))))


WRITINGS: dict[str, Writing] = {"names": other_names, "shapes": other_shapes, "spelling": other_spelling}


def _outermost_functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, _FUNCTION):
            found.append(child)
        elif not isinstance(child, ast.expr):
            found += _outermost_functions(child)
    return found


def _rename_locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Rename what is assigned in a function; what comes from outside, and parameters that callers name, stay."""
    nodes = list(ast.walk(function))
    kept = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    kept |= {one.arg for node in nodes if isinstance(node, ast.arguments) for one in _parameters(node)}
    kept |= {one.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef) for one in [node]}
    kept |= {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} - kept
    stored |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name} - kept
    names = {name: f"x{name[::-1]}_{place}" for place, name in enumerate(sorted(stored)) if name not in vars(builtins)}
    for node in nodes:
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            node.name = names.get(node.name, node.name)


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [one for one in (arguments.vararg, arguments.kwarg) if one is not None]


class _Bare(ast.NodeTransformer):
    """Takes docstrings away: a body of nothing else becomes ``pass``."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, _FUNCTION | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node


_TURNED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class _Turned(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        negated = ast.UnaryOp(ast.Not(), node.test)
        return ast.If(negated, node.orelse or [ast.Pass()], node.body)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = _TURNED.get(type(node.ops[0]))
        if len(node.ops) == 1 and kind is not None:
            return ast.Compare(node.comparators[0], [kind()], [node.left])
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        if node.orelse:
            return node
        leave = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        return ast.While(ast.Constant(True), [leave, *node.body], [])


class _Spelled(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and node.value > 3:
            return ast.BinOp(ast.Constant(node.value - 3), ast.Add(), ast.Constant(3))
        if type(node.value) is str and len(node.value) > 3:
            return ast.BinOp(ast.Constant(node.value[:2]), ast.Add(), ast.Constant(node.value[2:]))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # its pieces must stay what they are

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("list", ast.Load()), [ast.GeneratorExp(node.elt, node.generators)], [])
