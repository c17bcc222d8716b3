"""The rules that need a measured kill matrix, or a run of each mutant's witness."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.diagnosis import Behaviour
from harness.engine.baseline import MEMORY_BYTES
from harness.engine.behaviour import observe_probes
from harness.engine.jobs import Job, TestPlan
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.mutation.witness import probes_of, unit_of, witness_scope
from harness.records import CatalogEntry, Ending, Module, Mutant, Problem, Report, Status, Tier

_WITNESS_LIMIT_S = 20.0


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


def witnesses_tell(
    parent: WarmParent, scheduler: Scheduler, module: Module, curated: Sequence[Mutant]
) -> Iterator[Problem]:
    """On its witness, each curated mutant gives another result than the reference, or another exception or message."""
    with tempfile.TemporaryDirectory(prefix="tokproof-lint-") as name:
        for mutant in curated:
            if mutant.tier is Tier.WHEAT:
                continue
            path = Path(name) / f"{mutant.id}.py"
            path.write_text(witness_scope([(unit_of(mutant, module), mutant.witness)]), "utf-8")
            expected = _seen(parent, path, {}, {})
            got = _seen(parent, path, mutant.sources, scheduler.plan(mutant).in_place)
            if len(expected) != 64:
                yield Problem("witness", mutant.id, f"{mutant.witness} cannot be asked of the reference: {expected}")
            elif expected == got:
                yield Problem("witness", mutant.id, f"{mutant.witness} is the same as on the reference")


def table_is_true(
    parent: WarmParent, units: Mapping[str, str], module: Module, curated: Sequence[Mutant], stored: Behaviour
) -> Iterator[Problem]:
    """What the stored table has the reference and each mutant show is what they show, and it has every mutant."""
    mend = "measure it again: python tools/measure_behaviour.py"
    probes = probes_of(module, curated)
    reference = observe_probes(parent, units, probes)
    if reference != stored.reference:
        yield Problem("behaviour", module.id, f"the table's reference shows something else than this one; {mend}")
        return
    mutants = [mutant for mutant in curated if mutant.tier is not Tier.WHEAT]
    with parent.pool() as pool:
        found = list(pool.map(lambda one: observe_probes(parent, {**units, **one.sources}, probes), mutants))
    for mutant, shown in zip(mutants, found, strict=True):
        differs = {name: digest for name, digest in shown.items() if digest != reference[name]}
        known = stored.mutants.get(mutant.id)
        if known is None or known.shown != differs:
            yield Problem("behaviour", mutant.id, f"it shows something else than the table has of it; {mend}")


def _seen(
    parent: WarmParent, path: Path, sources: Mapping[str, str], in_place: Mapping[str, tuple[str, ...]] | None
) -> str:
    """The digest of what the witness shows, or what became of the process that was asked."""
    job = Job(
        sources=sources,
        in_place=in_place,
        tests=(TestPlan("scope_0", 0, _WITNESS_LIMIT_S),),
        stop_at_first_failure=False,
        startup_limit_s=_WITNESS_LIMIT_S,
        memory_bytes=MEMORY_BYTES,
        scope=str(path),
    )
    outcome = parent.run(job)
    return outcome.runs[0].reason if outcome.ending is Ending.FINISHED else f"{outcome.ending} {outcome.detail}"
