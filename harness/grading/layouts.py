"""The names that learning platforms give to what they export, and whose work they say it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.grading.matching import Identity
from harness.grading.roster import RosterKind

# The platform's own part comes first, so the first place that fits is taken: what a student typed comes behind it.
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)", re.DOTALL)
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL)
_UPLOADED_AGAIN = re.compile(r"(?P<name>.+)-(?P<version>\d{1,4})(?P<ending>\.[^.]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Exported:
    """What the name of an exported file or folder says."""

    identity: Identity
    file: str = ""
    """The student's own name of the file; empty for a folder."""
    version: int = 0
    """How often a file of this name had been uploaded before."""
    late: bool = False


def exported(name: str) -> Exported | None:
    """What a name of Canvas or Moodle says; None where it is of neither."""
    if found := _MOODLE.fullmatch(name):
        identity = _identity(found["name"], RosterKind.MOODLE, found["id"])
        return Exported(identity, found["file"] or "")
    if found := _CANVAS.fullmatch(name):
        identity = _identity(found["name"], RosterKind.CANVAS, found["id"])
        again = _UPLOADED_AGAIN.fullmatch(found["file"])
        if again is None:
            return Exported(identity, found["file"], late=bool(found["late"]))
        file = again["name"] + again["ending"]
        return Exported(identity, file, int(again["version"]), late=bool(found["late"]))
    return None


def _identity(name: str, platform: RosterKind, platform_id: str) -> Identity:
    return Identity(f"{name}_{platform_id}", name, platform=platform, platform_id=platform_id)
