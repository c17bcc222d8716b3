"""Who may import whom, and that the design page tells the same story as the tree."""

import ast
from pathlib import Path

import pytest

import harness

ROOT = Path(harness.__file__).parent
FILES = sorted(path for path in ROOT.rglob("*.py") if "_course" not in path.parts)

# For each room, the rooms of ours that it may import. `harness.cli` may import all, and nobody may import it.
ALLOWED: dict[str, set[str]] = {
    "__init__": set(),
    "errors": set(),
    "records": set(),
    "course": {"diagnosis", "errors", "records"},
    "diagnosis": {"records"},
    "contract": {"errors", "records"},
    "catalog": {"errors", "records"},
    "scoring": {"errors", "records"},
    "profiles": set(),
    "lint": {"diagnosis", "errors", "records", "course", "contract", "catalog", "mutation", "engine"},
    "student": {
        "errors",
        "records",
        "course",
        "contract",
        "catalog",
        "mutation",
        "engine",
        "profiles",
        "subject",
        "diagnosis",
    },
    "reports": {"errors", "records", "scoring"},
    "grading": {
        *("__init__", "cache", "catalog", "contract", "course", "engine", "errors", "mutation", "profiles", "records"),
        *("reports", "results", "student", "subject"),
    },
    "process": set(),
    "results": {"errors"},
    "subject": {"errors", "records", "course", "mutation", "process"},
    "cache": set(),
    "mutation": {"errors", "records", "course", "cache"},
    "engine": {
        *("__init__", "cache", "errors", "records", "course", "catalog", "profiles", "mutation", "subject", "process"),
    },
    "bytelevel": {"errors"},
    "verify": {"__init__", "errors", "records", "profiles", "bytelevel", "subject"},
    "doctor": {"__init__", "errors", "records", "bytelevel", "subject"},
    "__main__": {"cli"},
}


def room(name: str) -> str:
    """The part of the architecture that a dotted module name belongs to."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            # `from harness import profiles` names a room by its alias, `from harness.x import y` by its module.
            found |= (
                {f"harness.{alias.name}" for alias in node.names} if node.module == "harness" else {node.module or ""}
            )
    return {name for name in found if name == "harness" or name.startswith("harness.")}


def own_room(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_the_rooms_below_it(path: Path) -> None:
    own = own_room(path)
    if own == "cli":
        return
    used = {room(name) for name in imports_of(path)} - {own}
    version_only = {"__version__"}
    assert used - ALLOWED[own] - version_only == set()


def test_nobody_imports_the_command_line() -> None:
    others = [path for path in FILES if own_room(path) != "cli"]
    users = [path for path in others if any(room(name) == "cli" for name in imports_of(path))]
    assert [path.name for path in users] == ["__main__.py"]


def test_the_reference_imports_nothing_of_ours() -> None:
    for path in (ROOT.parent / "reference").rglob("*.py"):
        assert imports_of(path) == set(), path


def test_the_design_page_has_one_sentence_for_each_file() -> None:
    design = (ROOT.parent / "DESIGN.md").read_text()
    silent = [
        name
        for path in FILES
        if (name := str(path.relative_to(ROOT))) and path.name not in ("__init__.py", "__main__.py")
        if f"`{name}`" not in design
    ]
    assert silent == []


def test_the_design_page_names_no_file_that_is_gone() -> None:
    design = (ROOT.parent / "DESIGN.md").read_text()
    table = [line for line in design.splitlines() if line.startswith("| `") and ".py`" in line]
    named = [line.split("`")[1] for line in table]
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
