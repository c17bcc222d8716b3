"""Who handed in what Gradescope's autograder is looking at, and when: its ``submission_metadata.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.grading.lateness import moment


@dataclass(frozen=True, slots=True)
class Submitted:
    """What is known of one submission; nothing of it decides anything but lateness."""

    student: str = ""
    name: str = ""
    """Of everybody in a group."""
    created_at: datetime | None = None
    due: datetime | None = None
    """With the extension that the student has, if any."""


def read_submission(path: Path) -> Submitted:
    """Read the metadata; fields that are missing stay empty. UsageError for a file that is no JSON object."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise UsageError(message) from error
    except (ValueError, RecursionError) as error:
        message = f"{path} is no metadata of a submission: {error}"
        raise UsageError(message) from error
    if not isinstance(document, dict):
        message = f"{path} is no metadata of a submission: it holds no object"
        raise UsageError(message)
    listed = document.get("users")
    users = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    assignment = document.get("assignment")
    own = users[0].get("assignment") if users else None  # an extension stands with the student
    return Submitted(
        student=_text(users[0], "email") if users else "",
        name=", ".join(filter(None, (_text(one, "name") for one in users))),
        created_at=_moment(document, "created_at"),
        due=_moment(own, "due_date") or _moment(assignment, "due_date"),
    )


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else ""


def _moment(table: object, key: str) -> datetime | None:
    """A moment with an offset, so that any two can be compared."""
    value = table.get(key) if isinstance(table, dict) else None
    found = moment(value) if isinstance(value, str) else None
    return found if found is not None and found.tzinfo is not None else None
