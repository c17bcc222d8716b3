"""A course directory becomes records. Knows every path of a course and runs nothing of it."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from harness.diagnosis import Behaviour
from harness.errors import CourseError, UsageError
from harness.records import Module

MANIFEST = "course.toml"
BEHAVIOUR = "behaviour.json"
_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Course:
    """One course: where it lies and which modules it has, in the order of ``course.toml``."""

    root: Path
    title: str
    modules: tuple[Module, ...]

    @property
    def reference(self) -> Path:
        """The folder that stands where a student's ``python/`` folder would."""
        return self.root / "reference"

    def module(self, module_id: str) -> Module:
        """The module of that id; UsageError naming the nearest one otherwise."""
        for module in self.modules:
            if module.id == module_id:
                return module
        known = [module.id for module in self.modules]
        near = difflib.get_close_matches(module_id.upper(), known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"this course has {', '.join(known)}"
        message = f"no module {module_id!r} in the course at {self.root}"
        raise UsageError(message, remedy=hint)

    def tests(self, module: Module) -> Path:
        """The folder of the module's tests."""
        return self.root / "tests" / module.id

    def test_files(self, module: Module) -> tuple[Path, ...]:
        """The module's test files in the order in which they run."""
        return tuple(sorted(self.tests(module).glob("test_*.py")))

    def mutants(self, module: Module) -> Path:
        """The folder of the module's curated mutants and wheats."""
        return self.root / "mutants" / module.id

    def scope_path(self, module: Module) -> Path:
        """Where the module's small scope lies (`harness.mutation.scope`); it may be absent."""
        return self.mutants(module) / "scope.py"

    def unit_path(self, unit: str) -> Path:
        """Where the reference's unit lies."""
        return self.reference / unit

    def contract_path(self, unit: str) -> Path:
        """Where the unit's contract lies."""
        return self.reference / "contracts" / Path(unit).with_suffix(".pyi")

    def behaviour(self, module: Module) -> Behaviour:
        """What the module's mutants show on its probes; an empty table where none was measured."""
        path = self.mutants(module) / BEHAVIOUR
        if not path.is_file():
            return Behaviour({}, {})
        try:
            return Behaviour.from_json(read_text(path))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"{path} is no table of behaviour: {error}"
            raise CourseError(message, remedy="measure it again: python tools/measure_behaviour.py") from error

    def read_units(self, module: Module) -> dict[str, str]:
        """The reference's text of each of its files; CourseError where a file is missing or not UTF-8."""
        return {unit: read_text(self.unit_path(unit)) for unit in module.sources}


def dotted(unit: str) -> str:
    """The import name of a unit: ``tinyllm/tok/bpe.py`` is ``tinyllm.tok.bpe``."""
    return unit.removesuffix(".py").replace("/", ".")


def read_text(path: Path) -> str:
    """A course file's text with its line ends as they are; CourseError naming the file otherwise."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        message = f"the course lacks {path}"
        raise CourseError(message) from error
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {error}"
        raise CourseError(message) from error


def find_course(named: Path | None = None) -> Path:
    """The course directory: the one named, else the one inside the wheel, else the checkout's."""
    if named is not None:
        if not (named / MANIFEST).is_file():
            message = f"{named} is not a course: it holds no {MANIFEST}"
            raise UsageError(message, remedy="name the folder that holds course.toml")
        return named.resolve()
    for root in (_PACKAGE / "_course", _PACKAGE.parent):
        if (root / MANIFEST).is_file():
            return root
    message = f"no course: neither {_PACKAGE / '_course'} nor {_PACKAGE.parent} holds a {MANIFEST}"
    raise CourseError(message, remedy="reinstall tokproof, or name a course with --course DIR")


def load_course(named: Path | None = None) -> Course:
    """Read a course's manifest; every mistake in it is a CourseError that names the key."""
    root = find_course(named)
    manifest = root / MANIFEST
    try:
        document = tomllib.loads(read_text(manifest))
    except tomllib.TOMLDecodeError as error:
        message = f"{manifest} is not TOML: {error}"
        raise CourseError(message) from error
    title = str(document.get("course", {}).get("title", root.name))
    tables = document.get("module", [])
    if not isinstance(tables, list) or not tables:
        message = f"{manifest} declares no [[module]]"
        raise CourseError(message)
    modules = tuple(_module(table, where=f"{manifest}, module {n}") for n, table in enumerate(tables, 1))
    _check_ids(modules, manifest)
    return Course(root, title, modules)


_KNOWN = frozenset(field.name for field in fields(Module))
_LISTS = ("units", "beside", "needs", "imports")


def _module(table: dict[str, Any], *, where: str) -> Module:
    for key in table:
        if key not in _KNOWN:
            near = difflib.get_close_matches(key, _KNOWN, n=1)
            message = f"{where}: unknown key {key!r}"
            raise CourseError(message, remedy=f"did you mean {near[0]!r}?" if near else "")
    for key in ("id", "title", "units"):
        if not table.get(key):
            message = f"{where}: {key!r} is missing"
            raise CourseError(message)
    lists: dict[str, Any] = {}
    for key in _LISTS:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            message = f"{where}: {key!r} must be a list of strings, not {value!r}"
            raise CourseError(message)
        lists[key] = tuple(value)
    for unit in (*lists["units"], *lists["beside"]):
        if not unit.endswith(".py") or unit.startswith(("/", ".")) or ".." in unit.split("/"):
            message = f"{where}: unit {unit!r} must be a .py path below reference/"
            raise CourseError(message)
    scalars = {key: value for key, value in table.items() if key not in _LISTS}
    return Module(**scalars, **lists)


def _check_ids(modules: tuple[Module, ...], manifest: Path) -> None:
    seen: set[str] = set()
    for module in modules:
        if module.id in seen:
            message = f"{manifest}: module id {module.id!r} stands twice"
            raise CourseError(message)
        for need in module.needs:
            if need not in seen:
                message = f"{manifest}: {module.id} needs {need!r}, which does not stand before it"
                raise CourseError(message)
        seen.add(module.id)
