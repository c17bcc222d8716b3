"""A whole class: every submission noted, those that are due judged, each verdict stored as it comes.

Nothing that a submission is or does ends a batch, and nothing is kept in memory for more submissions than are being
judged at the moment.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from harness.errors import UsageError
from harness.grading.documents import judged_from_json, judged_to_json, passed_tests
from harness.grading.judge import key_of
from harness.grading.points import graded, without_code
from harness.grading.rules import Scheme
from harness.grading.store import PENDING, Priced, Row, Store
from harness.records import CatalogEntry, Grade, GradeChange, GradeStatus, Judged, Received

_AGAIN = frozenset({GradeStatus.ERROR, GradeStatus.INVALID, GradeStatus.UNREADABLE})


class Mode(StrEnum):
    """Which submissions are judged, of those that were found."""

    NEW = "new"
    """All: the store is empty."""
    RESUME = "resume"
    """Those without a verdict, and those whose code has changed since."""
    ONLY_FAILED = "only-failed"
    """Those that have no verdict of their tests."""
    REGRADE = "regrade"
    """All whose code, tests or terms have changed since; what changed is kept for a table."""


class Judges(Protocol):
    """Whatever judges code somewhere: threads of ours, or workers of a cluster."""

    at_once: int
    """How many it works on at the same time."""

    def submit(self, files: Mapping[str, str]) -> Future[str]:
        """Begin to judge code; the result is a line of `harness.grading.documents`."""


@dataclass(slots=True)
class Batch:
    """One run over one class."""

    receive: Callable[[], Iterable[Received]]
    """All that was handed in, anew each time that it is called, in an order that does not change."""
    store: Store
    facts: Mapping[str, str]
    """What a verdict depends on besides the code (`Terms.facts`)."""
    scheme: Scheme
    catalog: Sequence[CatalogEntry]
    mode: Mode = Mode.NEW
    student: str = ""
    """A pattern: nobody else is judged."""
    on_done: Callable[[str], None] = lambda key: None
    _waiting: dict[str, list[Received]] = field(default_factory=dict, init=False)
    _running: dict[Future[str], str] = field(default_factory=dict, init=False)
    _forced: set[str] = field(default_factory=set, init=False)

    def note_all(self) -> int:
        """Give every submission a row, settle what needs no judge, and return how many are to be judged.

        Raises UsageError where the store's verdicts and those to come would not be comparable.
        """
        self._check_terms()
        if self.mode is not Mode.RESUME:
            self.store.forget_before()
        self.store.note(self.facts)
        count = 0
        for position, received in enumerate(self.receive()):
            row = self.store.find(received.key)
            digest = self._digest(received)
            if row is not None and not self._is_due(row, digest):
                self.store.refresh(received, position)
                self._reprice(row, received)
            elif self._is_asked_for(received):
                if row is not None and digest is not None and self._is_forced(row):
                    self._forced.add(digest)
                before = None if row is None else (row.before if row.status == PENDING else _before(row))
                self.store.expect(received, position, digest, before)
                if digest is None:
                    self._settle([received], None, judged_to_json(without_code(received)))
                else:
                    count += 1
        return count

    def _check_terms(self) -> None:
        noted = self.store.facts()
        differing = sorted(name for name in {*noted, *self.facts} if noted.get(name) != self.facts.get(name))
        if noted and differing and self.mode in (Mode.RESUME, Mode.ONLY_FAILED):
            message = f"the grades in {self.store.path} were given on other terms; what differs: {', '.join(differing)}"
            raise UsageError(message, remedy="--regrade judges all anew and shows what changed")

    def _digest(self, received: Received) -> str | None:
        return None if received.reason or received.missing else key_of(self.facts, received.files)

    def _is_asked_for(self, received: Received) -> bool:
        return not self.student or fnmatch.fnmatchcase(received.student, self.student)

    def _is_due(self, row: Row, digest: str | None) -> bool:
        """Whether a row is to be judged, or, where there is no code, to be settled anew."""
        stands = row.status != PENDING and row.digest == digest and digest is not None and not self._is_forced(row)
        return self._is_asked_for(row.received) and not stands

    def _is_forced(self, row: Row) -> bool:
        """Whether a verdict that stands is not believed."""
        return row.status == GradeStatus.ERROR or (self.mode is Mode.ONLY_FAILED and row.status in _AGAIN)

    def judge_all(self, judges: Judges) -> None:
        """Judge what is due. An interrupt leaves everything that ended before it in the store."""
        for received in self.receive():
            row = self.store.find(received.key)
            if row is None or row.digest is None or row.status != PENDING or not self._is_asked_for(received):
                continue
            bare = replace(received, files={})
            if row.digest in self._waiting:
                self._waiting[row.digest].append(bare)
                continue
            known = None if row.digest in self._forced else self.store.document(row.digest)
            if known is not None:
                self._settle([bare], row.digest, known)
                continue
            while len(self._running) >= 2 * judges.at_once:
                self._collect()
            self._waiting[row.digest] = [bare]
            self._running[judges.submit(received.files)] = row.digest
        while self._running:
            self._collect()

    def _collect(self) -> None:
        """Store what has ended; wait until something has."""
        for future in wait(self._running, return_when=FIRST_COMPLETED).done:
            digest = self._running.pop(future)
            self._forced.discard(digest)
            try:
                document = future.result()
            except Exception as error:  # a worker that is gone, or one that has other tests: ours to answer for
                document = judged_to_json(Judged(GradeStatus.ERROR, str(error) or type(error).__name__))
            self._settle(self._waiting.pop(digest), digest, document)

    def _settle(self, several: Sequence[Received], digest: str | None, document: str) -> None:
        """Write the grade of everybody who handed in the same."""
        judged = judged_from_json(document, self.catalog)
        # An error of ours is no verdict: nobody else gets it, and it is not found again.
        keep = digest is not None and judged.status is not GradeStatus.ERROR
        priced = {one.key: self._priced(one, judged) for one in several}
        self.store.settle(priced, digest=digest, document=document if keep else None)
        for one in several:
            self.on_done(one.key)

    def _reprice(self, row: Row, received: Received) -> None:
        """Hold a verdict that stands to the rules, and to the lateness, of today."""
        if row.status == PENDING:
            return
        self.store.settle({received.key: self._priced(received, _judged(row, self.catalog))})

    def _priced(self, received: Received, judged: Judged) -> Priced:
        grade = graded(received, judged, self.scheme)
        return Priced(grade.status, grade.reason, grade.points, grade.max_points)


def _judged(row: Row, catalog: Sequence[CatalogEntry]) -> Judged:
    if row.document is None or row.status == GradeStatus.ERROR:  # then the document is that of an earlier verdict
        return Judged(GradeStatus(row.status), row.reason)
    return judged_from_json(row.document, catalog)


def grades(store: Store, scheme: Scheme, catalog: Sequence[CatalogEntry]) -> Iterator[Grade]:
    """Every grade that was given, in the order in which the submissions were found."""
    for row in store.settled():
        yield graded(row.received, _judged(row, catalog), scheme, digest=row.digest or "")


def changes(store: Store) -> Iterator[GradeChange]:
    """What a second grading changed: submissions whose points, status or passed tests are others than before."""
    for row in store.settled():
        if row.before is None:
            continue
        before, after = json.loads(row.before), json.loads(_before(row))
        if before != after:
            was, is_now = frozenset(before["passed"]), frozenset(after["passed"])
            yield GradeChange(
                row.received.key,
                before["shown"],
                after["shown"],
                tuple(sorted(was - is_now)),
                tuple(sorted(is_now - was)),
            )


def _before(row: Row) -> str:
    """What is compared of a verdict, as JSON."""
    passed = [] if row.document is None else sorted(passed_tests(row.document))
    shown = str(row.points) if row.status == GradeStatus.GRADED else row.status
    return json.dumps({"shown": shown, "passed": passed})
