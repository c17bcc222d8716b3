"""The rules that need a measured kill matrix, or a run of each mutant's witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harness.diagnosis import Behaviour
from harness.engine.baseline import MEMORY_BYTES, Baseline, everything_in_place, raise_everywhere
from harness.engine.behaviour import observe_probes
from harness.engine.jobs import Job
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.mutation.witness import probes_of, unit_of
from harness.records import CatalogEntry, Module, Mutant, Problem, Report, Status, Tier


def claims_hold(report: Report, catalog: Sequence[CatalogEntry]) -> Iterator[Problem]:
    """Every CATCHES claim holds in the measured matrix."""
    killers = {verdict.mutant.id: set(verdict.killed_by) for verdict in report.verdicts}
    for entry in catalog:
        for mutant in entry.catches:
            if entry.name not in killers.get(mutant, set()):
                yield Problem("catches", entry.name, f"claims {mutant} and does not kill it")


def tests_earn_their_place(report: Report, catalog: Sequence[CatalogEntry], scheduler: Scheduler) -> Iterator[Problem]:
    """Every test kills something, or says why it stays; those that the report has killing nothing are asked again."""
    busy = {test for verdict in report.verdicts for test in verdict.killed_by}
    generated = [one.mutant for one in report.verdicts if one.mutant.tier is Tier.GENERATED and one.killed_by]
    for entry in catalog:
        if entry.name not in busy and not _kills_one(entry.name, generated, scheduler):
            if not entry.stays:
                yield Problem("idle", entry.name, "kills no mutant: remove it, or say why in a field STAYS")
        elif entry.stays:
            yield Problem("idle", entry.name, "says why it stays though it kills nothing, and it kills something")


def _kills_one(test: str, mutants: Sequence[Mutant], scheduler: Scheduler) -> bool:
    for mutant in mutants:
        plan = scheduler.plan(mutant)
        if test in (*plan.quick, *plan.slow) and scheduler.judge_cell(mutant, test).status is Status.KILLED:
            return True
    return False


def nothing_survives(report: Report) -> Iterator[Problem]:
    """Every mutant is detected, or equivalent by exhaustion of the module's scope."""
    for verdict in report.verdicts:
        if verdict.mutant.tier is not Tier.WHEAT and verdict.status in (Status.SURVIVED, Status.INVALID, Status.ERROR):
            if verdict.status is Status.INVALID and verdict.mutant.tier is Tier.GENERATED:
                continue  # an operator need not give a module that imports
            yield Problem("survivors", verdict.mutant.id, f"{verdict.status}: {verdict.mutant.description}")


def controls_hold(report: Report) -> Iterator[Problem]:
    """The reference passes, a subject that raises fails all, an unchanged copy survives, and every wheat passes."""
    for note in report.controls.notes:
        yield Problem("controls", report.module.id, note)


def refusal_earns_nothing(
    parent: WarmParent, units: Mapping[str, str], baseline: Baseline, *, run_seed: int
) -> Iterator[Problem]:
    """No test passes on a subject that answers every call with the error that a contract asks for somewhere."""
    tests = parent.greeting.tests
    for error in (ValueError, TypeError):
        refusing = {unit: raise_everywhere(text, error) for unit, text in units.items()}
        job = Job(
            sources=refusing,
            in_place=everything_in_place(units, refusing),
            tests=baseline.plans(tests, run_seed=run_seed, mutant_id="refusal"),
            stop_at_first_failure=False,
            startup_limit_s=baseline.startup_limit_s,
            memory_bytes=MEMORY_BYTES,
        )
        for run in parent.run(job).runs:
            if run.passed:
                message = (
                    f"passes on a subject that only raises {error.__name__}: assert something that is accepted too"
                )
                yield Problem("refusal", run.name, message)


def witnesses_tell(
    parent: WarmParent, units: Mapping[str, str], module: Module, curated: Sequence[Mutant], stored: Behaviour
) -> Iterator[Problem]:
    """On its witness, each curated mutant shows something else than the reference; and the stored table is true.

    The table has of every mutant all that it shows otherwise than the reference, on all witnesses.
    """
    mend = "measure it again: python tools/measure_behaviour.py"
    probes = probes_of(module, curated)
    own = {(probe.unit, probe.expression): probe.name for probe in probes}
    mutants = [mutant for mutant in curated if mutant.tier is not Tier.WHEAT]
    reference = observe_probes(parent, units, probes)
    with parent.pool() as pool:
        found = list(pool.map(lambda one: observe_probes(parent, {**units, **one.sources}, probes), mutants))
    if reference != stored.reference:
        yield Problem("behaviour", module.id, f"the table's reference shows something else than this one; {mend}")
    for mutant, shown in zip(mutants, found, strict=True):
        probe = own.get((unit_of(mutant, module), mutant.witness), "")
        if not probe:
            yield Problem("witness", mutant.id, "it has no witness: an expression on which it shows something else")
        elif probe not in reference:
            yield Problem("witness", mutant.id, f"the reference does not come back from {mutant.witness}")
        elif shown.get(probe) == reference[probe]:
            yield Problem("witness", mutant.id, f"{mutant.witness} is the same as on the reference")
        differs = {name: digest for name, digest in shown.items() if digest != reference.get(name)}
        known = stored.mutants.get(mutant.id)
        if known is None or known.shown != differs:
            yield Problem("behaviour", mutant.id, f"it shows something else than the table has of it; {mend}")
