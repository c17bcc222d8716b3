"""Whether a mutant that no test notices is a mutant at all: by exhaustion of the module's small scope.

Nobody declares equivalence by hand. A survivor is called equivalent when every observation on every scope is the
reference's, and the verdict's reason states those scopes; a crash, a timeout or one other observation leaves it a
survivor. A scope that never gets to a changed statement cannot differ and is not enumerated again.
"""

from __future__ import annotations

import platform
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.cache import cached
from harness.course import Course, read_text
from harness.engine.baseline import MEMORY_BYTES, everything_in_place
from harness.engine.jobs import Job, TestPlan
from harness.engine.parent import WarmParent
from harness.errors import EngineError
from harness.mutation.scope import not_for_wording, scope_sentences
from harness.mutation.wording import only_wording
from harness.records import Ending, Module, Status, TestRun, Verdict
from harness.subject.reach import note_statements

_LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Reached:
    """The reference on one scope."""

    digest: str
    statements: frozenset[str]
    """``unit:line`` of the statements that the scope gets to."""


@dataclass
class Equivalence:
    """Compares mutants with the reference on the scopes of one module; may be asked from several threads."""

    parent: WarmParent
    units: Mapping[str, str]
    path: Path
    """Of the module's ``scope.py``."""
    source: str
    """Its text; empty where there is none, and then nothing is called equivalent."""
    _reference: dict[str, Reached] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def settled(
        self, verdict: Verdict, in_place: Mapping[str, tuple[str, ...]] | None, touched: frozenset[str] | None
    ) -> Verdict:
        """The same verdict, or ``equivalent`` with the scopes that showed it as the reason.

        `touched` are the statements that the mutant changes, or None where it changes more than statements.
        """
        sentences = scope_sentences(self.source)
        if not sentences:
            return verdict
        reference = self.prepare()
        asked = self.looking(touched)
        sources = verdict.mutant.sources
        wording = touched is not None and all(only_wording(self.units[unit], text) for unit, text in sources.items())
        heavy = not_for_wording(self.source)
        if wording:
            # Its exceptions are the same; one scope that has it speak is enough, and the light ones are for that.
            asked = [name for name in asked if name not in heavy] or asked
        # The heavy scopes come last: where a light one differs already, nobody has to wait for them.
        for share in ([name for name in asked if name not in heavy], [name for name in asked if name in heavy]):
            found = self._digests(dict(sources), in_place, share)
            if any(found.get(name) != reference[name].digest for name in share):
                return verdict
        shown = "; ".join(sentences[name] for name in asked)
        reason = f"the same on {shown}" if asked else "nothing that can be observed gets to what it changes"
        reason = f"only the wording of an error differs (by rule), and {reason}" if wording else reason
        return replace(verdict, status=Status.EQUIVALENT, reason=reason)

    def looking(self, touched: frozenset[str] | None) -> list[str]:
        """The scopes that get to the statements that a mutant changes, and so have something to say of it."""
        reference = self.prepare() if self.source else {}
        return [name for name, reached in reference.items() if touched is None or reached.statements & touched]

    def prepare(self) -> dict[str, Reached]:
        """What the reference shows on each scope; measured once, by whoever asks first."""
        with self._lock:
            if self._reference is None:
                self._reference = self._measure(list(scope_sentences(self.source)))
            return self._reference

    def _measure(self, names: list[str]) -> dict[str, Reached]:
        noting = {unit: note_statements(text, unit) for unit, text in self.units.items()}

        def compute() -> list[tuple[str, str, list[str]]]:
            runs = self._run(noting, everything_in_place(self.units, noting), names, trace=True)
            if runs is None:
                message = f"the reference does not get through its own scopes in {self.path}"
                raise EngineError(message)
            for run in runs:
                if not run.reached:
                    message = f"{run.name} in {self.path} never gets to the reference, so it can tell nothing"
                    raise EngineError(message)
            return [(run.name, run.reason, list(run.reached)) for run in runs]

        stored = cached("scope", self._key({}, names), compute)
        return {name: Reached(digest, frozenset(statements)) for name, digest, statements in stored}

    def _digests(
        self, sources: dict[str, str], in_place: Mapping[str, tuple[str, ...]] | None, names: list[str]
    ) -> dict[str, str]:
        """The digest of each scope; nothing where the enumeration did not get to its end."""

        def compute() -> dict[str, str]:
            runs = self._run(sources, in_place, names, trace=False)
            if runs is None:
                raise _Unfinished
            return {run.name: run.reason for run in runs}

        try:
            return dict(cached("equivalence", self._key(sources, names), compute)) if names else {}
        except _Unfinished:
            return {}

    def _key(self, sources: Mapping[str, str], names: list[str]) -> object:
        return [dict(self.units), self.source, dict(sources), names, platform.python_version()]

    def _run(
        self,
        sources: Mapping[str, str],
        in_place: Mapping[str, tuple[str, ...]] | None,
        names: list[str],
        *,
        trace: bool,
    ) -> tuple[TestRun, ...] | None:
        job = Job(
            sources=sources,
            in_place=in_place,
            tests=tuple(TestPlan(name, 0, _LIMIT_S) for name in names),
            stop_at_first_failure=False,
            startup_limit_s=_LIMIT_S,
            memory_bytes=MEMORY_BYTES,
            trace=trace,
            scope=str(self.path),
        )
        outcome = self.parent.run(job)
        return outcome.runs if outcome.ending is Ending.FINISHED else None


class _Unfinished(Exception):
    """An enumeration that did not get to its end; never stored."""


def equivalence_of(course: Course, module: Module, parent: WarmParent, units: Mapping[str, str]) -> Equivalence:
    """The comparison for a module, which without a ``scope.py`` calls nothing equivalent."""
    path = course.scope_path(module)
    return Equivalence(parent, units, path, read_text(path) if path.is_file() else "")
