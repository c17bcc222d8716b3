"""Folders and what they hold, on disk and in an archive, looked at in one way."""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from harness.grading.entries import ONE_STUDENT, Entry, Refused, is_ignored, nothing


class Tree(Protocol):
    """A folder."""

    @property
    def source(self) -> str:
        """Where it lies, for a person."""

    def children(self) -> Mapping[str, Tree | Entry]:
        """What lies directly in it, by name and sorted, without what is ignored."""

    def files(self) -> Iterator[Entry]:
        """Every file below it, without what is ignored."""


@dataclass(frozen=True)
class Folder:
    """A folder on disk. Links are not followed; what cannot be read is an entry that says so."""

    path: Path
    source: str

    def children(self) -> Mapping[str, Tree | Entry]:
        """As `Tree` says."""
        found: dict[str, Tree | Entry] = {}
        try:
            paths = sorted(self.path.iterdir())
        except OSError as error:
            return {".": Entry(".", nothing, refused=f"{self.path.name}: it cannot be read: {error.strerror}")}
        for path in paths:
            name = unicodedata.normalize("NFC", path.name)
            if is_ignored(name):
                continue
            if name in found:
                found[name] = Entry(name, nothing, refused=f"{name}: there are two of this name")
                continue
            entry = _on_disk(path, name)
            found[name] = Folder(path, f"{self.source}/{name}") if entry is None else entry
        return dict(sorted(found.items()))

    def files(self) -> Iterator[Entry]:
        """As `Tree` says; when there are too many, an entry that says so ends them."""
        pending: list[tuple[str, Tree]] = [("", self)]
        count = 0
        while pending:
            prefix, tree = pending.pop()
            for name, child in tree.children().items():
                count += 1
                if count > ONE_STUDENT.members:
                    message = f"{prefix or '.'}: there are more than {ONE_STUDENT.members} files"
                    yield Entry(prefix, nothing, refused=message)
                    return
                if isinstance(child, Entry):
                    yield replace(child, path=prefix + child.path)
                else:
                    pending.append((f"{prefix}{name}/", child))


@dataclass(frozen=True)
class Listing:
    """A folder of an archive, of which all entries are known."""

    source: str
    entries: Sequence[Entry]

    def children(self) -> Mapping[str, Tree | Entry]:
        """As `Tree` says."""
        files: dict[str, Entry] = {}
        folders: dict[str, list[Entry]] = {}
        for entry in self.entries:
            first, slash, rest = entry.path.partition("/")
            if slash:
                folders.setdefault(first, []).append(replace(entry, path=rest))
            elif first in files:
                files[first] = Entry(first, nothing, refused=f"{first}: there are two of this name")
            else:
                files[first] = entry
        between = "" if self.source.endswith("!/") else "/"
        trees: dict[str, Tree | Entry] = {
            name: Listing(f"{self.source}{between}{name}", inside) for name, inside in folders.items()
        }
        return dict(sorted({**trees, **files}.items()))

    def files(self) -> Iterator[Entry]:
        """As `Tree` says."""
        yield from self.entries


def file_entry(path: Path) -> Entry:
    """A file that somebody named, links followed."""
    return Entry(unicodedata.normalize("NFC", path.name), partial(_read, path, path.name))


def _on_disk(path: Path, name: str) -> Entry | None:
    """A file as an entry; None for a folder."""
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        return Entry(name, nothing, refused=f"{name}: it cannot be read: {error.strerror}")
    if stat.S_ISDIR(mode):
        return None
    if stat.S_ISREG(mode):
        return Entry(name, partial(_read, path, name))
    what = "a link, which is not followed" if stat.S_ISLNK(mode) else "no regular file"
    return Entry(name, nothing, left_out=f"it is {what}")


def _read(path: Path, name: str, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise Refused(f"{name}: it cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise Refused(f"{name}: it is larger than {limit >> 20} MiB")
    return data
