"""`ol doctor`: what is installed, and whether it is what it claims to be."""

from __future__ import annotations

import click

from harness.cli.console import colour, print_text, width
from harness.cli.options import json_option
from harness.errors import ExitCode


@click.command()
@json_option
def doctor(*, as_json: bool) -> ExitCode:
    """Tell what is installed, and whether GPT-2's files and each oracle passed their self-checks."""
    from harness.doctor import examine
    from harness.records import State
    from harness.reports.doctor_report import doctor_json, doctor_text

    findings = examine()
    if as_json:
        click.echo(doctor_json(findings))
    else:
        print_text(doctor_text(findings, width=width(), colour=colour()))
    return ExitCode.ERROR if any(one.state in (State.REJECTED, State.DAMAGED) for one in findings) else ExitCode.PASS
