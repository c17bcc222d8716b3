"""What `ol grade` came to as one JSON document; the keys are a public promise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from harness.records import GradeChange, GradingRun
from harness.reports.class_summary import ClassSummary
from harness.reports.grade_facts import plain

SCHEMA = "tokproof-grading"
VERSION = 1
"""As `harness.reports.json_report.SCORE_VERSION`."""


def grading_json(
    run: GradingRun, summary: ClassSummary, changes: Sequence[GradeChange], *, files: Mapping[str, str]
) -> str:
    """The class in figures, and where the rest lies: the grades themselves are in the files."""
    document: dict[str, Any] = {
        "schema": {"name": SCHEMA, "version": VERSION},
        "module": run.module.id,
        "title": run.module.title,
        "complete": run.complete,
        "began_at": run.began_at,
        "submissions": summary.submissions,
        "counts": {str(status): count for status, count in summary.statuses},
        "max_points": plain(run.max_points),
        "mean": None if summary.mean is None else plain(summary.mean),
        "median": None if summary.median is None else plain(summary.median),
        "mistakes": [asdict(one) for one in summary.pitfalls],
        "tests": [asdict(one) for one in summary.tests],
        "identical": summary.identical,
        "changes": [asdict(one) for one in changes],
        "files": dict(files),
        "seed": run.seed,
        "profile": run.profile,
        "isolation": run.isolation,
        "digests": dict(run.digests),
        "versions": dict(run.versions),
    }
    return json.dumps(document, indent=2)
