"""Where a mutant may be installed in place, and that it then really is."""

import linecache
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.subject.inprocess import NotInPlace, install_fresh, install_in_place, plan_in_place

REFERENCE = """
import functools
LIMIT = 3

def plain(x=1):
    return x + 1

@functools.lru_cache
def cached(x):
    return x + 1

def maker():
    def inner():
        return 1
    return inner

class Box:
    def method(self):
        return 1
    @staticmethod
    def static():
        return 1
    @classmethod
    def klass(cls):
        return 1
    @property
    def prop(self):
        return 1
    @functools.cached_property
    def once(self):
        return 1
"""


@pytest.fixture
def module(tmp_path: Path) -> Iterator[types.ModuleType]:
    path = tmp_path / "subject_in_place.py"
    path.write_text(REFERENCE)
    made = types.ModuleType("subject_in_place")
    made.__file__ = str(path)
    exec(compile(REFERENCE, str(path), "exec"), made.__dict__)
    yield made
    linecache.checkcache(str(path))


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("def plain(x=1):\n    return x + 1", "def plain(x=1):\n    return x + 2", "plain"),
        ("def cached(x):\n    return x + 1", "def cached(x):\n    return x + 2", "cached"),
        ("        return 1\n    return inner", "        return 2\n    return inner", "maker"),
        ("def method(self):\n        return 1", "def method(self):\n        return 2", "Box.method"),
    ],
)
def test_a_difference_inside_one_body_is_planned_for_that_function(before: str, after: str, name: str) -> None:
    assert before in REFERENCE
    assert plan_in_place(REFERENCE, REFERENCE.replace(before, after, 1)) == (name,)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("def plain(x=1)", "def plain(x=2)"),
        ("def plain(x=1)", "def plain(x=1, y=2)"),
        ("@functools.lru_cache\n", ""),
        ("class Box:", "class Box(dict):"),
        ("def maker():", "def maker2():"),
        ("import functools\n", "import functools\nimport sys\n"),
    ],
)
def test_a_difference_outside_the_bodies_is_not_for_this_way(before: str, after: str) -> None:
    with pytest.raises(NotInPlace):
        plan_in_place(REFERENCE, REFERENCE.replace(before, after, 1))


def test_two_functions_of_one_name_cannot_be_told_apart() -> None:
    source = "if True:\n def f(): return 1\nelse:\n def f(): return 2\n"
    with pytest.raises(NotInPlace, match="share one name"):
        plan_in_place(source, source.replace("return 2", "return 3"))


@pytest.mark.parametrize(
    "name", ["plain", "cached", "maker", "Box.method", "Box.static", "Box.klass", "Box.prop", "Box.once"]
)
def test_code_is_exchanged_under_every_decorator(name: str, module: types.ModuleType) -> None:
    def ask() -> object:
        box = module.Box()
        return {
            "plain": lambda: plain(),
            "cached": lambda: cached(1),
            "maker": lambda: module.maker()(),
            "Box.method": lambda: box.method(),
            "Box.static": lambda: box.static(),
            "Box.klass": lambda: box.klass(),
            "Box.prop": lambda: box.prop,
            "Box.once": lambda: box.once,
        }[name]()

    plain, cached = module.plain, module.cached  # as a test's `from subject import ...` took them, long ago
    before = ask()
    changed = REFERENCE.replace("return x + 1", "return 40").replace("return 1\n", "return 40\n")
    install_in_place(module, changed, [name])
    assert (before, ask()) == (2 if name in ("plain", "cached") else 1, 40)


def test_what_a_closure_captured_cannot_be_exchanged() -> None:
    source = "def outer():\n    y = 1\n    def f():\n        return y\n    return f\nf = outer()\n"
    made = types.ModuleType("closure")
    made.__file__ = "closure.py"
    exec(source, made.__dict__)
    with pytest.raises(NotInPlace):
        install_in_place(made, source, ["f"])


def test_a_name_rebound_to_something_else_is_refused(module: types.ModuleType) -> None:
    module.plain = len
    with pytest.raises(NotInPlace, match="bound to something else"):
        install_in_place(module, REFERENCE, ["plain"])


def test_tracebacks_show_the_changed_lines(module: types.ModuleType) -> None:
    changed = REFERENCE.replace("return x + 1", "raise ValueError(x)")
    install_in_place(module, changed, ["plain"])
    with pytest.raises(ValueError, match="1") as caught:
        module.plain()
    last = caught.traceback[-1]
    assert linecache.getline(str(last.path), last.lineno + 1).strip() == "raise ValueError(x)"


def test_a_fresh_subject_is_imported_under_the_references_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    path = str(tmp_path / "fresh_subject.py")
    install_fresh({"fresh_subject.py": "ANSWER = 42\n"}, {"fresh_subject.py": path})
    try:
        import fresh_subject  # type: ignore[import-not-found]

        assert (fresh_subject.ANSWER, fresh_subject.__file__) == (42, path)
        with pytest.raises(RuntimeError, match="already imported"):
            install_fresh({"fresh_subject.py": "ANSWER = 43\n"}, {"fresh_subject.py": path})
    finally:
        del sys.modules["fresh_subject"]
