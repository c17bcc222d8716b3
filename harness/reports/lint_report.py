"""What `ol lint` found, for a person and for a program."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.records import Module, Problem
from harness.reports.terminal import render


def lint_text(
    module: Module,
    problems: Sequence[Problem],
    rules: Mapping[str, str],
    *,
    width: int = 80,
    colour: bool = False,
) -> str:
    """A line for each rule, with what breaks it below."""
    table = Table.grid(padding=(0, 2))
    for rule, sentence in rules.items():
        broken = [problem for problem in problems if problem.rule == rule]
        mark = Text("broken" if broken else "holds", style="bold red" if broken else "green")
        shown = Text(sentence)
        for problem in broken:
            shown.append(f"\n{problem.where}: {problem.message}", style="red")
        table.add_row(mark, rule, shown)
    heading = Text(f"{module.id}  {module.title}", style="bold")
    end = Text(f"{len(problems)} problems" if problems else "Every rule holds.", style="bold")
    return render(Group(heading, Text(), table, Text(), end), width=width, colour=colour)


def lint_json(found: Mapping[str, Sequence[Problem]]) -> str:
    """One document: the problems of each module, by its id."""
    return json.dumps(
        {module: [asdict(problem) for problem in problems] for module, problems in found.items()}, indent=2
    )
