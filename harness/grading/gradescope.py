"""The few lines of Gradescope's ``submission_metadata.yml`` that say who handed in what, and when."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_FOLDER = re.compile(r"""['"]?(?P<folder>[^\s'":]+)['"]?:\s*""")
_FIELD = re.compile(r"  :(?P<name>\w+):(?:\s+(?P<value>.*))?")
_SUBMITTER = re.compile(r"\s+(?P<dash>- )?\s*:(?P<name>name|sid|email):\s+(?P<value>.*)")


@dataclass(slots=True)
class Metadata:
    """What is told of one folder."""

    submitters: list[dict[str, str]] = field(default_factory=list)
    """``name``, ``sid`` and ``email`` of each, where they are told."""
    created_at: str = ""


def read_metadata(text: str) -> Mapping[str, Metadata]:
    """What is told of each folder, by its name. Lines of another form are passed over: they say what is not asked."""
    found: dict[str, Metadata] = {}
    current = Metadata()
    section = ""
    for line in text.splitlines():
        if top := _FOLDER.fullmatch(line):
            current, section = Metadata(), ""
            found.setdefault(top["folder"], current)
        elif inner := _FIELD.fullmatch(line):
            section = inner["name"]
            if section == "created_at":
                current.created_at = _scalar(inner["value"] or "")
        elif section == "submitters" and (one := _SUBMITTER.fullmatch(line)):
            if one["dash"] or not current.submitters:
                current.submitters.append({})
            current.submitters[-1][one["name"]] = _scalar(one["value"])
    return found


def _scalar(text: str) -> str:
    """A YAML scalar on one line; empty for a form that we do not read."""
    value = text.strip()
    if value.startswith("'") and value.endswith("'") and len(value) > 1:
        return value[1:-1].replace("''", "'")
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return ""
    return "" if value.startswith(tuple("&*!|>{[%@`'")) or value in ("null", "~") else value
