"""What a whole class came to, counted grade by grade, so that ten thousand submissions never lie in memory at once."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from harness.records import Grade, GradeStatus, GradingRun
from harness.reports.facts import BUCKETS_S
from harness.reports.grade_facts import COUNTED, plain

BUCKETS = 10
"""Of points, from none to all; full marks are in the last."""
MOST_UNGRADED = 10
_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Pitfall:
    """One known mistake, and how many submissions make it."""

    mutant: str
    mistake: str
    hint: str
    sure: int
    """Submissions that behave exactly as the mutant does."""
    likely: int
    """Submissions that it may explain."""

    @property
    def count(self) -> int:
        """Submissions with this mistake, as far as anybody can tell."""
        return self.sure + self.likely


@dataclass(frozen=True, slots=True)
class TestTally:
    """What one test did in the class, on the submissions whose tests ran."""

    name: str
    failed: int
    not_run: int

    __test__ = False


@dataclass(frozen=True, slots=True)
class Ungraded:
    """A submission that was not graded, and why."""

    student: str
    status: GradeStatus
    reason: str


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """The figures of one class; points are those of `grade_facts.COUNTED` submissions."""

    submissions: int
    statuses: tuple[tuple[GradeStatus, int], ...]
    """In the order of the words, those that occur."""
    max_points: Decimal
    mean: Decimal | None
    """To a hundredth of a point, as the median; None where there are no points."""
    median: Decimal | None
    histogram: tuple[int, ...]
    """Submissions by tenths of the points."""
    pitfalls: tuple[Pitfall, ...]
    """Those that occur, the most frequent in front."""
    unexplained: int
    """Graded submissions with a failure and no mistake that is known."""
    tests: tuple[TestTally, ...]
    """In the order of the tests."""
    times: tuple[int, ...]
    """Judged submissions by seconds, up to each end of `facts.BUCKETS_S` and beyond the last."""
    median_s: float | None
    identical: int
    """Submissions whose code was handed in before, by somebody else or again: judged once."""
    ungraded: tuple[Ungraded, ...]
    """The first that were not graded, missing ones aside."""

    def number(self, *statuses: GradeStatus) -> int:
        """How many submissions have one of these words."""
        return sum(count for status, count in self.statuses if status in statuses)


class ClassTally:
    """Counts one grade after another; holds a few words for each test and mistake and some bytes for each grade."""

    def __init__(self, run: GradingRun) -> None:
        self._run = run
        self._statuses: Counter[GradeStatus] = Counter()
        self._points: Counter[Decimal] = Counter()
        self._pitfalls: dict[str, Pitfall] = {}
        self._unexplained = 0
        self._failed: Counter[str] = Counter()
        self._not_run: Counter[str] = Counter()
        self._times = array("d")
        self._digests: set[str] = set()
        self._identical = 0
        self._ungraded: list[Ungraded] = []

    def add(self, grade: Grade) -> None:
        """Count one more."""
        self._statuses[grade.status] += 1
        if grade.status in COUNTED:
            self._points[grade.points] += 1
        if grade.status in (GradeStatus.GRADED, GradeStatus.INVALID):
            self._times.append(grade.elapsed_s)
            self._identical += grade.digest in self._digests
            self._digests |= {grade.digest} if grade.digest else set()
        elif grade.status is not GradeStatus.MISSING and len(self._ungraded) < MOST_UNGRADED:
            self._ungraded.append(Ungraded(grade.received.student, grade.status, grade.reason))
        if grade.status is GradeStatus.GRADED:
            self._add_tests(grade)

    def _add_tests(self, grade: Grade) -> None:
        statuses = Counter(graded.test.status for graded in grade.tests)
        for graded in grade.tests:
            name = graded.test.entry.name
            self._failed[name] += graded.test.status == "fail"
            self._not_run[name] += graded.test.status == "not_run"
        known = {cause.mutant: cause for cause in grade.causes if cause.mutant}
        self._unexplained += bool(statuses["fail"] and not known)
        for mutant, cause in known.items():
            old = self._pitfalls.get(mutant)
            sure, likely = (old.sure, old.likely) if old else (0, 0)
            self._pitfalls[mutant] = Pitfall(
                mutant, cause.mistake, cause.hint, sure + cause.sure, likely + (not cause.sure)
            )

    def summary(self) -> ClassSummary:
        """What was counted so far."""
        histogram = [0] * BUCKETS
        for points, count in self._points.items():
            share = points / self._run.max_points if self._run.max_points else Decimal(0)
            histogram[min(BUCKETS - 1, max(0, int(share * BUCKETS)))] += count
        times = [0] * (len(BUCKETS_S) + 1)
        for elapsed_s in self._times:
            times[bisect_left(BUCKETS_S, elapsed_s)] += 1
        ordered = sorted(self._times)
        return ClassSummary(
            submissions=self._statuses.total(),
            statuses=tuple((status, self._statuses[status]) for status in GradeStatus if self._statuses[status]),
            max_points=self._run.max_points,
            mean=_mean(self._points),
            median=_median(self._points),
            histogram=tuple(histogram),
            pitfalls=tuple(sorted(self._pitfalls.values(), key=lambda one: (-one.count, -one.sure, one.mutant))),
            unexplained=self._unexplained,
            tests=tuple(
                TestTally(one.name, self._failed[one.name], self._not_run[one.name]) for one in self._run.scheme
            ),
            times=tuple(times),
            median_s=ordered[(len(ordered) - 1) // 2] if ordered else None,
            identical=self._identical,
            ungraded=tuple(self._ungraded),
        )


def _mean(points: Counter[Decimal]) -> Decimal | None:
    total = sum((value * count for value, count in points.items()), Decimal(0))
    return (total / points.total()).quantize(_HUNDREDTH, ROUND_HALF_UP) if points else None


def _median(points: Counter[Decimal]) -> Decimal | None:
    ordered = sorted(points.elements())
    if not ordered:
        return None
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return middle.quantize(_HUNDREDTH, ROUND_HALF_UP)


def sentence_of(summary: ClassSummary) -> str:
    """Submissions, the median and how many are the same, in one sentence."""
    many = f"{summary.submissions} submission{'s' if summary.submissions != 1 else ''}"
    median = (
        f", median {plain(summary.median)} of {plain(summary.max_points)} points" if summary.median is not None else ""
    )
    same = f", {summary.identical} the same as another" if summary.identical else ""
    return f"{many}{median}{same}."


def warnings_of(run: GradingRun, summary: ClassSummary) -> tuple[str, ...]:
    """What must be read before the figures: an interrupted run, and what we failed to grade."""
    found = ["Interrupted: what was not graded yet is not in these figures."] if not run.complete else []
    if failed := summary.number(GradeStatus.ERROR):
        found.append(f"The grader failed on {failed} of {summary.submissions} submissions: grade them again.")
    return tuple(found)
