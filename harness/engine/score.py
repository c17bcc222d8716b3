"""One `ol score` of one module, from the course to the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType

from harness.catalog import located, read_catalog
from harness.course import Course
from harness.engine.baseline import Baseline, check_controls, measure
from harness.engine.digests import digest_of_mutants, digests_of
from harness.engine.equivalence import Equivalence, equivalence_of
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.engine.versions import time_of_day, versions
from harness.errors import NothingToRun
from harness.profiles import Profile
from harness.records import CatalogEntry, Controls, Module, Mutant, Report, Tier, Verdict

DEFAULT_SEED = 20190214
"""The day GPT-2 was announced; any fixed number would do."""
_ISOLATION = "none"
_NO_CONTROLS = Controls(
    reference=False, raises_everywhere=False, identity=False, wheats=False, notes=("the run ended before them",)
)


@dataclass(frozen=True, slots=True)
class Options:
    """What a person can ask of a score run."""

    jobs: int
    seed: int = DEFAULT_SEED
    matrix: bool = False
    rows: frozenset[Tier] = frozenset(Tier)
    """Where there is a matrix: the tiers whose mutants meet every test. The others stop at their first kill."""


def score(
    course: Course,
    module: Module,
    mutants: Sequence[Mutant],
    options: Options,
    *,
    start: Start | None = None,
    on_verdict: Callable[[Verdict], None] = lambda verdict: None,
) -> Report:
    """Judge every mutant; wheats among them are a control and not a mutant.

    `start` is what was begun of this run already; it is ended with it. Where a control fails the report says which and
    holds no verdict on a mutant. An interrupt ends the run early: the report then is not `complete` and holds the
    verdicts that were in. Raises NothingToRun where the module has no tests or no mutants.
    """
    files = course.test_files(module)
    if not files:
        message = f"{module.id} has no tests: {course.tests(module)} holds no test_*.py"
        raise NothingToRun(message)
    judged = [mutant for mutant in mutants if mutant.tier is not Tier.WHEAT]
    if not judged:
        message = f"{module.id} has no mutants"
        raise NothingToRun(message)
    units = course.read_units(module)
    catalog = read_catalog(files)
    found = _Found()

    def take(verdict: Verdict) -> None:
        found.verdicts[verdict.mutant.id] = verdict
        on_verdict(verdict)

    start = start or Start(course, module, options)  # once nothing can keep it from being ended
    complete = True
    try:
        with start:
            _judge(start, mutants, catalog, options, found, take)
    except KeyboardInterrupt:
        complete = False
    in_order = (*judged, *(mutant for mutant in mutants if mutant.tier is Tier.WHEAT))
    return Report(
        module=module,
        verdicts=tuple(found.verdicts[mutant.id] for mutant in in_order if mutant.id in found.verdicts),
        controls=found.controls,
        tests=found.tests,
        matrix=options.matrix,
        seed=options.seed,
        elapsed_s=time.monotonic() - start.began,
        versions=versions(),
        mutation_s=found.mutation_s,
        baseline_s=found.baseline_s,
        reference=units,
        complete=complete,
        planned=len(judged),
        catalog=located(catalog, course.root),
        profile=Profile.SCORE,
        isolation=_ISOLATION,
        began_at=start.began_at,
        digests={**digests_of(course, module), "mutants": digest_of_mutants(mutants)},
    )


@dataclass
class _Found:
    """What a run has found so far: an interrupt leaves it as it is."""

    controls: Controls = _NO_CONTROLS
    tests: tuple[str, ...] = ()
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    mutation_s: float = 0.0
    baseline_s: float = 0.0


@dataclass(frozen=True, slots=True)
class _Begun:
    """What every verdict of a run rests on."""

    parent: WarmParent
    units: Mapping[str, str]
    baseline: Baseline
    equivalence: Equivalence


class Start:
    """The part of a run that needs no mutant, in a thread of its own: a context manager that ends what it started.

    Making the generated mutants takes about as long as the reference's own run, so that a command that begins with
    this has both in the time of one.
    """

    def __init__(self, course: Course, module: Module, options: Options) -> None:
        self.began, self.began_at = time.monotonic(), time_of_day()
        self._course, self._module, self._options = course, module, options
        self._stack = ExitStack()
        self._beside = ThreadPoolExecutor(1)
        self._begun = self._beside.submit(self._begin)

    def _begin(self) -> _Begun:
        course, module = self._course, self._module
        units = course.read_units(module)
        parent = self._stack.enter_context(WarmParent(course, module, jobs=self._options.jobs))
        baseline = measure(parent, units, run_seed=self._options.seed)
        return _Begun(parent, units, baseline, equivalence_of(course, module, parent, units))

    def __enter__(self) -> Start:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._beside.shutdown()
        self._stack.close()

    def result(self) -> _Begun:
        """What was begun, once it is there; raises what kept it from being."""
        return self._begun.result()


def _judge(
    start: Start,
    mutants: Sequence[Mutant],
    catalog: Sequence[CatalogEntry],
    options: Options,
    found: _Found,
    on_verdict: Callable[[Verdict], None],
) -> None:
    """Controls first, then, where they hold, every mutant; `found` is filled on the way."""
    judged = [mutant for mutant in mutants if mutant.tier is not Tier.WHEAT]
    wheats = [mutant for mutant in mutants if mutant.tier is Tier.WHEAT]
    begun = start.result()
    parent, units, baseline = begun.parent, begun.units, begun.baseline
    found.tests = parent.greeting.tests
    found.baseline_s = baseline.outcome.elapsed_s
    with ThreadPoolExecutor(1) as beside:
        # The reference's own scopes take a while, and the controls do not keep every lane busy.
        prepared = beside.submit(begun.equivalence.prepare) if begun.equivalence.source else None
        found.controls = check_controls(parent, baseline, units, wheats, run_seed=options.seed, on_verdict=on_verdict)
    if not found.controls.hold:
        return
    if prepared is not None:
        prepared.result()
    began = time.monotonic()
    try:
        scheduler = Scheduler(parent, baseline, units, catalog, begun.equivalence, options.seed)
        scheduler.judge_all(judged, rows=options.rows if options.matrix else (), on_verdict=on_verdict)
    finally:
        found.mutation_s = time.monotonic() - began
