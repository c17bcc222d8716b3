"""A score as one HTML page that needs nothing else: no network, and no script to be read.

The kill matrix is drawn by the page's own script out of compact letters, a screenful at a time, so that 5,000 mutants
times 100 tests open at once; without a script the table of tests and the mutants themselves say the same.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from markupsafe import Markup, escape

from harness.records import PastRun, Report, Verdict
from harness.reports import charts
from harness.reports.against import Against, changes
from harness.reports.facts import (
    bucket_names,
    bucket_of,
    claims_of,
    is_required,
    mutants_of,
    row_of,
    score_words,
    seconds,
    sentence,
    survivors_of,
    tests_of,
    warnings_of,
    wheats_of,
)
from harness.reports.pages import html, part
from harness.reports.readable import readable, readable_lines
from harness.scoring import count

_DIGEST_SHOWN = 12


def score_html(report: Report, *, history: Sequence[PastRun] = (), compared: Against | None = None) -> str:
    """The whole page."""
    mutants = mutants_of(report)
    script = part("page.js")
    counts = count(report.verdicts)
    numbers = {name: number for number, name in enumerate(report.tests, 1)}
    number_of = {id(verdict): index for index, verdict in enumerate(mutants)}
    return (
        html()
        .get_template("score.html.jinja")
        .render(
            report=report,
            module=report.module,
            score=score_words(counts),
            sentence=sentence(counts),
            counts=[(word, number) for word, number in asdict(counts).items() if number],
            sound=not warnings_of(report) and not survivors_of(report),
            warnings=warnings_of(report),
            facts=_facts(report),
            changes=None if compared is None else {"heading": compared.heading, "kinds": changes(compared)},
            survivors=[(number_of[id(one)], one.mutant) for one in survivors_of(report)],
            flaky=[one.mutant.id for one in mutants if one.flaky],
            tests=tests_of(report),
            times=_times(mutants),
            search=None if report.search is None else _search(report),
            history=history,
            trend=charts.scores(history) if len(history) > 1 else None,
            files=_files(report, mutants),
            mutants=[_mutant(index, verdict, numbers) for index, verdict in enumerate(mutants)],
            statuses=sorted({str(one.status) for one in mutants}),
            wheats=wheats_of(report),
            data=_embedded(_matrix(report, mutants)),
            style=Markup(part("page.css")),
            script=Markup(script),
            allowed=policy(script),
        )
    )


def policy(script: str) -> str:
    """What the page may do: run this one script, be styled, and nothing else, whatever got into it."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"


def _facts(report: Report) -> list[tuple[str, str]]:
    shown = [
        ("began", report.began_at),
        ("took", seconds(report.elapsed_s)),
        ("tests", str(len(report.tests))),
        ("mutants", f"{len(mutants_of(report))} of {report.planned}"),
        ("wheats", str(len(wheats_of(report)))),
        ("seed", str(report.seed)),
        ("profile", report.profile),
        ("isolation", report.isolation),
        ("run", "every test on every mutant" if report.matrix else "each mutant up to its first kill"),
    ]
    shown += [(f"digest of {name}", digest[:_DIGEST_SHOWN]) for name, digest in report.digests.items()]
    return [*shown, *report.versions.items()]


def _times(mutants: Sequence[Verdict]) -> dict[str, Any]:
    buckets = [bucket_of(verdict) for verdict in mutants]
    figures = [(name, buckets.count(index)) for index, name in enumerate(bucket_names())]
    return {"figures": figures, "chart": charts.kill_times(figures)}


def _search(report: Report) -> dict[str, Any]:
    assert report.search is not None
    return {
        "seeds": report.search.seeds,
        "pairs": charts.hardest(report.search),
        "of": len(report.search.efforts),
        "chart": charts.efforts(report.search),
    }


def _files(report: Report, mutants: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Each unit's lines, each with the mutants whose change begins there."""
    at: dict[tuple[str, int], list[tuple[int, Verdict]]] = defaultdict(list)
    for index, verdict in enumerate(mutants):
        at[verdict.mutant.unit, verdict.mutant.line].append((index, verdict))
    return [
        {
            "unit": unit,
            "mutants": sum(verdict.mutant.unit == unit for verdict in mutants),
            "lines": [(text, at[unit, number]) for number, text in enumerate(source.splitlines(), 1)],
        }
        for unit, source in report.reference.items()
        if source
    ]


def _mutant(index: int, verdict: Verdict, numbers: Mapping[str, int]) -> dict[str, Any]:
    bucket = bucket_of(verdict)
    return {
        "index": index,
        "verdict": verdict,
        "mutant": verdict.mutant,
        "bucket": "" if bucket is None else str(bucket),
        "required": is_required(verdict),
        "seen": verdict.counterexample,
        # By number, since 5,000 mutants times all their killers' names would be most of the page.
        "also": ", ".join(str(numbers[name]) for name in verdict.killed_by[1:] if name in numbers),
        "took": seconds(verdict.elapsed_s),
        "diff": diff_markup(verdict.mutant.diff),
    }


def diff_markup(diff: str) -> Markup:
    """A diff's lines, what goes and what comes marked as such; the names of the files are said elsewhere."""
    shown = []
    for line in readable_lines(diff).split("\n"):
        if line.startswith(("--- ", "+++ ")) or not line:
            continue
        tag = {"+": "ins", "-": "del"}.get(line[0])
        safe = escape(line)
        shown.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), safe) if tag else safe)
    return Markup("\n").join(shown)


def _matrix(report: Report, mutants: Sequence[Verdict]) -> dict[str, Any]:
    claims = claims_of(report)
    return {
        "tests": [readable(name) for name in report.tests],
        "mutants": [
            [readable(one.mutant.id), str(one.status), row_of(one, report.tests, claims), round(one.elapsed_s, 3)]
            for one in mutants
        ],
    }


def _embedded(document: object) -> Markup:
    """JSON that can stand inside a script element: it holds no sign that could end it."""
    text = json.dumps(document, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)
