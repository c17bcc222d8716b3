"""What the judge says, as a line of JSON and back: for the store, and for the way between machines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from harness.records import CatalogEntry, Cause, CheckedTest, GradeStatus, Judged

_OF_A_TEST = ("status", "input", "values", "expected", "got", "replay", "examples")


def judged_to_json(judged: Judged) -> str:
    """One line of JSON. Of a test's catalog entry only the name is kept: the course has the rest."""
    document = {
        "status": judged.status,
        "reason": judged.reason,
        "tests": [
            {"name": test.entry.name, **{key: getattr(test, key) for key in _OF_A_TEST}} for test in judged.tests
        ],
        "causes": [asdict(cause) for cause in judged.causes],
        "isolation": judged.isolation,
        "elapsed_s": round(judged.elapsed_s, 3),
    }
    return json.dumps(document, separators=(",", ":"))


def judged_from_json(line: str, catalog: Sequence[CatalogEntry]) -> Judged:
    """The inverse of `judged_to_json`; tests that the catalog does not know any more are left out."""
    document: dict[str, Any] = json.loads(line)
    entries = {entry.name: entry for entry in catalog}
    tests = tuple(_test(one, entries[one["name"]]) for one in document["tests"] if one["name"] in entries)
    causes = tuple(Cause(**{**cause, "tests": tuple(cause["tests"])}) for cause in document["causes"])
    return Judged(
        GradeStatus(document["status"]),
        document["reason"],
        tests,
        causes,
        document["isolation"],
        document["elapsed_s"],
    )


def _test(document: Mapping[str, Any], entry: CatalogEntry) -> CheckedTest:
    values = {key: document[key] for key in _OF_A_TEST}
    return CheckedTest(entry, **{**values, "values": tuple(values["values"])})


def passed_tests(line: str) -> frozenset[str]:
    """Names of the tests that passed, read without a catalog: an old document may name tests that are gone."""
    document = json.loads(line)
    return frozenset(one["name"] for one in document["tests"] if one["status"] == "pass")
