"""The judge of one module: from the text of somebody's files to results, the same on every machine.

What it says depends on the code, the tests, the profile, the seed and the versions, and on nothing else: no name of a
student, no order of arrival, no clock, as long as code answers within its limits or never does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType

from harness.cache import own_code
from harness.catalog import read_catalog
from harness.contract import Sort, drift, read_declarations
from harness.course import BEHAVIOUR, Course, load_course, read_text
from harness.engine.baseline import CONFIRMING_PATIENCE
from harness.engine.behaviour import observe_probes
from harness.engine.digests import digest, digests_of
from harness.engine.judging import Code, Findings, run_tests
from harness.engine.parent import Submission, WarmParent
from harness.engine.versions import versions
from harness.errors import EngineError
from harness.mutation.curated import load_curated
from harness.mutation.witness import probes_of
from harness.profiles import Profile
from harness.records import Cause, CheckedTest, GradeStatus, Judged, Module
from harness.student.check import MOST_LOST, Request, with_replay
from harness.student.diagnose import causes_of
from harness.student.workspace import is_stub, needed_modules
from harness.subject.sandbox import Level

_NEVER_ANSWERS = 8

_OnTest = Callable[[CheckedTest], None] | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a verdict depends on besides the code: plain values, so that it can be sent to another machine."""

    module_id: str
    seed: int
    level: int
    course: str | None = None
    """A course directory; None is the built-in one."""
    ref_deps: bool = False
    """Whether the reference stands in for all needed modules, even those that were handed in."""

    def load(self) -> tuple[Course, Module]:
        """The course and the module that they name, as this machine has them."""
        course = load_course(None if self.course is None else Path(self.course))
        return course, course.module(self.module_id)

    def facts(self) -> dict[str, str]:
        """Everything that two judges must have in common for their verdicts to be the same, by name."""
        course, module = self.load()
        needed = {f"digest of {one.id}": digest(course.read_units(one)) for one in needed_modules(course, module)}
        return {
            "module": module.id,
            "seed": str(self.seed),
            "profile": Profile.CHECK,
            "isolation": Level(self.level).name,
            "ref_deps": str(self.ref_deps),
            **{f"digest of {name}": value for name, value in digests_of(course, module).items()},
            "digest of tokproof": own_code(),
            "digest of mutants": digest(_known_mistakes(course, module)),
            **needed,
            **{f"version of {name}": value for name, value in versions().items()},
        }


def _known_mistakes(course: Course, module: Module) -> dict[str, str]:
    """What a diagnosis and its words are taken from."""
    paths = [course.mutants(module) / name for name in (BEHAVIOUR, "manifest.toml")]
    return {path.name: read_text(path) for path in paths if path.is_file()}


def key_of(facts: Mapping[str, str], files: Mapping[str, str]) -> str:
    """SHA-256 of the facts and the code: what has the same is judged once."""
    return digest({**{f"fact {name}": value for name, value in facts.items()}, "code": digest(files)})


