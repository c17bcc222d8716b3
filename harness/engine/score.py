"""One `ol score` of one module, from the course to the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from harness.catalog import read_catalog
from harness.course import Course
from harness.engine.baseline import check_controls, measure
from harness.engine.equivalence import equivalence_of
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.engine.versions import versions
from harness.errors import NothingToRun
from harness.records import Module, Mutant, Report, Tier, Verdict

DEFAULT_SEED = 20190214
"""The day GPT-2 was announced; any fixed number would do."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person can ask of a score run."""

    jobs: int
    seed: int = DEFAULT_SEED
    matrix: bool = False


def score(
    course: Course,
    module: Module,
    mutants: Sequence[Mutant],
    options: Options,
    *,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> Report:
    """Judge every mutant; wheats among them are a control and not a mutant.

    Where a control fails the report says which and holds no verdict on a mutant. Raises NothingToRun where the
    module has no tests or no mutants.
    """
    began = time.monotonic()
    files = course.test_files(module)
    if not files:
        message = f"{module.id} has no tests: {course.tests(module)} holds no test_*.py"
        raise NothingToRun(message)
    judged = [mutant for mutant in mutants if mutant.tier is not Tier.WHEAT]
    if not judged:
        message = f"{module.id} has no mutants"
        raise NothingToRun(message)
    wheats = [mutant for mutant in mutants if mutant.tier is Tier.WHEAT]
    units = course.read_units(module)
    catalog = read_catalog(files)
    with WarmParent(course, module, jobs=options.jobs) as parent:
        equivalence = equivalence_of(course, module, parent, units)
        with ThreadPoolExecutor(1) as beside:
            # The reference's own scopes take a while, and neither baseline nor controls keep every lane busy.
            prepared = beside.submit(equivalence.prepare) if equivalence.source else None
            baseline = measure(parent, units, run_seed=options.seed)
            controls, wheat_verdicts = check_controls(
                parent, baseline, units, wheats, run_seed=options.seed, on_verdict=on_verdict
            )
        if prepared is not None and controls.hold:
            prepared.result()
        verdicts: tuple[Verdict, ...] = ()
        mutation_began = time.monotonic()
        if controls.hold:
            scheduler = Scheduler(parent, baseline, units, catalog, equivalence, options.seed)
            verdicts = scheduler.judge_all(judged, matrix=options.matrix, on_verdict=on_verdict)
        mutation_s = time.monotonic() - mutation_began
        tests = parent.greeting.tests
    return Report(
        module=module,
        verdicts=(*verdicts, *wheat_verdicts),
        controls=controls,
        tests=tests,
        matrix=options.matrix,
        seed=options.seed,
        elapsed_s=time.monotonic() - began,
        versions=versions(),
        mutation_s=mutation_s,
        reference=units,
    )
