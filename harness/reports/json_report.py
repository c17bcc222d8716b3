"""The score report as one JSON document, the one that `harness.reports.read_document` reads back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from harness.records import CatalogEntry, Counterexample, Report, Verdict
from harness.reports.search_report import search_document
from harness.scoring import count

SCORE_SCHEMA = "tokproof-score"
SCORE_VERSION = 1
"""Rises when a reader of the version before would misread a document; a new key alone does not raise it."""


def score_json(reports: Sequence[Report], *, several: bool) -> str:
    """One module's document, or with `several` one document that holds a list of them."""
    documents = [score_document(report) for report in reports]
    return json.dumps({"modules": documents} if several else documents[0], indent=2)


def score_document(report: Report) -> dict[str, Any]:
    """The document of one module; the keys are a public promise (docs: README, "JSON")."""
    counts = count(report.verdicts)
    controls = report.controls
    return {
        "schema": {"name": SCORE_SCHEMA, "version": SCORE_VERSION},
        "module": report.module.id,
        "title": report.module.title,
        "complete": report.complete,
        "began_at": report.began_at,
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
        "planned": report.planned,
        "mutants": [_mutant(verdict) for verdict in report.verdicts],
        "tests": list(report.tests),
        "catalog": [catalog_document(entry) for entry in report.catalog],
        "reference": dict(report.reference),
        "matrix": report.matrix,
        **({"search": search_document(report.search)} if report.search else {}),
        "elapsed_s": round(report.elapsed_s, 3),
        "baseline_s": round(report.baseline_s, 3),
        "mutation_s": round(report.mutation_s, 3),
        "seed": report.seed,
        "profile": report.profile,
        "isolation": report.isolation,
        "digests": dict(report.digests),
        "versions": dict(report.versions),
    }


def catalog_document(entry: CatalogEntry) -> dict[str, Any]:
    """What a test says of itself, with its file below the course's folder."""
    return {
        "name": entry.name,
        "file": entry.path.as_posix(),
        "line": entry.line,
        "law": entry.law,
        "kind": entry.kind,
        "checks": entry.checks,
        "why": entry.why,
        "catches": list(entry.catches),
        "stays": entry.stays,
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
        "diff": mutant.diff,
        "operator": mutant.operator,
        "required": mutant.required,
        "pitfall": mutant.pitfall,
        "caught_by": list(mutant.caught_by),
        "witness": mutant.witness,
        "examples": verdict.examples,
        "counterexample": None if verdict.counterexample is None else _counterexample(verdict.counterexample),
        "flaky": verdict.flaky,
    }


def _counterexample(found: Counterexample) -> dict[str, Any]:
    return asdict(found) | {"values": list(found.values)}
