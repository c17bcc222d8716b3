"""`ol gradescope`: what an instructor uploads there."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.options import course_of, isolation_option, rules_option
from harness.errors import ExitCode, UsageError


@click.group()
def gradescope() -> None:
    """What Gradescope needs."""


@gradescope.command("build")
@click.argument("module_id", metavar="ID")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("autograder.zip"), show_default=True
)
@rules_option
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the random search (default: fixed).")
@isolation_option
@click.pass_context
def gradescope_build(
    context: click.Context,
    *,
    module_id: str,
    out: Path,
    rules: Path | None,
    seed: int | None,
    require_isolation: str | None,
) -> ExitCode:
    """Write the autograder for a module: upload it, and every submission is graded as `ol grade` does here."""
    from harness import results
    from harness.engine.score import DEFAULT_SEED
    from harness.engine.versions import installed
    from harness.grading.gradescope_build import NAME, build, pinned
    from harness.grading.judge import Terms
    from harness.grading.run import skeleton
    from harness.subject.sandbox import Level

    course = course_of(context)
    module = course.module(module_id)
    arguments = [] if seed is None else ["--seed", str(seed)]
    arguments += [] if require_isolation is None else ["--require-isolation", require_isolation]
    terms = Terms(module.id, DEFAULT_SEED if seed is None else seed, int(Level[require_isolation or "L1"]))
    archive = build(
        course,
        module,
        skeleton=skeleton(course, module, rules, terms),
        version=installed(NAME),
        requirements=pinned(),
        rules="" if rules is None else rules.read_text("utf-8"),
        arguments=arguments,
    )
    try:
        results.write_pieces(out, [archive])
    except OSError as error:
        message = f"{out} cannot be written: {error.strerror}"
        raise UsageError(message) from error
    click.echo(f"wrote {out}: upload it as the autograder of an assignment of Gradescope")
    return ExitCode.PASS
