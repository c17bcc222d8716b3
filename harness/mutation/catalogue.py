"""All mutants of a module: curated, anybody's, and generated, with the generated ones taken from the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version

from harness.cache import cached
from harness.course import Course
from harness.mutation.curated import load_curated
from harness.records import Module, Mutant, Tier


def load_mutants(
    course: Course, module: Module, further: Sequence[Mutant] = (), *, generated: bool
) -> tuple[Mutant, ...]:
    """The module's mutants and wheats by tier: semantic, pinned, generated, wheats; `further` are anybody's."""
    curated = load_curated(course, module)
    found = [*curated, *further]
    if generated:
        found += generated_mutants(course.read_units(module), curated)
    return tuple(sorted(found, key=lambda mutant: list(Tier).index(mutant.tier)))


def generated_mutants(units: Mapping[str, str], curated: Sequence[Mutant]) -> tuple[Mutant, ...]:
    """`harness.mutation.generated.generate`, or what it gave the last time for the same texts and libraries.

    Importing mutmut and LibCST alone takes longer than judging all mutants, so they are imported on a miss only.
    """

    def compute() -> list[dict[str, object]]:
        from harness.mutation.generated import generate

        return [asdict(mutant) for mutant in generate(units, curated)]

    known = hashlib.sha256(json.dumps([dict(mutant.sources) for mutant in curated]).encode()).hexdigest()
    key = [dict(units), known, version("mutmut"), version("libcst")]
    return tuple(_mutant(document) for document in cached("generated", key, compute))


def _mutant(document: Mapping[str, object]) -> Mutant:
    values = dict(document)
    values["tier"] = Tier(str(values["tier"]))
    values["caught_by"] = ()
    return Mutant(**values)  # type: ignore[arg-type]
