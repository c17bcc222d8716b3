"""``autograder.zip`` for Gradescope: all that a grade depends on, pinned, in one file with the same bytes each time.

tokproof itself and the course are carried inside, since the version that an instructor tried here may be on no index.
Nothing is compressed: how well zlib does it differs from machine to machine.
"""

from __future__ import annotations

import importlib.metadata
import io
import shlex
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from harness.course import MANIFEST, Course
from harness.errors import HarnessError
from harness.records import Module

NAME = "tokproof"
_PACKAGE = Path(__file__).resolve().parent.parent
_SCRIPTS = Path(__file__).parent / "autograder"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE, _PROGRAM = 0o100644, 0o100755
_NOT_CARRIED = frozenset({"__pycache__", "_course"})


def pinned(distribution: str = NAME) -> tuple[str, ...]:
    """Everything that a distribution needs, directly or not, as ``name==version`` of what is installed here.

    Sorted by name. HarnessError where the distribution or something that it needs is not installed.
    """
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(distribution, "")]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            installed = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError as error:
            message = f"{name} is not installed here, so that its version cannot be pinned"
            raise HarnessError(message, remedy=f"run ol from an environment that {NAME} was installed into") from error
        found[canonicalize_name(name)] = installed.version
        for needed in map(Requirement, installed.requires or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(needed.name), one) for one in ("", *needed.extras)]
    del found[canonicalize_name(distribution)]
    return tuple(f"{name}=={version}" for name, version in sorted(found.items()))


def build(
    course: Course,
    module: Module,
    *,
    skeleton: str,
    version: str,
    requirements: Sequence[str],
    arguments: Sequence[str] = (),
    python: str = f"{sys.version_info.major}.{sys.version_info.minor}",
) -> bytes:
    """The archive for one module of a course.

    `skeleton` is the ``results.json`` that lies there before anything ran, `version` tokproof's own, `requirements`
    what `pinned` gives, `arguments` go to `ol grade`, and `python` is the version that must run it: another one may
    judge another way. The module's needs are carried too, and no other module's tests or mutants.
    """
    words = {
        "@MODULE@": shlex.quote(module.id),
        "@ARGUMENTS@": shlex.join(arguments),
        "@PYTHON@": python,
        "@VERSION@": version,
    }
    files = {
        f"{NAME}/{NAME}-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n",
        "requirements.txt": "".join(f"{one}\n" for one in requirements),
        "skeleton.json": skeleton,
        **{path.name: _filled(path, words) for path in sorted(_SCRIPTS.iterdir())},
    }
    contents = {name: text.encode() for name, text in files.items()}
    contents |= {f"{NAME}/harness/{name}": data for name, data in _below(_PACKAGE)}
    contents |= {f"{NAME}/course/{name}": data for name, data in _course_files(course, module)}
    programs = {"setup.sh", "run_autograder"}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3  # Unix, which is what makes a mode out of the attributes
            entry.external_attr = (_PROGRAM if name in programs else _FILE) << 16
            archive.writestr(entry, contents[name])
    return out.getvalue()


def _filled(path: Path, words: dict[str, str]) -> str:
    text = path.read_text("utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _course_files(course: Course, module: Module) -> Iterator[tuple[str, bytes]]:
    """The manifest, the reference, and of tests and mutants those of the module and of what it needs."""
    yield MANIFEST, (course.root / MANIFEST).read_bytes()
    yield from ((f"reference/{name}", data) for name, data in _below(course.reference))
    for path in sorted((course.root / "tests").glob("*.py")):
        yield f"tests/{path.name}", path.read_bytes()
    for one in _with_needs(course, module):
        for folder in (course.tests(one), course.mutants(one)):
            place = folder.relative_to(course.root).as_posix()
            yield from ((f"{place}/{name}", data) for name, data in _below(folder))


def _with_needs(course: Course, module: Module) -> list[Module]:
    found = [module]
    for one in found:
        found += [needed for id_ in one.needs if (needed := course.module(id_)) not in found]
    return found


def _below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not path.name.endswith(".pyc") and _NOT_CARRIED.isdisjoint(relative.parts):
            yield relative.as_posix(), path.read_bytes()
