"""Digests of what a result was made from, so that two results can be told apart by their causes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from harness.course import Course, read_text
from harness.records import Module, Mutant


def digests_of(course: Course, module: Module) -> dict[str, str]:
    """SHA-256 over the reference's files and over everything in the folder of the module's tests."""
    tests = {path.name: read_text(path) for path in sorted(course.tests(module).glob("*.py"))}
    return {"reference": digest(course.read_units(module)), "tests": digest(tests)}


def digest_of_mutants(mutants: Iterable[Mutant]) -> str:
    """SHA-256 over the ids and diffs of mutants and wheats."""
    return digest({mutant.id: mutant.diff for mutant in mutants})


def digest(texts: Mapping[str, str]) -> str:
    """SHA-256 over names and texts, in the order of the names."""
    summed = hashlib.sha256()
    for name in sorted(texts):
        for part in (name, texts[name]):
            data = part.encode("utf-8", "surrogatepass")
            summed.update(f"{len(data)}:".encode() + data)
    return summed.hexdigest()
