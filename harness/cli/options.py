"""Options that several commands have in common, and what one that is left out comes to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from harness.course import Course

at_option = click.option(
    "--at",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Your folder (default: this one); the code is in DIR/python.",
)
isolation_option = click.option(
    "--require-isolation",
    type=click.Choice([f"L{level}" for level in range(6)]),
    help="End with an error where this machine does not isolate the code that strongly; `ol doctor` shows its levels.",
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Leave the result document in FILE and not below .ol/results.",
)
rules_option = click.option(
    "--rules",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Points, required and hidden tests, lateness: a TOML file (docs/grading.md).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def course_of(context: click.Context) -> Course:
    """The course that `--course` names, or the built-in one."""
    from harness.course import load_course

    return load_course(context.obj)


def default_jobs() -> int:
    """How many mutants are tested at once where `--jobs` does not say."""
    return min(2, os.cpu_count() or 1)
