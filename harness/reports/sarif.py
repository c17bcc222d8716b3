"""The survivors as SARIF 2.1.0, which code scanning shows at their lines."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from harness.records import Report, Verdict
from harness.reports.facts import interruption, is_required, survivors_of, warnings_of
from harness.reports.readable import readable, readable_lines, uri_path
from harness.reports.spans import span_of

MOST_RESULTS = 25_000
"""What GitHub takes in one run; of more it takes none."""
_RULE = "surviving-mutant"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_json(report: Report) -> str:
    """One run with a result for each survivor; paths are those of the course's folder."""
    survivors = survivors_of(report)
    notes = [*warnings_of(report)]
    if len(survivors) > MOST_RESULTS:
        notes.append(f"{len(survivors) - MOST_RESULTS} more mutants survived than a run may hold.")
    run = {
        "tool": {
            "driver": {
                "name": "tokproof",
                "version": readable(report.versions.get("tokproof", "unknown")),
                "rules": [
                    {
                        "id": _RULE,
                        "name": "SurvivingMutant",
                        "shortDescription": {"text": "No test notices this change of the reference."},
                        "help": {"text": "Write a test that fails on the change, or show that it changes nothing."},
                        "defaultConfiguration": {"level": "warning"},
                    }
                ],
            }
        },
        "invocations": [
            {
                "executionSuccessful": report.complete and report.controls.hold,
                "exitCodeDescription": "complete" if report.complete else interruption(report),
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": readable(note)}} for note in notes
                ],
            }
        ],
        "automationDetails": {"id": f"tokproof/{readable(report.module.id)}/"},
        "columnKind": "unicodeCodePoints",
        "results": [_result(verdict, report) for verdict in survivors[:MOST_RESULTS]],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(verdict: Verdict, report: Report) -> dict[str, Any]:
    mutant, span = verdict.mutant, span_of(verdict.mutant, report)
    said = f"{mutant.id} survived: {mutant.description} {len(verdict.tests)} tests ran on it and passed."
    # Made of what the mutant changes and not of where it stands, so that an alert stays itself when lines move.
    changed = "\n".join(line for line in mutant.diff.splitlines() if line.startswith(("+", "-")))
    fingerprint = hashlib.sha256(f"{mutant.unit}\0{changed}".encode("utf-8", "surrogatepass")).hexdigest()
    region = {
        "startLine": span.start_line,
        "startColumn": span.start_column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {
        "ruleId": _RULE,
        "ruleIndex": 0,
        "level": "error" if is_required(verdict) else "warning",
        "message": {"text": readable(said)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": f"reference/{uri_path(readable(mutant.unit))}"},
                    "region": region,
                }
            }
        ],
        "partialFingerprints": {"mutant/v1": fingerprint},
        "properties": {
            "mutant": readable(mutant.id),
            "operator": readable(mutant.operator),
            "tier": mutant.tier,
            "diff": readable_lines(mutant.diff),
            "tests": [readable(name) for name in verdict.tests],
        },
    }
