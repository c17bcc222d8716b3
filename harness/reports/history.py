"""The history of score runs: a JSON line for each, and the runs that such lines tell of."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from harness.records import PastRun, Report
from harness.scoring import count

MOST_SHOWN = 30


def history_line(report: Report) -> str:
    """What the history keeps of one run, without a line end."""
    counts = count(report.verdicts)
    document = {
        "began_at": report.began_at,
        "module": report.module.id,
        "score": counts.score_percent,
        "complete": report.complete,
        "counts": asdict(counts),
        "digests": dict(report.digests),
        "seed": report.seed,
        "elapsed_s": round(report.elapsed_s, 3),
    }
    return json.dumps(document)


def past_runs(text: str, report: Report) -> tuple[PastRun, ...]:
    """The last runs of the report's module that began no later than it did and have a score, oldest first.

    Lines that say something else, as a damaged file has them, are passed over: the history only draws a chart.
    """
    found = []
    for line in text.splitlines():
        run = _run(line)
        if run is not None and run.module == report.module.id and run.began_at <= report.began_at:
            found.append(run)
    return tuple(sorted(found, key=lambda run: run.began_at)[-MOST_SHOWN:])


def _run(line: str) -> PastRun | None:
    try:
        document: dict[str, Any] = json.loads(line)
        score = float(document["score"])
        run = PastRun(str(document["began_at"]), str(document["module"]), score, document["complete"] is True)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return run if math.isfinite(score) and 0 <= score <= 100 else None
