"""`ol start`: the stubs of a module in a student's folder, and nothing that is there already touched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from harness.course import Course, read_text
from harness.errors import UsageError
from harness.records import Module
from harness.student.stubs import stub_source
from harness.student.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Started:
    """What `ol start` did, with paths as seen from the student's folder."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]
    """Files that were there and stay as they were."""
    needs: tuple[tuple[Module, bool], ...]
    """Each module that is needed, and whether it is built."""


def start(course: Course, module: Module, workspace: Workspace) -> Started:
    """Write what is missing of a module's stubs and contracts; UsageError where the folder cannot be written."""
    written: list[Path] = []
    kept: list[Path] = []
    for unit in module.units:
        contract = read_text(course.contract_path(unit))
        contract_path = workspace.root / "contracts" / Path(unit).with_suffix(".pyi")
        for path, text in ((workspace.unit_path(unit), stub_source(contract)), (contract_path, contract)):
            (written if _write(path, text) else kept).append(path.relative_to(workspace.root))
        for folder in list(Path(unit).parents)[:-1]:
            _write(workspace.home / folder / "__init__.py", "")
    needs = tuple((course.module(need), workspace.is_built(course.module(need))) for need in module.needs)
    return Started(tuple(written), tuple(kept), needs)


def _write(path: Path, text: str) -> bool:
    """Whether the file was written: one that is there, whatever it holds, stays."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        if path.parent.is_dir():
            return False
        message = f"{path.parent} is not a folder"
        raise UsageError(message, remedy="move it away, or name another folder with --at") from None
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}"
        raise UsageError(message, remedy="name a folder of your own with --at") from error
    return True
