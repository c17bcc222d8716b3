"""Measure what every mutant of a module shows on the module's probes and which tests it fails.

``python tools/measure_behaviour.py [ID ...]`` from the project's root writes ``mutants/<ID>/behaviour.json``, by which
`ol check` tells a mistake; `ol lint` holds the table to what it measures itself.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from harness.course import BEHAVIOUR, Course, load_course
from harness.diagnosis import Behaviour, Deviations
from harness.engine.behaviour import observe_probes
from harness.engine.parent import WarmParent
from harness.engine.score import Options, score
from harness.mutation.curated import load_curated
from harness.mutation.witness import probes_of
from harness.records import Module, Tier


def main() -> None:
    """Write the table of each module that is named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--course", type=Path, help="another course than the built-in one")
    arguments = parser.parse_args()
    course = load_course(arguments.course)
    for name in arguments.modules or [module.id for module in course.modules]:
        module = course.module(name)
        behaviour = measure(course, module)
        (course.mutants(module) / BEHAVIOUR).write_text(behaviour.to_json(), "utf-8")
        print(f"{module.id}: {len(behaviour.reference)} probes, {len(behaviour.mutants)} mutants")


def measure(course: Course, module: Module) -> Behaviour:
    """The table, from a full matrix and a run of each mutant over all probes."""
    curated = load_curated(course, module)
    units = course.read_units(module)
    probes = probes_of(module, curated)
    jobs = min(2, os.cpu_count() or 1)
    report = score(course, module, curated, Options(jobs=jobs, matrix=True))
    with WarmParent(course, module, jobs=jobs) as parent:
        reference = observe_probes(parent, units, probes)
        mutants = {}
        for verdict in report.verdicts:
            mutant = verdict.mutant
            if mutant.tier is not Tier.WHEAT:
                shown = observe_probes(parent, {**units, **mutant.sources}, probes)
                differs = {name: digest for name, digest in shown.items() if digest != reference[name]}
                mutants[mutant.id] = Deviations(differs, verdict.killed_by)
    return Behaviour(reference, mutants)


if __name__ == "__main__":
    main()
