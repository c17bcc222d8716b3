"""All rules on one module: the static ones first, and the measured ones where those leave something to measure."""

from __future__ import annotations

from collections.abc import Callable

from harness.catalog import read_catalog
from harness.course import Course
from harness.engine.baseline import measure
from harness.engine.equivalence import equivalence_of
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.engine.score import Options, score
from harness.errors import HarnessError
from harness.lint import measured, static
from harness.mutation.catalogue import load_mutants
from harness.mutation.curated import load_curated
from harness.records import Module, Problem, Tier, Verdict

RULES = {
    "manifest": "the manifest reads, and every patch in it applies exactly",
    "catalog": "every test says what it checks, why, and what it catches",
    "contract": "contract and reference agree, and the contract explains every name",
    "patches": "each patch is exactly the diff of what it makes",
    "differ": "no mutant equals the reference or another mutant, no wheat another wheat",
    "claims": "CATCHES lines and the manifest agree, and every curated mutant is claimed",
    "tests": "the tests collect and run on the reference",
    "controls": "the four controls of a score hold",
    "refusal": "no test passes on a subject that refuses everything",
    "catches": "every CATCHES claim holds in the measured matrix",
    "idle": "every test kills something, or says why it stays",
    "survivors": "every mutant is detected or equivalent by exhaustion",
    "witness": "each curated mutant differs from the reference on its witness",
    "behaviour": "the stored table of what mutants show on the witnesses is what they show",
}
"""Every rule with what it asks; the order is that of the report."""
_CURATED = frozenset({Tier.SEMANTIC, Tier.PINNED})
"""Claims are about these. Of a generated mutant one killer is enough: most are many."""


def lint(
    course: Course,
    module: Module,
    *,
    jobs: int,
    run: bool = True,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> tuple[Problem, ...]:
    """Everything that the rules hold against one module, in the order of `RULES`.

    Without `run` nothing is executed, and only the rules that can be told from the files are asked.
    """
    problems = [*static.contract_agrees(course, module)]
    try:
        catalog = read_catalog(course.test_files(module))
    except HarnessError as error:
        problems.append(Problem("catalog", module.id, str(error)))
        catalog = ()
    try:
        curated = load_curated(course, module)
        mutants = load_mutants(course, module, generated=True)
    except HarnessError as error:
        return _ordered([*problems, Problem("manifest", module.id, str(error))])
    units = course.read_units(module)
    problems += static.patches_are_canonical(course, module, units, curated)
    problems += static.mutants_differ(units, mutants)
    problems += static.claims_agree(catalog, curated)
    if not run or any(problem.rule == "catalog" for problem in problems):
        return _ordered(problems)
    try:
        report = score(course, module, mutants, Options(jobs=jobs, matrix=True, rows=_CURATED), on_verdict=on_verdict)
    except HarnessError as error:
        return _ordered([*problems, Problem("tests", module.id, str(error))])
    problems += measured.controls_hold(report)
    if report.controls.hold:
        problems += measured.claims_hold(report, catalog)
        problems += measured.nothing_survives(report)
        with WarmParent(course, module, jobs=jobs) as parent:
            baseline = measure(parent, units, run_seed=0)
            equivalence = equivalence_of(course, module, parent, units)
            scheduler = Scheduler(parent, baseline, units, catalog, equivalence, 0)
            problems += measured.refusal_earns_nothing(parent, units, baseline, run_seed=0)
            problems += measured.tests_earn_their_place(report, catalog, scheduler)
            problems += measured.witnesses_tell(parent, units, module, curated, course.behaviour(module))
    return _ordered(problems)


def _ordered(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: list(RULES).index(problem.rule)))
