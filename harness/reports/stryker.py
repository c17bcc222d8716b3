"""A score in the mutation-testing-report-schema, version 2, which Stryker's viewer and dashboard read.

A viewer counts ``(Killed + Timeout) / (Killed + Timeout + Survived + NoCoverage)`` and so shows our score: a mutant
whose process died is detected here and therefore ``Killed`` there, since ``RuntimeError`` stands outside its score.
"""

from __future__ import annotations

import json
from typing import Any

from harness.records import Report, Status, Verdict
from harness.reports.facts import mutants_of, tests_of, warnings_of
from harness.reports.readable import readable, readable_lines
from harness.reports.spans import span_of

_WORDS = {
    Status.KILLED: "Killed",
    Status.SURVIVED: "Survived",
    Status.TIMEOUT: "Timeout",
    Status.CRASHED: "Killed",
    Status.INVALID: "CompileError",
    Status.EQUIVALENT: "Ignored",
    Status.ERROR: "RuntimeError",
}
_THRESHOLDS = {"high": 100, "low": 80}
"""Where a viewer's colours change. A survivor is a hole in the tests, so that only all of them is good."""


def stryker_json(report: Report) -> str:
    """The whole document. What the schema has no place for stands under ``config``."""
    ids = {name: str(index) for index, name in enumerate(report.tests)}
    files: dict[str, dict[str, Any]] = {
        _path(unit): {"language": "python", "source": readable_lines(text), "mutants": []}
        for unit, text in report.reference.items()
    }
    for verdict in mutants_of(report):
        place = _path(verdict.mutant.unit)
        files.setdefault(place, {"language": "python", "source": "", "mutants": []})
        files[place]["mutants"].append(_mutant(verdict, report, ids))
    document = {
        "schemaVersion": "2",
        "thresholds": _THRESHOLDS,
        "projectRoot": "",
        "files": files,
        "testFiles": _test_files(report, ids),
        "performance": {
            "setup": _ms(report.elapsed_s - report.mutation_s - report.baseline_s),
            "initialRun": _ms(report.baseline_s),
            "mutation": _ms(report.mutation_s),
        },
        "framework": {
            "name": "tokproof",
            "version": readable(report.versions.get("tokproof", "unknown")),
            "dependencies": {readable(name): readable(version) for name, version in report.versions.items()},
        },
        "config": {
            "module": readable(report.module.id),
            "title": readable(report.module.title),
            "complete": report.complete,
            "warnings": [readable(warning) for warning in warnings_of(report)],
            "began_at": readable(report.began_at),
            "seed": report.seed,
            "profile": readable(report.profile),
            "isolation": readable(report.isolation),
            "matrix": report.matrix,
            "digests": {readable(name): readable(digest) for name, digest in report.digests.items()},
        },
    }
    return json.dumps(document, indent=1) + "\n"


def _path(unit: str) -> str:
    return f"reference/{readable(unit)}"


def _mutant(verdict: Verdict, report: Report, ids: dict[str, str]) -> dict[str, Any]:
    mutant, span = verdict.mutant, span_of(verdict.mutant, report)
    return {
        "id": readable(mutant.id),
        "mutatorName": readable(mutant.operator) or str(mutant.tier),
        "description": readable(mutant.description),
        "replacement": readable_lines(span.replacement),
        "location": {
            "start": {"line": span.start_line, "column": span.start_column},
            "end": {"line": span.end_line, "column": span.end_column},
        },
        "status": _WORDS[verdict.status],
        "statusReason": _reason(verdict),
        "killedBy": [ids[name] for name in verdict.killed_by if name in ids],
        "coveredBy": [ids[name] for name in verdict.tests if name in ids],
        "testsCompleted": len(verdict.tests),
        "duration": _ms(verdict.elapsed_s),
    }


def _reason(verdict: Verdict) -> str:
    seen = verdict.counterexample
    if seen is not None and seen.input:
        said = f"{seen.input}: expected {seen.expected}, got {seen.got}; {seen.replay}"
    else:
        said = verdict.reason
    word = str(verdict.status) + (", flaky" if verdict.flaky else "")
    return f"{word}: {readable(said)}" if said else word


def _test_files(report: Report, ids: dict[str, str]) -> dict[str, Any]:
    files: dict[str, dict[str, Any]] = {}
    for test in tests_of(report):
        path = test.entry.path.as_posix() if test.entry else f"tests/{report.module.id}"
        one: dict[str, Any] = {"id": ids[test.name], "name": readable(test.name)}
        if test.entry:
            one["location"] = {"start": {"line": max(1, test.entry.line), "column": 1}}
        files.setdefault(readable(path), {"tests": []})["tests"].append(one)
    return files


def _ms(seconds: float) -> float:
    return max(0.0, round(seconds * 1000, 1))
