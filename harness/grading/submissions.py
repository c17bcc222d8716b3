"""Whose work lies where: one submission, a class, or an export of a learning platform, told by names alone."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath

from harness.course import Course
from harness.grading.entries import A_CLASS, METADATA, Entry, Refused, is_archive, stem
from harness.grading.gradescope import Metadata, read_metadata
from harness.grading.lateness import moment
from harness.grading.layouts import exported
from harness.grading.matching import Identity
from harness.grading.trees import Tree
from harness.records import Module

_HOMES = ("python", "src")
_PROJECT = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"})
_OF_THE_CLASS = (".csv", ".tsv", ".xlsx", ".ods", ".json", ".yml", ".yaml", ".toml", ".md", ".html", ".log")
"""Endings of what instructors and platforms put beside the work of a class."""
_ALIKE = 0.8


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in at one time; nothing of it is read yet."""

    identity: Identity
    source: str
    files: Callable[[], Iterable[Entry]]
    submitted_at: datetime | None = None
    """With an offset from UTC."""
    late: bool = False
    """Whether the platform marked it so."""
    alone: bool = False
    """Whether it is one file, named after the student."""
    note: str = ""


class Layout:
    """How the work for one module lies in folders, for a class whose names may be known."""

    def __init__(self, course: Course, module: Module, is_known: Callable[[str], bool]) -> None:
        units = [PurePosixPath(unit) for one in course.modules for unit in one.units]
        self._names = {PurePosixPath(unit).name for unit in module.units}
        self._homes = {*_HOMES, *(part for unit in units for part in unit.parts[:-1])}
        self._is_known = is_known

    def split(self, tree: Tree, label: str) -> Iterator[Submission]:
        """Every submission of a folder or an archive; `label` names the student of what is only one."""
        children = tree.children()
        if METADATA in children:
            yield from _of_gradescope(tree, children)
        elif any(exported(name) for name in children):
            yield from _of_platform(children, tree)
        elif self._is_one(children):
            yield from self._only(tree, children, label)
        else:
            for name, child in children.items():
                if isinstance(child, Entry) and name.casefold().endswith(_OF_THE_CLASS):
                    continue
                yield one_of_class(name, child, tree.source)

    def _only(self, tree: Tree, children: Mapping[str, Tree | Entry], label: str) -> Iterator[Submission]:
        """One submission, or whatever the one folder in it is: an archive often holds one."""
        name, child = next(iter(children.items())) if len(children) == 1 else ("", None)
        if name and name not in self._homes and not isinstance(child, Entry | None):
            yield from self.split(child, label if label and not self._is_known(name) else name)
            return
        if isinstance(child, Entry) and name not in self._names and (not label or self._is_known(stem(name))):
            label = stem(name)
        yield Submission(Identity(label or _last(tree.source)), tree.source, tree.files)

    def _is_one(self, children: Mapping[str, Tree | Entry]) -> bool:
        files = {name for name, child in children.items() if isinstance(child, Entry)}
        folders = children.keys() - files
        if files & (self._names | _PROJECT) or folders & self._homes:
            return True
        if any(self._is_known(stem(name) if name in files else name) for name in children):
            return False
        python = [name for name in files if name.endswith(".py")]
        if any(difflib.get_close_matches(name, self._names, n=1, cutoff=_ALIKE) for name in python):
            return True
        return len(folders) + len(python) + sum(is_archive(name) for name in files) < 2


def one_of_class(name: str, child: Tree | Entry, source: str) -> Submission:
    """A folder or a file that is named after its student."""
    if not isinstance(child, Entry):
        return Submission(Identity(name), child.source, child.files)
    where = f"{source}{'' if not source or source.endswith('!/') else '/'}{name}"
    return Submission(Identity(stem(name)), where, partial(_just, child), alone=True)


def _just(*entries: Entry) -> list[Entry]:
    return list(entries)


def _last(source: str) -> str:
    return source.removesuffix("!/").rpartition("/")[2]


# --- learning platforms


def _of_platform(children: Mapping[str, Tree | Entry], tree: Tree) -> Iterator[Submission]:
    """Canvas and Moodle: all files and folders of one student are one submission."""
    students: dict[tuple[str, str], list[Submission]] = {}
    for name, child in children.items():
        said = exported(name)
        one = one_of_class(name, child, tree.source)
        if said is None:
            if not (isinstance(child, Entry) and name.casefold().endswith(_OF_THE_CLASS)):
                yield one
            continue
        if isinstance(child, Entry):
            entry = replace(child, path=said.file or name, version=said.version)
            one = replace(one, files=partial(_just, entry), alone=False)
        key = (str(said.identity.platform), said.identity.platform_id)
        students.setdefault(key, []).append(replace(one, identity=said.identity, late=said.late))
    for parts in students.values():
        where = parts[0].source if len(parts) == 1 else f"{parts[0].source} and {len(parts) - 1} more"
        late = any(part.late for part in parts)
        yield replace(parts[0], source=where, files=partial(_chained, tuple(parts)), late=late)


def _chained(parts: tuple[Submission, ...]) -> Iterator[Entry]:
    for part in parts:
        yield from part.files()


def _of_gradescope(tree: Tree, children: Mapping[str, Tree | Entry]) -> Iterator[Submission]:
    said = children[METADATA]
    told: Mapping[str, Metadata] = {}
    note = f"{METADATA} cannot be read"
    if isinstance(said, Entry):
        try:
            told = read_metadata(said.read(A_CLASS.member_bytes).decode("utf-8-sig", "replace"))
            note = ""
        except Refused as error:
            note = f"{note}: {error}"
    for name in sorted({*children, *told} - {METADATA}):
        child = children.get(name)
        metadata = told.get(name, Metadata())
        if isinstance(child, Entry) and name.casefold().endswith(_OF_THE_CLASS):
            continue
        if child is None:
            gone = Entry(name, _gone, refused=f"{name}: the export has no such folder")
            one = Submission(Identity(name), f"{tree.source}/{name}", partial(_just, gone))
        else:
            one = one_of_class(name, child, tree.source)
        at = moment(metadata.created_at)
        at = at.replace(tzinfo=UTC) if at and at.tzinfo is None else at
        one = replace(one, submitted_at=at, note=note)
        yield from _by_each(one, metadata)


def _gone(_limit: int) -> bytes:
    raise Refused("it is not there")


def _by_each(one: Submission, metadata: Metadata) -> Iterator[Submission]:
    """One submission for each who handed it in together."""
    if not metadata.submitters:
        yield one
    for person in metadata.submitters:
        sid, email, name = (person.get(key, "") for key in ("sid", "email", "name"))
        identity = Identity(sid or email or one.identity.label, name, email, (sid,) if sid else ())
        others = [other.get("name", "") for other in metadata.submitters if other is not person]
        note = f"handed in together with {', '.join(others)}" if others else one.note
        yield replace(one, identity=identity, note=note)
