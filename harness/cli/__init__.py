"""The command line: parse, call, print, exit code. Nothing is decided here.

Heavy libraries are imported by the command that needs them, so that `ol --help` answers at once.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness import __version__
from harness.cli import authors, doctor, grade, gradescope, report, score, student, verify
from harness.errors import ExitCode, HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXIT_CODES = "\n".join(f"  {code:>2}  {code.meaning}" for code in ExitCode)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nExit codes:\n{_EXIT_CODES}",
)
@click.version_option(__version__, prog_name="tokproof", message="%(prog)s %(version)s")
@click.option(
    "--course",
    "course_dir",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A course directory to use in the place of the built-in one.",
)
@click.pass_context
def ol(context: click.Context, course_dir: Path | None) -> None:
    """Prove a byte-level tokenizer right, or see the smallest input on which it is wrong."""
    context.obj = course_dir


for command in (
    *(score.score, report.report, authors.lint, authors.tests),
    *(student.start, student.check, student.diff, student.status),
    *(verify.verify, grade.grade, gradescope.gradescope, doctor.doctor),
):
    ol.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ol` and return its exit code; whatever a user can cause ends in a message and never in a traceback."""
    try:
        result = ol.main(args=arguments, prog_name="ol", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return ExitCode.USAGE
    except click.UsageError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        error.show()
        return ExitCode.ERROR
    except HarnessError as error:
        click.echo(f"ol: {error}", err=True)
        if error.remedy:
            click.echo(f"    {error.remedy}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("ol: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; closing quietly is what every other filter does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.PASS
    except Exception as error:
        if os.environ.get("TOKPROOF_DEBUG"):
            traceback.print_exc()
        click.echo(f"ol: a fault in tokproof itself: {type(error).__name__}: {error}", err=True)
        click.echo("    run it again with TOKPROOF_DEBUG=1 for the traceback, and please report it", err=True)
        return ExitCode.ERROR
    return int(result) if isinstance(result, int) else ExitCode.PASS


def run() -> None:
    """The console script."""
    sys.exit(main())
