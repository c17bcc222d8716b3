"""Put a changed unit where the tests already look for it, inside the running process.

There are two sound ways, and `plan_in_place` says which one a change allows:

*in place*: every difference lies inside function bodies. The functions of the imported module stay the objects they
are and receive the changed code, so that each ``from tinyllm... import f`` in a test, made long ago, is served too.
Executing the changed text into the module's namespace would not do: those tests would go on calling the old function.

*fresh*: anything else (module constants, decorators, defaults, classes, another implementation altogether). The text
is imported in the place of the reference, in a process that has not collected the tests yet.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType, ModuleType

from harness.course import dotted
from harness.mutation.pairs import changed_function, functions

type_of_function = ast.FunctionDef | ast.AsyncFunctionDef


class NotInPlace(Exception):
    """The change needs the fresh way; the message says why."""


# --- what differs -------------------------------------------------------------------------------------------------


def plan_in_place(reference: str, changed: str) -> tuple[str, ...]:
    """Qualified names of the functions whose bodies differ.

    Raises NotInPlace where anything outside a function body differs, where two functions share a name (the live one
    could not be told from the other), and SyntaxError where `changed` does not parse.
    """
    names = [function.name for function in functions(reference)]
    if (found := changed_function(reference, changed)) is not None:
        pairs = [(found[0].name, found[0].node, found[1])]
    elif _skeleton(reference) == _skeleton(changed):
        nodes = (function.node for function in functions(changed))
        pairs = [(old.name, old.node, new) for old, new in zip(functions(reference), nodes, strict=True)]
    else:
        message = "something outside the function bodies differs"
        raise NotInPlace(message)
    if len(set(names)) != len(names):
        message = "two functions share one name"
        raise NotInPlace(message)
    return tuple(name for name, old, new in pairs if _body(old) != _body(new))


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [*map(ast.dump, function.body)]


def _skeleton(source: str) -> str:
    """A text's syntax tree without the bodies of its functions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, type_of_function):
            node.body = []
    return ast.dump(tree)


# --- in place -----------------------------------------------------------------------------------------------------


def install_in_place(module: ModuleType, source: str, names: Sequence[str]) -> None:
    """Give the named live functions of `module` the code that `source` has for them.

    Raises NotInPlace, with the module untouched, where a function cannot be reached or its closure differs.
    """
    filename = module.__file__ or "<unknown>"
    compiled = compile(source, filename, "exec", dont_inherit=True)
    codes: dict[str, CodeType] = {}
    for code in _nested(compiled):
        codes.setdefault(code.co_qualname, code)
    exchanges = []
    for name in names:
        function, caches = _live_function(module, name)
        code = codes[name]
        if function.__code__.co_freevars != code.co_freevars:
            message = f"{name} closes over other variables"
            raise NotInPlace(message)
        exchanges.append((function, code, caches))
    show_source(filename, source)
    for function, code, caches in exchanges:
        function.__code__ = code
        for cache in caches:
            cache.cache_clear()


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _live_function(module: ModuleType, name: str) -> tuple[FunctionType, list[functools._lru_cache_wrapper[object]]]:
    """The function object behind a qualified name, under whatever decorators, and the caches passed on the way."""
    found: object = module
    for part in name.split("."):
        try:
            found = inspect.getattr_static(found, part)
        except AttributeError:
            message = f"{name} cannot be reached: the module has no {part}"
            raise NotInPlace(message) from None
    caches: list[functools._lru_cache_wrapper[object]] = []
    while True:
        if isinstance(found, functools._lru_cache_wrapper):
            caches.append(found)
        if isinstance(found, staticmethod | classmethod):
            found = found.__func__
        elif isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.cached_property):
            found = found.func
        elif (wrapped := getattr(found, "__wrapped__", None)) is not None:
            found = wrapped
        else:
            break
    if not isinstance(found, FunctionType) or found.__code__.co_qualname != name:
        message = f"{name} is bound to something else than its function"
        raise NotInPlace(message)
    return found, caches


# --- fresh --------------------------------------------------------------------------------------------------------


class _Loader(importlib.abc.SourceLoader):
    """Serves one unit's changed text under the reference's file name, and never touches the bytecode cache."""

    def __init__(self, path: str, source: str) -> None:
        self._path, self._source = path, source

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str) -> bytes:
        if path != self._path:
            raise OSError(path)
        return self._source.encode()


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, loaders: Mapping[str, _Loader]) -> None:
        self._loaders = loaders

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        loader = self._loaders.get(fullname)
        return None if loader is None else importlib.util.spec_from_loader(fullname, loader)


def install_fresh(sources: Mapping[str, str], paths: Mapping[str, str]) -> None:
    """Make an import of each unit in `sources` give that text; `paths` are the file names it goes under.

    None of the units, nor a module that imports one, may have been imported before. Raises whatever the import of a
    changed unit raises.
    """
    loaded = [unit for unit in sources if dotted(unit) in sys.modules]
    if loaded:
        message = f"already imported: {', '.join(loaded)}"
        raise RuntimeError(message)
    sys.meta_path.insert(0, _Finder({dotted(unit): _Loader(paths[unit], text) for unit, text in sources.items()}))
    for unit, text in sources.items():
        show_source(paths[unit], text)
        importlib.import_module(dotted(unit))


def show_source(filename: str, source: str) -> None:
    """Let tracebacks show the changed lines, not those of the file on disk."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
