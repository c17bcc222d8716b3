"""The score report as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from harness.records import Report, Verdict
from harness.reports.search_report import search_document
from harness.scoring import count


def score_json(reports: Sequence[Report], *, several: bool) -> str:
    """One module's document, or with `several` one document that holds a list of them."""
    documents = [score_document(report) for report in reports]
    return json.dumps({"modules": documents} if several else documents[0], indent=2)


def score_document(report: Report) -> dict[str, Any]:
    """The document of one module; the keys are a public promise (docs: README, "JSON")."""
    counts = count(report.verdicts)
    controls = report.controls
    return {
        "module": report.module.id,
        "score": counts.score_percent,
        "counts": asdict(counts),
        "inconclusive": counts.inconclusive or None,
        "controls": {
            "reference": controls.reference,
            "raises_everywhere": controls.raises_everywhere,
            "identity": controls.identity,
            "wheats": controls.wheats,
        },
        "control_notes": list(controls.notes),
        "mutants": [_mutant(verdict) for verdict in report.verdicts],
        "tests": list(report.tests),
        "matrix": report.matrix,
        **({"search": search_document(report.search)} if report.search else {}),
        "elapsed_s": round(report.elapsed_s, 3),
        "seed": report.seed,
        "versions": dict(report.versions),
    }


def _mutant(verdict: Verdict) -> dict[str, Any]:
    mutant = verdict.mutant
    return {
        "id": mutant.id,
        "tier": mutant.tier,
        "status": verdict.status,
        "killed_by": list(verdict.killed_by),
        "tests_run": len(verdict.tests),
        "tests": list(verdict.tests),
        "elapsed_s": round(verdict.elapsed_s, 6),
        "unit": mutant.unit,
        "line": mutant.line,
        "description": mutant.description,
        "reason": verdict.reason,
    }
