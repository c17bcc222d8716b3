"""Where results are left on disk, and how they are found again.

A result lies below ``.ol/results`` of a folder; the document itself is made and read in `harness.reports`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from harness.errors import UsageError

FOLDER = Path(".ol", "results")
HISTORY = "history.jsonl"
_PATTERNS = ("score-*.json", "check-*.json")


def write(path: Path, text: str) -> None:
    """Write text in UTF-8 as `write_pieces` does."""
    write_pieces(path, [text.encode()])


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a whole file or nothing: a reader never sees half of it. Raises OSError.

    Folders on the way are made. What is there and is no file, such as a pipe, is written to as it is.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            file.writelines(pieces)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.writelines(pieces)
        beside.replace(path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def append(path: Path, line: str) -> None:
    """Add one line to a file that several runs may add to at once. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(descriptor, line.encode() + b"\n")
    finally:
        os.close(descriptor)


def newest(folder: Path) -> Path:
    """The result that was written last below a folder's ``.ol/results``; UsageError where there is none."""
    results = folder / FOLDER
    found = [path for pattern in _PATTERNS for path in results.glob(pattern)]
    if not found:
        message = f"{results} holds no result"
        raise UsageError(message, remedy="`ol score ID` or `ol check ID` leaves one there, or name a file")
    return max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


def read(path: Path) -> str:
    """A result's text; UsageError where it cannot be read as UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise UsageError(message) from error
    except UnicodeDecodeError as error:
        message = f"{path} is no result document: byte {error.start} is not UTF-8"
        raise UsageError(message) from error


def history_beside(result: Path) -> str:
    """The text of the history that lies beside a result, or else below the current folder; empty where none does."""
    for path in (result.parent / HISTORY, FOLDER / HISTORY):
        with contextlib.suppress(OSError):
            return path.read_bytes().decode("utf-8", "replace")
    return ""
