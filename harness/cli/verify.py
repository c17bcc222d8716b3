"""`ol verify`: any tokenizer held to a published encoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.console import colour, leave, print_text, progress, width
from harness.cli.options import json_option
from harness.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.verify.replay import Replay

_PROGRAM = "harness.verify.program"


class _WithProgram(click.Command):
    """A command behind whose ``--`` stands another command line, which is none of its own arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta[_PROGRAM] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@click.command(cls=_WithProgram)
@click.argument("words", metavar="TOKENIZER", nargs=-1)
@click.option("--encoding", default="gpt2", show_default=True, metavar="NAME", help="gpt2, cl100k_base or o200k_base.")
@click.option(
    "--python",
    type=click.Path(path_type=Path),
    metavar="VENV",
    help="A virtual environment, or its interpreter, in which a Python tokenizer runs (default: this one).",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="A folder to import from, or to read. May be repeated.",
)
@click.option(
    "--effort", type=click.Choice(["full", "quick"]), default="full", show_default=True, help="How much is tried."
)
@click.option(
    "--profile",
    type=click.Choice(["strict", "tiktoken", "huggingface"]),
    help="What bad input may come to (default: by the tokenizer's shape).",
)
@click.option(
    "--known",
    "known_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Further known differences, in the form of known_differences.toml. May be repeated.",
)
@click.option("--only", multiple=True, metavar="PART", help="Run this part only. May be repeated.")
@click.option("--try", "question", metavar="CALL", help="Ask one question, such as \"encode('a b')\", and compare.")
@click.option(
    "--memory",
    "memory_mib",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Memory that the tokenizer may use.",
)
@click.option(
    "--call-limit",
    type=click.FloatRange(0.1),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one call may take.",
)
@click.option(
    "--isolation",
    type=click.Choice([f"L{level}" for level in range(6)]),
    help="Isolate no more strongly than this (default: as strongly as this machine can).",
)
@click.option(
    "--badge", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write a shields endpoint."
)
@json_option
@click.pass_context
def verify(
    context: click.Context,
    *,
    words: tuple[str, ...],
    encoding: str,
    python: Path | None,
    paths: tuple[Path, ...],
    effort: str,
    profile: str | None,
    known_files: tuple[Path, ...],
    only: tuple[str, ...],
    question: str | None,
    memory_mib: int,
    call_limit: float,
    isolation: str | None,
    badge: Path | None,
    as_json: bool,
) -> ExitCode:
    """Hold any tokenizer to a published encoding; the exit code is the verdict.

    TOKENIZER is python:PKG.MODULE:FACTORY, a tokenizer.json, a vocab.bpe, a file of ranks (*.tiktoken), one of
    tiktoken, tokenizers and transformers, or, behind --, the command line of a program that speaks the wire
    (docs/verify.md).
    """
    from harness.bytelevel.conformance.bad_input import Profile
    from harness.bytelevel.conformance.domain import Effort
    from harness.bytelevel.conformance.known import read_known
    from harness.bytelevel.encodings import ENCODINGS
    from harness.reports.verify_report import badge_json, verify_json, verify_text
    from harness.subject.sandbox import Level, strongest
    from harness.verify.question import parse
    from harness.verify.run import PARTS, Wanted
    from harness.verify.run import verify as run_verify
    from harness.verify.target import Options, resolve

    if encoding not in ENCODINGS:
        message = f"no encoding is called {encoding!r}"
        raise UsageError(message, remedy=f"one of {', '.join(ENCODINGS)}")
    asked = None if question is None else parse(question)
    unknown = [name for name in only if name not in PARTS]
    if unknown:
        message = f"no part is called {unknown[0]!r}"
        raise UsageError(message, remedy=f"one of {', '.join(PARTS)}")
    level = strongest() if isolation is None else min(strongest(), Level[isolation])
    options = Options(python, paths, level, memory_bytes=memory_mib << 20, call_limit_s=call_limit)
    program = context.meta.get(_PROGRAM, ())
    wanted = Wanted(
        effort=Effort(effort),
        profile=None if profile is None else Profile(profile),
        known=read_known(known_files),
        only=only,
        question=asked,
        replay=_replay(words, program, context),
    )
    judged = ENCODINGS[encoding]()
    target = resolve(words, program, judged, options)
    with progress(target.shown) as step:
        report = run_verify(target, judged, wanted, isolation=level.name, on_part=step)
    if badge is not None:
        leave(badge, badge_json(report) + "\n")
    if as_json:
        click.echo(verify_json(report))
    else:
        print_text(verify_text(report, width=width(), colour=colour()))
    return ExitCode.PASS if report.is_equal else ExitCode.FAIL


def _replay(words: Sequence[str], program: Sequence[str], context: click.Context) -> Replay:
    """The command line that judges the same tokenizer, to which `--try` or `--only` is added."""
    from harness.verify.replay import Replay

    kept = ["ol", "verify", *words]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in _REPLAYED and value not in (None, (), parameter.default):
            for one in value if isinstance(value, tuple) else (value,):
                kept += [parameter.opts[0], str(one)]
    return Replay(tuple(kept), ("--", *program) if program else ())


_REPLAYED = ("encoding", "python", "paths", "profile", "known_files", "memory_mib", "call_limit", "isolation")
