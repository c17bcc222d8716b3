"""A mutant's witness: the smallest call on which it differs, and what a subject shows there.

A witness is an expression over the names of one unit. ``file(contents, name)`` in it is the path of a file made for
the occasion. What is shown is the same in this process, in another one and over the wire: paths in messages are cut
down to the file's name.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.course import dotted
from harness.records import Module, Mutant


def unit_of(mutant: Mutant, module: Module) -> str:
    """The unit over whose names a mutant's witness is an expression: one that is asked of every submission."""
    return mutant.unit if mutant.unit in module.units else module.units[0]


@dataclass(frozen=True, slots=True)
class Probe:
    """A witness that is asked of every subject."""

    name: str
    """Id of the first mutant that has it."""
    unit: str
    expression: str


def probes_of(module: Module, curated: Iterable[Mutant]) -> tuple[Probe, ...]:
    """The different witnesses of a module's curated mutants, in their order."""
    probes: dict[tuple[str, str], Probe] = {}
    for mutant in curated:
        if mutant.witness:
            key = unit_of(mutant, module), mutant.witness
            probes.setdefault(key, Probe(mutant.id, *key))
    return tuple(probes.values())


def witness_scope(witnesses: Sequence[tuple[str, str]]) -> str:
    """Text of a ``scope.py`` with scopes `scope_0`, `scope_1`, ...: what each unit shows on its expression.

    Unlike what scopes observe, the whole message of an error counts: a mutant may differ in nothing else.
    """
    return "\n\n".join(
        f"def scope_{place}():\n"
        f"    import {dotted(unit)} as subject\n"
        "    from harness.mutation.witness import shown\n"
        f"    yield shown({expression!r}, vars(subject))\n"
        for place, (unit, expression) in enumerate(witnesses)
    )


def shown(expression: str, names: Mapping[str, object]) -> tuple[str, ...]:
    """The value of an expression with its kind, or the exception's type and message."""
    made: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tokproof-file-") as folder:

        def file(contents: str | bytes, name: str) -> Path:
            path = Path(folder, name)
            path.write_bytes(contents if isinstance(contents, bytes) else contents.encode("utf-8"))
            made.append(name)
            return path

        try:
            return "returned", repr(eval(expression, {**names, "file": file}))
        except Exception as error:
            name_of_error, message = type(error).__name__, str(error)
    for name in made:
        message = re.sub(rf"[^\s'\"]*/{re.escape(name)}", name, message)
    return "raised", name_of_error, message
