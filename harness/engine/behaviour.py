"""What subjects show on a module's probes, asked in processes of their own; `harness.diagnosis` compares it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from harness.engine.baseline import CONFIRMING_PATIENCE, MEMORY_BYTES
from harness.engine.jobs import Job, TestPlan
from harness.engine.parent import WarmParent
from harness.mutation.witness import Probe, witness_scope

_LIMIT_S = 3.0
_DIGITS = 12
"""Of a digest, those that are kept: a table is read by people too, and nobody gains by a collision."""


def observe_probes(
    parent: WarmParent,
    sources: Mapping[str, str],
    probes: Sequence[Probe],
    *,
    trusted: bool = True,
    in_place: Mapping[str, tuple[str, ...]] | None = None,
    files: Mapping[str, str] | None = None,
    most_lost: int = 40,
) -> dict[str, str]:
    """Digest of what `sources` show on each probe, by its name; those that they do not come back from are left out.

    `files` are those of the subject beside its units. Once `most_lost` probes got no answer, no further one is asked.
    Of trusted code, those are asked again with more time: what a table holds must not hang on how busy a machine was.
    """
    job = partial(
        Job,
        sources=sources,
        in_place=in_place,
        stop_at_first_failure=False,
        memory_bytes=MEMORY_BYTES,
        files=files or {},
        trusted=trusted,
    )
    shown, lost = _asked(parent, job, probes, most_lost, _LIMIT_S)
    if trusted and lost:
        shown |= _asked(parent, job, lost, most_lost, CONFIRMING_PATIENCE * _LIMIT_S)[0]
    return shown


def _asked(
    parent: WarmParent, job: Callable[..., Job], probes: Sequence[Probe], most_lost: int, limit_s: float
) -> tuple[dict[str, str], list[Probe]]:
    """Digest of what is shown on each probe that got an answer, and the probes that got none or were not asked."""
    shown: dict[str, str] = {}
    lost: list[Probe] = []
    left = list(probes)
    with tempfile.TemporaryDirectory(prefix="probes-", dir=parent.scratch) as name:
        path = Path(name) / "scope.py"
        while left and len(lost) < most_lost:
            path.write_text(witness_scope([(probe.unit, probe.expression) for probe in left]), "utf-8")
            tests = tuple(TestPlan(f"scope_{place}", 0, limit_s) for place in range(len(left)))
            runs = parent.run(job(scope=str(path), tests=tests, startup_limit_s=2 * limit_s)).runs
            shown |= {probe.name: run.reason[:_DIGITS] for probe, run in zip(left, runs, strict=False)}
            lost += left[len(runs) : len(runs) + 1]  # the first without an answer is where the process went
            left = left[len(runs) + 1 :]
    return shown, lost + left
