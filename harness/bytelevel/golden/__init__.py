"""Golden data: files that a script made from independent sources, believed only while their digest holds.

``MANIFEST.json`` names for each file its origin, the versions it was made with, the command that makes it,
its size and its SHA-256. The manifest stands beside the data, so it guards against damage (an editor, a
newline conversion, a broken unpacking), not against somebody who rewrites both: `make_golden --check` asks
the sources again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from harness.errors import HarnessError

FOLDER = Path(__file__).parent
MANIFEST = "MANIFEST.json"
COMMAND = "python -m harness.bytelevel.golden.make_golden"


class DamagedGolden(HarnessError):
    """A golden file, or the manifest that vouches for it, is absent or not what it was when it was made."""

    def __init__(self, path: Path, problem: str) -> None:
        remedy = f"install tokproof again, or make the file anew with `{COMMAND}`"
        super().__init__(f"golden file {path} cannot be believed: {problem}", remedy=remedy)
        self.path = path
        self.problem = problem


def read_golden(name: str, *, folder: Path = FOLDER) -> bytes:
    """Return the bytes of golden file `name`; DamagedGolden unless they have the digest in the manifest."""
    path = folder / name
    expected = _pinned_sha256(name, folder / MANIFEST)
    content = _read(path)
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise DamagedGolden(path, f"its SHA-256 is {found}, {MANIFEST} says {expected}")
    return content


def _pinned_sha256(name: str, manifest: Path) -> str:
    try:
        return str(json.loads(_read(manifest))["files"][name]["sha256"])
    except (ValueError, KeyError, TypeError) as problem:
        raise DamagedGolden(manifest, f"it pins no digest for {name} ({problem!r})") from problem


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise DamagedGolden(path, f"it cannot be read ({problem})") from problem
