"""What commands do around their work: print, count while somebody watches, be stopped, leave a result."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from harness.records import Verdict

_WIDEST = 100


def colour() -> bool:
    """Whether to colour standard output: on a terminal, unless NO_COLOR or TERM=dumb says no."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How many columns a text may take: those of the terminal, up to what is still read with ease."""
    return min(_WIDEST, shutil.get_terminal_size((80, 24)).columns)


def print_text(text: str) -> None:
    """Print a text that ends its own lines; whether it has colours was settled when it was made."""
    click.echo(text, nl=False, color=True)


@contextmanager
def progress(label: str, *, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """A counter on standard error while a terminal watches; otherwise nothing."""
    from harness.reports.readable import readable

    if not sys.stderr.isatty():
        yield lambda step: None
        return
    done, began = itertools.count(1), time.monotonic()
    of = "" if total is None else f" of {total}"

    def step(what: str) -> None:
        count = next(done)
        rate = count / max(0.001, time.monotonic() - began)
        left = "" if total is None else f"  {rate:.1f}/s, {max(0, total - count) / rate:.0f} s left"
        click.echo(f"\r\x1b[K{label}: {count}{of}{left}  {readable(what)[:40]}", err=True, nl=False)

    try:
        yield step
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def verdict_step(step: Callable[[str], None]) -> Callable[[Verdict], None]:
    """A step of progress that is told a verdict."""
    return lambda verdict: step(f"{verdict.mutant.id} {verdict.status}")


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM, with which CI systems cancel a job, end a run as an interrupt at the keyboard does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def leave(path: Path, text: str) -> None:
    """Leave a result. The verdict stands whether or not that works, so that a full disk costs a note and no more."""
    from harness import results

    try:
        results.write(path, text)
    except OSError as error:
        click.echo(f"ol: the result was not left in {path}: {error.strerror}", err=True)
