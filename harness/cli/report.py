"""`ol report`: a result that was left, shown again or written in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.console import colour, print_text, width
from harness.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.records import CheckReport, PastRun, Report
    from harness.reports.against import Against


def _formats(command: Callable[..., object]) -> Callable[..., object]:
    """An option with a file for each format."""
    from harness.reports.formats import FORMATS

    for name in reversed(FORMATS):
        place = click.Path(path_type=Path, dir_okay=False)
        command = click.option(f"--{name}", type=place, metavar="FILE", help=f"Write {FORMATS[name]}.")(command)
    return command


@click.command()
@click.argument("result", metavar="[RESULT]", required=False, type=click.Path(path_type=Path))
@_formats
@click.option(
    "--against",
    "old",
    type=click.Path(path_type=Path),
    metavar="OLD",
    help="An older result of the same module: show what is newly killed, newly surviving, newly flaky.",
)
@click.option("--fail-on-new-survivors", is_flag=True, help="Fail where a mutant survives that did not in OLD.")
def report(*, result: Path | None, old: Path | None, fail_on_new_survivors: bool, **places: Path | None) -> ExitCode:
    """Show a result that `ol score` or `ol check` left, or write it in other formats.

    RESULT is a result document (default: the newest in .ol/results below the current folder).
    """
    from harness import results
    from harness.records import Report
    from harness.reports.against import against
    from harness.reports.formats import rendered
    from harness.reports.history import past_runs

    path = result or results.newest(Path())
    found = _read_result(path)
    compared = None
    if old is not None:
        before = _read_result(old)
        if not isinstance(found, Report) or not isinstance(before, Report) or before.module.id != found.module.id:
            message = f"{old} and {path} are not two scores of one module"
            raise UsageError(message, remedy="--against takes an older score document of the same module")
        compared = against(found, before)
    elif fail_on_new_survivors:
        message = "--fail-on-new-survivors needs an older result to compare with"
        raise UsageError(message, remedy="name it: --against OLD")
    history = past_runs(results.history_beside(path), found) if isinstance(found, Report) else ()
    wanted = {name: place for name, place in places.items() if place is not None}
    for name, place in wanted.items():
        text = rendered(name, found, history=history, compared=compared)
        try:
            results.write(place, text)
        except OSError as error:
            message = f"{place} cannot be written: {error.strerror}"
            raise UsageError(message) from error
        click.echo(f"wrote {place}")
    if not wanted:
        _show(found, history, compared)
    newly = compared is not None and compared.newly_surviving
    return ExitCode.FAIL if fail_on_new_survivors and newly else ExitCode.PASS


def _read_result(path: Path) -> Report | CheckReport:
    from harness import results
    from harness.reports.read_document import read_document

    return read_document(results.read(path), where=str(path))


def _show(found: Report | CheckReport, history: Sequence[PastRun], compared: Against | None) -> None:
    from harness.records import Report
    from harness.reports.check_report import check_text
    from harness.reports.result_text import result_text

    if isinstance(found, Report):
        print_text(result_text(found, history=history, compared=compared, width=width(), colour=colour()))
    else:
        print_text(check_text(found, width=width(), colour=colour()))
