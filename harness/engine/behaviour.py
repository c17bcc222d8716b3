"""What subjects show on a module's probes, asked in processes of their own; `harness.diagnosis` compares it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.engine.baseline import MEMORY_BYTES
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
    """
    shown: dict[str, str] = {}
    left = list(probes)
    lost = 0
    with tempfile.TemporaryDirectory(prefix="probes-", dir=parent.scratch) as name:
        path = Path(name) / "scope.py"
        while left and lost < most_lost:
            path.write_text(witness_scope([(probe.unit, probe.expression) for probe in left]), "utf-8")
            job = Job(
                sources=sources,
                in_place=in_place,
                tests=tuple(TestPlan(f"scope_{place}", 0, _LIMIT_S) for place in range(len(left))),
                stop_at_first_failure=False,
                startup_limit_s=2 * _LIMIT_S,
                memory_bytes=MEMORY_BYTES,
                files=files or {},
                scope=str(path),
                trusted=trusted,
            )
            runs = parent.run(job).runs
            shown |= {probe.name: run.reason[:_DIGITS] for probe, run in zip(left, runs, strict=False)}
            lost += len(runs) < len(left)
            left = left[len(runs) + 1 :]  # the first without an answer is where the process went
    return shown
