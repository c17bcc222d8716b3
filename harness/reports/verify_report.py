"""What `ol verify` found, for a person, for a program, and as a badge."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.records import ConformanceReport, Difference
from harness.reports.check_report import spelled
from harness.reports.terminal import render

_MOST_SPELLED = 4


def verify_text(report: ConformanceReport, *, width: int = 80, colour: bool = False) -> str:
    """The verdict, what was tried, each kind of difference, those that are known apart, and where the time went."""
    blocks: list[RenderableType] = [_heading(report), Text(), _tried(report), Text()]
    for difference in report.faults:
        blocks += [_difference(difference), Text()]
    known = [one for one in report.differences if one.known]
    if known:
        blocks += [Text("Known differences, which are no faults:"), Text()]
        for difference in known:
            blocks += [_difference(difference), Text()]
    blocks += [_verdict(report), Text(_time(report), style="dim")]
    return render(Group(*blocks), width=width, colour=colour)


def _heading(report: ConformanceReport) -> Text:
    text = Text(f"{report.subject}", style="bold")
    text.append(f"\nheld to {report.title} ({report.tokens:,} tokens) as {report.oracle} knows it", style="default")
    return text.append(f"\nshape {report.shape}, profile {report.profile}, isolation {report.isolation}", style="dim")


def _tried(report: ConformanceReport) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("part", "asked", "differ", "what", style="dim")
    for part in report.parts:
        notes = [part.what]
        if part.not_offered:
            notes.append(f"not offered: {', '.join(part.not_offered)}")
        if part.stopped:
            notes.append(f"stopped: {part.stopped}")
        style = "red" if part.differing else ""
        grid.add_row(part.name, f"{part.tried:,}", Text(f"{part.differing:,}", style=style), "; ".join(notes))
    return grid


def _difference(one: Difference) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    looks = f"like a build that {one.diagnosis}" + (f" (mutant {one.mutant})" if one.mutant else "")
    rows = [
        ("looks", looks if one.diagnosis else ""),
        ("why", one.why_known),
        ("rule", one.rule),
        ("input", one.call),
        *(("", line) for line in list(dict.fromkeys(spelled(one.call)))[:_MOST_SPELLED]),
        ("expected", one.expected),
        ("got", one.got),
        ("parts", one.parts_at),
    ]
    for label, value in rows:
        if value:
            grid.add_row(f"  {label}", Text(value, style="yellow" if label == "looks" else ""))
    parts: list[RenderableType] = [_title(one), grid]
    if one.aligned:
        parts.append(_ids(one))
    again = Table.grid(padding=(0, 2))
    again.add_column(style="dim", no_wrap=True)
    again.add_column(overflow="fold")
    again.add_row("  again", Text(one.replay))
    return Group(*parts, again)


def _title(one: Difference) -> Text:
    count = f"{one.count:,} questions" if one.count > 1 else "1 question"
    if one.known:
        return Text(f"KNOWN  {one.known}", style="bold").append(f"  {one.part}, {count}", style="default")
    return Text("DIFFERS  ", style="bold red").append(f"{one.part}, {count}", style="bold default")


def _ids(one: Difference) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_row("    token", Text("expected", style="dim"), Text("got", style="dim"))
    for place, expected, got in one.aligned:
        style = "" if expected == got else "red"
        table.add_row(place, Text(expected or "-", style=style), Text(got or "-", style=style))
    return table


def _verdict(report: ConformanceReport) -> Text:
    known = len(report.differences) - len(report.faults)
    beside = f", apart from {known} known difference{'s' if known > 1 else ''}" if known else ""
    if not report.is_equal:
        kinds = len(report.faults)
        text = Text(f"DIFFERS from {report.title} in {kinds} way{'s' if kinds != 1 else ''}{beside}", style="bold red")
        if report.deaths:
            text.append(f"; its process ended {report.deaths} times", style="bold red")
        return text
    text = Text(f"EQUALS {report.title} on everything tried{beside}", style="bold green")
    whole = [part.name for part in report.parts if part.whole and not part.differing]
    if whole:
        text.append(f"\nproven, since that is all there is: {', '.join(whole)}", style="default")
    return text.append(f"\ntried, and not proven: {report.texts:,} texts encoded in all", style="default")


def _time(report: ConformanceReport) -> str:
    return (
        f"{report.calls:,} calls: the tokenizer took {report.subject_s:.1f} s, "
        f"the oracle {report.oracle_s:.1f} s, the judge {report.judge_s:.1f} s"
    )


def verify_json(report: ConformanceReport) -> str:
    """One JSON document; the keys are a public promise."""
    document: dict[str, Any] = {
        "subject": report.subject,
        "encoding": report.encoding,
        "verdict": "equal" if report.is_equal else "differs",
        "shape": report.shape,
        "profile": report.profile,
        "effort": report.effort,
        "oracle": report.oracle,
        "tokens": report.tokens,
        "texts": report.texts,
        "calls": report.calls,
        "deaths": report.deaths,
        "parts": [asdict(part) for part in report.parts],
        "differences": [_document(one) for one in report.faults],
        "known": [_document(one) for one in report.differences if one.known],
        "subject_s": round(report.subject_s, 3),
        "oracle_s": round(report.oracle_s, 3),
        "judge_s": round(report.judge_s, 3),
        "isolation": report.isolation,
        "versions": dict(report.versions),
    }
    return json.dumps(document, indent=2)


def _document(one: Difference) -> dict[str, Any]:
    return {key: value or None if isinstance(value, str) else value for key, value in asdict(one).items()}


def badge_json(report: ConformanceReport) -> str:
    """What shields.io shows from an endpoint."""
    version = report.versions.get("tokproof", "")
    equal = report.is_equal
    ways = len(report.faults)
    message = (
        f"equals {report.title}: {report.tokens:,} tokens, {report.texts:,} texts, tokproof {version}"
        if equal
        else f"differs from {report.title} in {ways} way{'s' if ways != 1 else ''}, tokproof {version}"
    )
    badge = {"schemaVersion": 1, "label": "tokenizer", "message": message, "color": "brightgreen" if equal else "red"}
    return json.dumps(badge, indent=2)
