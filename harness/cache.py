"""A cache of what is slow to make and depends on nothing but its key.

It can only save time: whatever is wrong with it (unwritable, damaged, gone), the value is computed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

VARIABLE = "TOKPROOF_CACHE_DIR"


def cache_dir() -> Path:
    """Where cached values lie: the folder that the environment names, else the user's cache folder."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "tokproof"


@functools.cache
def own_code() -> str:
    """SHA-256 over the engine's own files: a mended mistake must not live on in what it left behind."""
    package = Path(__file__).parent
    summed = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        if "_course" not in path.parts:
            summed.update(path.read_bytes())
    return summed.hexdigest()


def cached(kind: str, key: object, compute: Callable[[], Any]) -> Any:
    """The value that was stored for this kind and key, or else the computed one, stored; both are plain JSON.

    What an exception in `compute` says is not stored. Any change to tokproof's own code makes every entry stale.
    """
    digest = hashlib.sha256(json.dumps([kind, key, own_code()], sort_keys=True).encode()).hexdigest()
    path = cache_dir() / f"{kind}-{digest[:32]}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = json.loads(path.read_text("utf-8"))
        if stored["digest"] == digest:
            return stored["value"]
    value = compute()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written beside its place and then moved there: a reader sees all of it or nothing.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            json.dump({"digest": digest, "value": value}, file)
        Path(file.name).replace(path)
    return value
