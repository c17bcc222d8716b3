"""How often the diagnosis is right: every curated mutant in three other writings, as a stranger would hand it in.

Run from the project's root: ``python benchmarks/diagnosis.py [ID ...]``. Each writing is checked to behave as the
mutant does where nobody looks for it: it fails tests. Then each is diagnosed a second time by a table that lacks its
mutant, as a mistake that nobody foresaw: an answer that calls itself sure is then wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping

from rewritings import WRITINGS

from harness.catalog import read_catalog
from harness.course import Course, load_course
from harness.diagnosis import Behaviour, diagnose
from harness.engine.baseline import MEMORY_BYTES
from harness.engine.behaviour import observe_probes
from harness.engine.jobs import Job, TestPlan, seed_for
from harness.engine.parent import WarmParent
from harness.engine.score import DEFAULT_SEED
from harness.mutation.curated import load_curated
from harness.mutation.witness import Probe, probes_of
from harness.profiles import Profile
from harness.records import Module, Mutant, Tier

LIMIT_S = 10.0


def main() -> None:
    """Print a table, and the answers that were not the mutant's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    course = load_course()
    for name in parser.parse_args().modules or [module.id for module in course.modules]:
        examine(course, course.module(name))


def examine(course: Course, module: Module) -> None:
    """All mutants of one module in all writings."""
    curated = load_curated(course, module)
    mutants = [one for one in curated if one.tier is not Tier.WHEAT]
    behaviour = course.behaviour(module)
    units = course.read_units(module)
    tests = [entry.name for entry in read_catalog(course.test_files(module))]
    counts: Counter[str] = Counter()
    notes: list[str] = []
    with WarmParent(course, module, jobs=2, profile=Profile.CHECK) as parent, parent.pool() as pool:

        def one(case: tuple[Mutant, str]) -> tuple[Mutant, str, dict[str, str], list[str]]:
            mutant, writing = case
            texts = {**units, **{unit: WRITINGS[writing](text) for unit, text in mutant.sources.items()}}
            return mutant, writing, *observed(parent, texts, tests, probes_of(module, curated))

        for mutant, writing, shown, failed in pool.map(one, [(one, way) for one in mutants for way in WRITINGS]):
            counts["submissions"] += 1
            if not failed:
                counts["not caught"] += 1
                notes.append(f"{mutant.id} ({writing}) fails no test")
                continue
            answers = diagnose(shown, failed, behaviour)
            first = answers[0] if answers else None
            right = first is not None and first.mutants == (mutant.id,)
            counts["right"] += right
            counts["no answer"] += first is None
            counts["sure"] += first is not None and first.sure
            counts["sure and wrong"] += first is not None and first.sure and not right
            if not right:
                said = " + ".join(first.mutants) + (" (sure)" if first.sure else "") if first else "nothing"
                notes.append(f"{mutant.id} ({writing}): {said}")
            others = {name: found for name, found in behaviour.mutants.items() if name != mutant.id}
            unforeseen = diagnose(shown, failed, Behaviour(behaviour.reference, others))
            counts["unforeseen, and sure"] += bool(unforeseen) and unforeseen[0].sure
    total = counts["submissions"]
    print(f"{module.id}: {total} submissions, {len(mutants)} mutants in {len(WRITINGS)} writings")
    for word in ("right", "no answer", "sure", "sure and wrong", "unforeseen, and sure", "not caught"):
        print(f"  {word:22} {counts[word]:5}  {100 * counts[word] / total:5.1f} %")
    for note in notes:
        print(f"    {note}")


def observed(
    parent: WarmParent, texts: Mapping[str, str], tests: list[str], probes: tuple[Probe, ...]
) -> tuple[dict[str, str], list[str]]:
    """What a submission shows on the probes, and the tests that it fails under the conditions of `ol check`."""
    failed: list[str] = []
    left = list(tests)
    while left:
        job = Job(
            sources=texts,
            in_place=None,
            tests=tuple(TestPlan(name, seed_for(DEFAULT_SEED, "submission", name), LIMIT_S) for name in left),
            stop_at_first_failure=False,
            startup_limit_s=LIMIT_S,
            memory_bytes=MEMORY_BYTES,
        )
        outcome = parent.run(job)
        failed += [run.name for run in outcome.runs if not run.passed]
        failed += [outcome.running] * bool(outcome.running)
        left = left[len(outcome.runs) + 1 :]
    return observe_probes(parent, texts, probes), failed


if __name__ == "__main__":
    main()
