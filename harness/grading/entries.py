"""Files of a submission by name, wherever they lie, and the rules that their names keep. Nothing is read here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tbz2", ".tar.bz2", ".txz", ".tar.xz")
NOT_ARCHIVES = (".tar.zst", ".tzst", ".zst", ".7z", ".rar")
"""Archives that people make and we do not open; they are refused by name."""
METADATA = "submission_metadata.yml"
_IGNORED = frozenset({"__MACOSX", "__pycache__", "node_modules", "site-packages", "venv"})
_LONGEST_NAME = 4096
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


class Refused(Exception):
    """What is not read; the message names the file, not yet made readable, and the rule that it breaks."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file below some folder, not read yet."""

    path: str
    """Below that folder, in NFC, with "/" between the parts."""
    read: Callable[[int], bytes]
    """All its bytes; Refused where they are more than the number given, or cannot be had."""
    refused: str = ""
    """The rule that it breaks: then nothing of the submission can be trusted."""
    left_out: str = ""
    """Why it is not looked at, for a note; it harms nothing else."""
    version: int = 0
    """Where a learning platform numbers uploads of one name: the higher, the newer."""

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one archive may make us do."""

    members: int
    total_bytes: int
    """Unpacked, counted as it is read."""
    member_bytes: int = 32 << 20
    """The largest member that is read: an archive within an archive."""
    ratio: int = 200
    """Unpacked to packed, once more than `free_bytes` came out: text hardly reaches 20."""
    free_bytes: int = 1 << 20


ONE_STUDENT = Limits(members=10_000, total_bytes=256 << 20)
A_CLASS = Limits(members=250_000, total_bytes=8 << 30)


def nothing(_limit: int) -> bytes:
    """The `read` of an entry that is not to be read."""
    raise Refused("it is not to be read")


def canonical(name: str) -> str:
    """A member's name as a relative path in NFC, without empty parts and ".".

    Refused where it could mean another place than the one that it spells, or another on some other system.
    """
    rules = (
        (len(name) > _LONGEST_NAME, f"is longer than {_LONGEST_NAME} characters"),
        (_CONTROL.search(name), "holds a control character"),
        ("\\" in name, "holds a backslash"),
        (name.startswith("/"), "is an absolute path"),
        (_DRIVE.match(name), "begins with a drive letter"),
        (".." in name.split("/"), "leads out of its folder"),
    )
    for broken, rule in rules:
        if broken:
            raise Refused(f"{name[:200]}: the name {rule}")
    path = "/".join(part for part in unicodedata.normalize("NFC", name).split("/") if part not in ("", "."))
    if not path:
        raise Refused(f"{name!r}: the name is empty")
    return path


def is_ignored(path: str) -> bool:
    """Whether a file is hidden, or lies in a folder that is hidden or not of the student's own making."""
    return any(part.startswith(".") or part in _IGNORED for part in path.split("/"))


def is_archive(path: str) -> bool:
    """Whether the name says that it is an archive, one that we do not open included."""
    return path.casefold().endswith((*ARCHIVES, *NOT_ARCHIVES))


def matters(path: str) -> bool:
    """Whether a file could have anything to do with a grade, so that it is kept for reading."""
    return path.casefold().endswith(".py") or is_archive(path) or path.rpartition("/")[2] == METADATA


def stem(name: str) -> str:
    """A file's name without what tells its kind."""
    for ending in sorted((*ARCHIVES, *NOT_ARCHIVES), key=len, reverse=True):
        if name.casefold().endswith(ending):
            return name[: -len(ending)] or name
    return name.rpartition(".")[0] or name


def folded(text: str) -> str:
    """Text as a file system that ignores case and composition would compare it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def collision(paths: Iterable[str]) -> tuple[str, str] | None:
    """Two paths that are one file on a system that ignores case, or that are the same; None where there are none."""
    seen: dict[str, str] = {}
    for path in paths:
        if (key := folded(path)) in seen:
            return seen[key], path
        seen[key] = path
    return None
