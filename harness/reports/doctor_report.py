"""What `ol doctor` found, for a person and for a program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.records import Finding, State
from harness.reports.terminal import render

_STYLES = {State.OK: "green", State.ABSENT: "yellow", State.REJECTED: "bold red", State.DAMAGED: "bold red"}


def doctor_text(findings: Sequence[Finding], *, width: int = 80, colour: bool = False) -> str:
    """A line for each thing that was looked at; the way out below those that need one."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        detail = Text(finding.detail)
        if finding.remedy:
            detail.append(f"\n{finding.remedy}", style="dim")
        table.add_row(finding.name, Text(finding.state, style=_STYLES[finding.state]), detail)
    bad = [finding.name for finding in findings if finding.state in (State.REJECTED, State.DAMAGED)]
    absent = [finding.name for finding in findings if finding.state is State.ABSENT]
    if bad:
        verdict = Text(f"Not to be relied on: {', '.join(bad)}.", style="bold red")
    elif absent:
        verdict = Text(f"All that is here is sound; what needs {', '.join(absent)} is skipped.")
    else:
        verdict = Text("Everything is here and sound.", style="green")
    return render(Group(table, Text(), verdict), width=width, colour=colour)


def doctor_json(findings: Sequence[Finding]) -> str:
    """The findings as one JSON document."""
    return json.dumps({"findings": [asdict(finding) for finding in findings]}, indent=2)
