"""A student's folder: where their units lie, how far they are, and what was recorded of them."""

from __future__ import annotations

import ast
import contextlib
import difflib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from harness.course import Course
from harness.errors import UsageError
from harness.records import Module
from harness.student.source import LARGEST_BYTES, MOST_HELPERS, Unreadable, decoded

_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


class UnitState(StrEnum):
    """How far a unit is."""

    ABSENT = "absent"
    STUB = "stub"
    STARTED = "started"


class Progress(StrEnum):
    """How far a module is, for `ol status`."""

    TODO = "todo"
    STARTED = "started"
    PASS = "pass"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Record:
    """What is remembered of a module between commands."""

    verdict: str = ""
    digest: str = ""
    """Of the code that the verdict is about."""
    assisted: bool = False
    spoiled: bool = False


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder in which a student works."""

    root: Path

    @property
    def home(self) -> Path:
        """The folder that holds the student's package."""
        return self.root / "python"

    def unit_path(self, unit: str) -> Path:
        """Where a unit belongs."""
        return self.home / unit

    def unit_state(self, unit: str) -> UnitState:
        """Whether a unit is there, and whether more than its stub is."""
        path = self.unit_path(unit)
        if not path.is_file():
            return UnitState.ABSENT
        try:
            return UnitState.STUB if is_stub(self.read(unit)) else UnitState.STARTED
        except Unreadable:
            return UnitState.STARTED

    def is_built(self, module: Module) -> bool:
        """Whether every unit of a module is there and is more than a stub."""
        return all(self.unit_state(unit) is UnitState.STARTED for unit in module.units)

    def read(self, unit: str) -> str:
        """A unit's text as Python would decode it; Unreadable where it cannot be read or is no Python."""
        try:
            with self.unit_path(unit).open("rb") as file:
                data = file.read(LARGEST_BYTES + 1)
        except OSError as error:
            raise Unreadable(str(error)) from error
        return decoded(data)

    def helpers(self, course: Course) -> dict[str, str]:
        """Text of the student's further modules beside the course's units, by path below `home`.

        Raises Unreadable, naming the file, for one that is no Python text, and where there are too many.
        """
        paths = self._further(course)
        if len(paths) > MOST_HELPERS:
            message = f"there are {len(paths)} of them beside the units, and {MOST_HELPERS} at most are taken along"
            raise Unreadable(message)
        found: dict[str, str] = {}
        for path in paths:
            unit = path.relative_to(self.home).as_posix()
            try:
                found[unit] = self.read(unit)
            except Unreadable as error:
                message = f"{path.relative_to(self.root)} is not Python: {error}"
                raise Unreadable(message) from error
        return found

    def _further(self, course: Course) -> list[Path]:
        """Python files of the student's packages that are no unit of the course, links left out."""
        units = {unit for module in course.modules for unit in module.units}
        folders = [self.home / top for top in sorted({Path(unit).parts[0] for unit in units})]
        files = [path for folder in folders if folder.is_dir() for path in _python_files(folder)]
        known = {*map(self.unit_path, units)}
        return [one for one in files if one not in known and one.name != "__init__.py" and not one.is_symlink()]

    def strays(self, unit: str) -> list[Path]:
        """Files that look like the unit in another place or under a similar name."""
        name = Path(unit).name
        found = []
        with contextlib.suppress(OSError):
            near = list(_python_files(self.root))
            found = [path for path in near if path.name == name and path != self.unit_path(unit)]
            if not found:
                alike = difflib.get_close_matches(name, [path.name for path in near], n=1, cutoff=0.8)
                found = [path for path in near if path.name in alike]
        return found

    # --- what is remembered

    @property
    def _state_path(self) -> Path:
        return self.root / ".ol" / "state.json"

    def record(self, module: Module) -> Record:
        """What was remembered of a module; nothing where the file is damaged."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            return Record(**json.loads(self._state_path.read_text("utf-8"))[module.id])
        return Record()

    def remember(self, module: Module, record: Record) -> None:
        """Store what is to be remembered; UsageError where the folder cannot be written."""
        known: dict[str, object] = {}
        with contextlib.suppress(OSError, ValueError):
            loaded = json.loads(self._state_path.read_text("utf-8"))
            known = loaded if isinstance(loaded, dict) else {}
        known[module.id] = {name: getattr(record, name) for name in Record.__slots__}
        try:
            self._state_path.parent.mkdir(parents=True, exist_ok=True)
            beside = self._state_path.with_suffix(".new")
            beside.write_text(json.dumps(known, indent=2) + "\n", "utf-8")
            beside.replace(self._state_path)
        except OSError as error:
            message = f"{self._state_path} cannot be written: {error.strerror}"
            raise UsageError(message) from error

    def digest(self, course: Course, module: Module) -> str:
        """SHA-256 over the module's units, those of all that it needs, and the student's further modules."""
        summed = hashlib.sha256()
        units = (*needed_units(course, module), *module.units)
        for path in (*map(self.unit_path, units), *self._further(course)):
            contents = path.read_bytes() if path.is_file() else b""
            summed.update(path.relative_to(self.home).as_posix().encode() + b"\0" + contents + b"\0")
        return summed.hexdigest()

    def progress(self, course: Course, module: Module) -> Progress:
        """How far a module is."""
        states = {self.unit_state(unit) for unit in module.units}
        if UnitState.STARTED not in states:
            return Progress.TODO if UnitState.STUB not in states else Progress.STARTED
        record = self.record(module)
        if record.verdict != "pass":
            return Progress.STARTED
        return Progress.PASS if record.digest == self.digest(course, module) else Progress.STALE


def needed_modules(course: Course, module: Module) -> tuple[Module, ...]:
    """All modules that one needs, directly or not, in the order in which they are imported."""
    found: dict[str, Module] = {}
    for need in module.needs:
        needed = course.module(need)
        for one in (*needed_modules(course, needed), needed):
            found.setdefault(one.id, one)
    return tuple(found.values())


def needed_units(course: Course, module: Module) -> tuple[str, ...]:
    """The units of all modules that one needs."""
    return tuple(unit for needed in needed_modules(course, module) for unit in needed.units)


def is_stub(source: str) -> bool:
    """Whether no function of a unit does anything yet."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, _FUNCTION)]
    return all(_does_nothing(node) for node in functions)


def _does_nothing(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return all(_is_placeholder(statement) for statement in body)


def _is_placeholder(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        return "NotImplementedError" in ast.unparse(statement.exc)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant) and statement.value.value is ...
    return isinstance(statement, ast.Pass)


def _python_files(root: Path) -> Iterable[Path]:
    """Python files at most four folders down, hidden folders and virtual environments left out."""
    pending = [(root, 0)]
    while pending:
        folder, depth = pending.pop()
        for path in sorted(folder.iterdir()):
            if path.name.startswith(".") or path.name in ("__pycache__", "site-packages", "venv", "node_modules"):
                continue
            if path.is_dir() and not path.is_symlink() and depth < 4:
                pending.append((path, depth + 1))
            elif path.suffix == ".py":
                yield path
