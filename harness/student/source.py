"""The bytes of a Python file become its text, as Python itself would read them, or are refused."""

from __future__ import annotations

import ast
import importlib.util
import warnings

LARGEST_BYTES = 1 << 20
"""The largest file that is taken for a student's code."""
MOST_HELPERS = 50
"""How many of a student's further modules are taken along."""


class Unreadable(Exception):
    """A file that is no Python text; the message says why, and where."""


def decoded(data: bytes) -> str:
    """The text of a Python file: byte order mark, coding cookie and line ends included.

    Raises Unreadable for what is larger than `LARGEST_BYTES`, does not decode, or does not parse. Nothing is run.
    """
    if len(data) > LARGEST_BYTES:
        message = f"it is larger than {LARGEST_BYTES >> 20} MiB"
        raise Unreadable(message)
    try:
        text = importlib.util.decode_source(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python would warn of is for the student's own console
            ast.parse(data)
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise Unreadable(f"{place}{error.msg}") from error
    except (UnicodeError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error) or type(error).__name__) from error
    return text
