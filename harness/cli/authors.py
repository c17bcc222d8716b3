"""What the author of a course asks: `ol lint`, whether it keeps its promises, and `ol tests`, what they are."""

from __future__ import annotations

import click

from harness.cli.console import colour, print_text, progress, verdict_step, width
from harness.cli.options import course_of, default_jobs, json_option
from harness.errors import ExitCode


@click.command()
@click.argument("module_ids", metavar="[ID]...", nargs=-1)
@click.option("-j", "--jobs", type=click.IntRange(1, 64), help="Mutants tested at once (default: as in score).")
@json_option
@click.pass_context
def lint(context: click.Context, *, module_ids: tuple[str, ...], jobs: int | None, as_json: bool) -> ExitCode:
    """Check that a course keeps its promises: claims, patches, contracts, mutants (default: every module)."""
    from harness.lint.course import RULES
    from harness.lint.course import lint as run_lint
    from harness.reports.lint_report import lint_json, lint_text

    course = course_of(context)
    found = {}
    for module in [course.module(one) for one in module_ids] or course.modules:
        with progress(module.id) as step:
            found[module.id] = run_lint(course, module, jobs=jobs or default_jobs(), on_verdict=verdict_step(step))
        if not as_json:
            print_text(lint_text(module, found[module.id], RULES, width=width(), colour=colour()))
    if as_json:
        click.echo(lint_json(found))
    return ExitCode.FAIL if any(found.values()) else ExitCode.PASS


@click.command()
@click.argument("module_id", metavar="ID")
@click.pass_context
def tests(context: click.Context, *, module_id: str) -> ExitCode:
    """Print what each test of a module checks, why, and which mutants it catches."""
    from harness.catalog import read_catalog
    from harness.reports.terminal import catalog_text

    course = course_of(context)
    module = course.module(module_id)
    print_text(catalog_text(module, read_catalog(course.test_files(module)), width=width(), colour=colour()))
    return ExitCode.PASS