class Judge:
    """A context manager with `jobs` lanes; `judge` may be called from as many threads."""

    def __init__(self, terms: Terms, *, jobs: int = 1) -> None:
        self._terms = terms
        self._course, self._module = course, module = terms.load()
        self._needed = needed_modules(course, module)
        self._catalog = read_catalog(course.test_files(module))
        self._curated = load_curated(course, module)
        self._probes = probes_of(module, self._curated)
        self._behaviour = course.behaviour(module)
        self._stack = ExitStack()
        self._jobs = jobs
        self._parent = self._new_parent()
        self._reviving = Lock()
        self._closed = False

    def _new_parent(self) -> WarmParent:
        modules = (*self._needed, self._module)
        units = {unit: self._course.unit_path(unit) for one in modules for unit in one.sources}
        return WarmParent(
            self._course,
            self._module,
            jobs=self._jobs,
            profile=Profile.CHECK,
            submission=Submission(
                self._course.reference,
                units,
                Level(self._terms.level),
                tuple(sorted({name for one in modules for name in one.imports})),
                writable=any(one.files for one in modules),
            ),
        )

    def __enter__(self) -> Judge:
        self._stack.enter_context(self._parent)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._reviving:
            self._closed = True
        self._stack.close()

    def judge(self, files: Mapping[str, str], on_test: _OnTest = None) -> Judged:
        """Judge code: text by path below the folder of its package, all units of the module among it.

        Never raises for what code does. `on_test` is called with each test's result as it ends; the last one for a
        test is the one that counts, and only if what is returned says so.
        """
        began = time.monotonic()
        parent = self._parent
        judged = self._judged(files, on_test)
        if judged.status is GradeStatus.ERROR:
            # Whoever took our processes away (a machine short of memory, an operator): the others still get theirs.
            self._revive(parent)
            judged = self._judged(files, on_test)
        judged = replace(judged, isolation=Level(self._terms.level).name)
        return replace(judged, elapsed_s=time.monotonic() - began)

    def _revive(self, gone: WarmParent) -> None:
        """Start another parent in the place of one that is gone, unless another thread has done it."""
        with self._reviving:
            if self._parent is gone and not gone.is_alive and not self._closed:
                self._parent = self._stack.enter_context(self._new_parent())

    def _judged(self, files: Mapping[str, str], on_test: _OnTest) -> Judged:
        try:
            return self._judge(files, on_test)
        except EngineError as error:
            return Judged(GradeStatus.ERROR, str(error))
        except RecursionError:  # what parses can still be too deep for everything that walks through it
            return Judged(GradeStatus.INVALID, "its expressions are too deeply nested")

    def _judge(self, files: Mapping[str, str], on_test: _OnTest) -> Judged:
        module = self._module
        if all(_is_untouched(files[unit]) for unit in module.units):
            return Judged(GradeStatus.INVALID, "still a stub: every function raises NotImplementedError")
        notes: list[str] = []
        units: dict[str, str] = {}
        for one in self._needed:
            if self._terms.ref_deps or not all(unit in files for unit in one.units):
                units |= self._course.read_units(one)
                notes.append(f"the reference stood in for {one.id}")
            else:
                units |= {unit: files[unit] for unit in one.units}
        for unit in module.units:
            units[unit], lacking = self._completed(unit, files[unit])
            notes += lacking
        code = Code(units, {path: text for path, text in files.items() if path not in units})
        found = self._run(code, on_test)
        if found.refused:
            return Judged(GradeStatus.INVALID, "; ".join((found.refused, *notes)))
        return self._told(code, files, found, notes)

    def _completed(self, unit: str, text: str) -> tuple[str, list[str]]:
        """A unit in which every name of the contract is bound, so that those that are there can earn their points."""
        contract = read_declarations(read_text(self._course.contract_path(unit)), where=unit)
        drifts = drift(contract, read_declarations(text, where=unit))
        lacking = [one.name for one in drifts if one.found == "nothing" and "." not in one.name]
        notes = [f"{unit} lacks {name}" for name in lacking]
        notes += [f"{one.name} is {one.found}, not {one.expected}" for one in drifts if one.found != "nothing"]
        if not lacking:
            return text, notes
        raising = "".join(
            f"\n\ndef {name}(*arguments, **named):\n    raise NotImplementedError({name!r})\n" for name in lacking
        )
        return f"{text.rstrip()}\n{raising}", notes

    def _run(self, code: Code, on_test: _OnTest) -> Findings:
        """All results. That nothing can be run, or that no answer came in time, is confirmed before it is believed.

        On a machine that has no time for us, even an import can take longer than any limit that is fair on another.
        """
        run = partial(run_tests, self._parent, code, seed=self._terms.seed)
        run_all = partial(run, self._catalog, most_late=_NEVER_ANSWERS, on_test=on_test)
        found = run_all()
        if found.refused and not found.forged:
            return run_all(patience=CONFIRMING_PATIENCE)
        if found.late:
            again = run([entry for entry in self._catalog if entry.name == found.late[0]], patience=CONFIRMING_PATIENCE)
            if not again.late and not again.refused:
                return run_all(patience=CONFIRMING_PATIENCE)
        return found

    def _told(self, code: Code, files: Mapping[str, str], found: Findings, notes: list[str]) -> Judged:
        request = Request(seed=self._terms.seed, ref_deps=any(unit not in files for unit in code.units))
        tests = tuple(
            with_replay(found.tests.get(entry.name, CheckedTest(entry, "not_run")), self._module, request)
            for entry in self._catalog
        )
        failed = [test.entry.name for test in tests if test.status == "fail"]
        if any(test.status == "not_run" for test in tests):
            notes = [*notes, f"it gave no answer in {_NEVER_ANSWERS} tests, so that no further ones were run"]
        causes: tuple[Cause, ...] = ()
        if failed:
            shown = observe_probes(
                self._parent, code.units, self._probes, trusted=False, files=code.files, most_lost=MOST_LOST
            )
            causes = causes_of(failed, shown, self._curated, self._behaviour)
        return Judged(GradeStatus.GRADED, "; ".join(notes), tests, causes)


def _is_untouched(text: str) -> bool:
    """Whether a unit is the stub that a student began with."""
    return is_stub(text) and any(one.sort is Sort.FUNCTION for one in read_declarations(text, where="unit"))
