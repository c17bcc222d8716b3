"""Mutants and wheats that a person wrote: patches and whole files, with a manifest that says what is known of them."""

from __future__ import annotations

import ast
import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.course import Course, read_text
from harness.errors import CourseError, UsageError
from harness.mutation.patches import apply_patch, first_difference, unified_diff
from harness.records import Module, Mutant, Tier

MANIFEST = "manifest.toml"
_NOT_MUTANTS = frozenset({"scope.py"})
_TIERS = {"s": Tier.SEMANTIC, "m": Tier.PINNED, "w": Tier.WHEAT}
_MUTANT_KEYS = frozenset({"id", "unit", "pitfall", "operator", "required", "caught_by", "public", "hidden", "witness"})
_WHEAT_KEYS = frozenset({"id", "unit", "description"})


def load_curated(course: Course, module: Module) -> tuple[Mutant, ...]:
    """The module's curated mutants and wheats in the order of its manifest.

    Raises CourseError for anything that the manifest and the files do not agree on.
    """
    folder = course.mutants(module)
    units = course.read_units(module)
    manifest = folder / MANIFEST
    try:
        document = tomllib.loads(read_text(manifest))
    except tomllib.TOMLDecodeError as error:
        message = f"{manifest} is not TOML: {error}"
        raise CourseError(message) from error
    rows = [(table, _MUTANT_KEYS) for table in document.get("mutant", [])]
    rows += [(table, _WHEAT_KEYS) for table in document.get("wheat", [])]
    found = tuple(_from_row(folder, units, table, keys, manifest) for table, keys in rows)
    _check_complete(folder, found, manifest)
    return found


def _from_row(
    folder: Path, units: Mapping[str, str], table: dict[str, Any], keys: frozenset[str], manifest: Path
) -> Mutant:
    where = f"{manifest}: {table.get('id', 'an entry without id')}"
    for key in table:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, n=1)
            message = f"{where}: unknown key {key!r}"
            raise CourseError(message, remedy=f"did you mean {near[0]!r}?" if near else "")
    for key in keys - {"pitfall", "required"}:
        if key not in table:
            message = f"{where}: {key!r} is missing"
            raise CourseError(message)
    tier = _TIERS.get(table["id"][:1])
    if tier is None or (tier is Tier.WHEAT) is not (keys is _WHEAT_KEYS):
        message = f"{where}: a mutant's id begins with s or m, a wheat's with w"
        raise CourseError(message)
    path = folder / f"{table['id']}.patch"
    if tier is Tier.WHEAT and not path.is_file():
        # A wheat that has little in common with the reference is a file of its own, others are patches.
        path = path.with_suffix(".py")
    sources = _sources(path, units, table["unit"])
    return _mutant(
        table["id"],
        tier,
        sources,
        units,
        description=table.get("hidden", table.get("description", "")),
        public=table.get("public", ""),
        operator=table.get("operator", ""),
        pitfall=table.get("pitfall"),
        required=table.get("required", True),
        caught_by=tuple(table.get("caught_by", ())),
        witness=table.get("witness", ""),
    )


def _check_complete(folder: Path, found: tuple[Mutant, ...], manifest: Path) -> None:
    ids = [mutant.id for mutant in found]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        message = f"{manifest}: id {twice!r} stands twice"
        raise CourseError(message)
    stray = sorted({path.stem for path in _files(folder)} - set(ids))
    if stray:
        message = f"{manifest} does not mention {', '.join(stray)}"
        raise CourseError(message)


def load_folder(folder: Path, course: Course, module: Module, *, tier: Tier) -> tuple[Mutant, ...]:
    """Mutants or wheats that anybody wrote: ``*.patch`` on the reference, or ``*.py`` in the place of a unit.

    A file's stem is its id. A ``.py`` file stands for the module's unit of the same name, else for its first.
    """
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise UsageError(message)
    units = course.read_units(module)
    paths = _files(folder)
    if not paths:
        message = f"{folder} holds no *.patch and no *.py"
        raise UsageError(message)
    by_name = {Path(unit).name: unit for unit in units}
    found = []
    for path in paths:
        sources = _sources(path, units, by_name.get(path.name, module.units[0]))
        description = _first_sentence(path) or f"from {path.name}"
        found.append(_mutant(path.stem, tier, sources, units, description=description, required=False))
    return tuple(found)


def _first_sentence(path: Path) -> str:
    """The first line of a Python file's docstring; empty for a patch and for what does not parse."""
    try:
        return (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")[0]
    except (SyntaxError, ValueError):
        return ""


def _files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.suffix in (".patch", ".py") and path.name not in _NOT_MUTANTS
    )


def _sources(path: Path, units: Mapping[str, str], unit: str) -> dict[str, str]:
    text = read_text(path)
    if path.suffix == ".patch":
        return apply_patch(text, units, where=str(path))
    if unit not in units:
        message = f"{path}: {unit!r} is no unit of the module"
        raise CourseError(message, remedy=f"its units are {', '.join(units)}")
    return {unit: text}


@dataclass(frozen=True, slots=True)
class _Difference:
    unit: str
    line: int
    diff: str


def _difference(sources: Mapping[str, str], units: Mapping[str, str]) -> _Difference:
    changed = [unit for unit in sources if sources[unit] != units[unit]] or list(sources)
    unit = changed[0]
    diff = "".join(unified_diff(units[one], sources[one], one) for one in changed)
    return _Difference(unit, first_difference(units[unit], sources[unit]), diff)


def _mutant(id_: str, tier: Tier, sources: Mapping[str, str], units: Mapping[str, str], **known: Any) -> Mutant:
    difference = _difference(sources, units)
    return Mutant(
        id=id_, tier=tier, sources=sources, unit=difference.unit, line=difference.line, diff=difference.diff, **known
    )
