"""Templates: where they lie, and that nothing gets into a page but through `harness.reports.readable`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from harness.reports.readable import markdown_block, markdown_text, readable, readable_lines

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def html() -> jinja2.Environment:
    """For HTML: values are made readable and then escaped; `lines` keeps their line ends."""
    environment = _environment()
    environment.finalize = lambda value: readable(value) if _is_foreign(value) else value
    environment.filters["lines"] = lambda text: Markup("{}").format(readable_lines(text))
    return environment


@cache
def markdown() -> jinja2.Environment:
    """For Markdown: values are words without any sign that means something; `block` makes a block of code."""
    environment = _environment()
    environment.finalize = lambda value: Markup(markdown_text(value)) if _is_foreign(value) else value
    environment.filters["block"] = lambda text, language="": Markup(markdown_block(text, language))
    return environment


def part(name: str) -> str:
    """A file that goes into a page as it is: a style sheet or a script of ours."""
    return (_TEMPLATES / name).read_text("utf-8")


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _is_foreign(value: object) -> bool:
    """Whether a value is plain text, and not markup that a template or a filter made."""
    return isinstance(value, str) and not isinstance(value, Markup)
