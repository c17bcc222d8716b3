"""What each test says of itself, read from its docstring without running it.

A test's docstring is one sentence (the law), a blank line, then the fields KIND, CHECKS, WHY and CATCHES in that
order; a value may go on over lines indented deeper than the field's name, and ``-`` is an empty CATCHES. A test that
kills no mutant says in a fifth field, STAYS, why it is kept all the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from harness.errors import CourseError
from harness.records import CatalogEntry, Kind

FIELDS = ("KIND", "CHECKS", "WHY", "CATCHES")
OPTIONAL = "STAYS"
_FIELD = re.compile(rf"^({'|'.join((*FIELDS, OPTIONAL))}):[ \t]*(.*)$")


def located(catalog: Iterable[CatalogEntry], root: Path) -> tuple[CatalogEntry, ...]:
    """The entries with their paths below `root`, the folder of the course: for whoever reads them elsewhere."""
    return tuple(replace(entry, path=entry.path.relative_to(root)) for entry in catalog)


def read_catalog(paths: Iterable[Path]) -> tuple[CatalogEntry, ...]:
    """The entries of all tests in these files, in order; CourseError naming file and line otherwise."""
    entries: list[CatalogEntry] = []
    first: dict[str, CatalogEntry] = {}
    for path in paths:
        try:
            tree = ast.parse(path.read_bytes(), filename=str(path))
        except (OSError, SyntaxError, ValueError) as error:
            message = f"{path} cannot be read as Python: {error}"
            raise CourseError(message) from error
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                entry = _entry(path, node)
                if earlier := first.get(entry.name):
                    message = f"{path}:{entry.line}: {entry.name} also stands at {earlier.path}:{earlier.line}"
                    raise CourseError(message)
                first[entry.name] = entry
                entries.append(entry)
    return tuple(entries)


def _entry(path: Path, node: ast.FunctionDef) -> CatalogEntry:
    where = f"{path}:{node.lineno}: {node.name}"
    values = parse_fields(ast.get_docstring(node) or "", where=where)
    try:
        kind = Kind(values["KIND"])
    except ValueError:
        message = f"{where}: KIND is {values['KIND']!r}"
        raise CourseError(message, remedy=f"one of {', '.join(Kind)}") from None
    catches = () if values["CATCHES"] == "-" else tuple(values["CATCHES"].split())
    return CatalogEntry(
        name=node.name,
        path=path,
        line=node.lineno,
        law=values[""],
        kind=kind,
        checks=values["CHECKS"],
        why=values["WHY"],
        catches=catches,
        stays=values.get(OPTIONAL, ""),
    )


def parse_fields(docstring: str, *, where: str) -> dict[str, str]:
    """The fields of one docstring; the law stands under the empty name."""
    law, _, rest = docstring.partition("\n")
    values: dict[str, str] = {"": law.strip()}
    current: str | None = None
    for line in rest.splitlines():
        if match := _FIELD.match(line):
            current = match[1]
            if current in values:
                message = f"{where}: {current} stands twice"
                raise CourseError(message)
            values[current] = match[2].strip()
        elif line.strip() and current is not None and line[0].isspace():
            values[current] = f"{values[current]} {line.strip()}"
        elif line.strip():
            message = f"{where}: {line.strip()!r} belongs to no field"
            raise CourseError(message, remedy=f"the fields are {', '.join(FIELDS)}")
    if [name for name in values if name not in ("", OPTIONAL)] != list(FIELDS) or not all(values.values()):
        found = ", ".join(name for name in values if name) or "none"
        message = f"{where}: needs a first sentence and the fields {', '.join(FIELDS)}; found {found}"
        raise CourseError(message)
    return values
