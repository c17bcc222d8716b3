"""An exception in one bounded line, whatever it is and whatever its own methods do."""

from __future__ import annotations

from pathlib import Path

from harness.subject.channel import SubjectGone

_REASON_CHARACTERS = 200


def bounded(value: object, most: int = _REASON_CHARACTERS) -> str:
    """A value's repr in at most `most` characters, whatever its own methods do."""
    try:
        shown = repr(value)
    except BaseException:
        return f"<a {type(value).__name__} whose repr raises>"
    if len(shown) <= most:
        return shown
    return f"{shown[: most // 2]} ... {shown[-(most // 2) :]}"


def describe(error: BaseException) -> str:
    """The type and the first line of the message, bounded, whatever the exception's own methods do."""
    try:
        text = str(error)
    except BaseException:
        text = "its message cannot be shown"
    if isinstance(error, SubjectGone):
        return text[:_REASON_CHARACTERS]
    first = text.strip().partition("\n")[0][:_REASON_CHARACTERS]
    name = type(error).__name__
    return f"{name}: {first}" if first else name


def explain(error: BaseException, test_file: Path) -> str:
    """What failed, and the line of the test on which it did."""
    line = 0
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(test_file):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f"{describe(error)} ({test_file.name}:{line})" if line else describe(error)


def last_line(text: str) -> str:
    """The last line of a report, which for pytest's collection errors names the cause."""
    return text.strip().rpartition("\n")[2][:_REASON_CHARACTERS]
