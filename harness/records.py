"""The nouns that every part shares: frozen, small, without behaviour beyond what derives from one field.

Units stand in the names: `_s` is seconds of wall time, `_bytes` is bytes, `_percent` is 0 to 100. Lines and
columns count from 1. A `unit` is the path of a module's file below the course's ``reference/`` folder, such as
``tinyllm/tok/bytes_unicode.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Module:
    """One exercise of a course, as ``course.toml`` declares it."""

    id: str
    title: str
    units: tuple[str, ...]
    """Files that are asked of a submission, in import order."""
    beside: tuple[str, ...] = ()
    """Further files of the reference, imported by `units` and mutated like them: a submission need not have them."""
    needs: tuple[str, ...] = ()
    """Ids of the modules whose units these import."""
    imports: tuple[str, ...] = ()
    """Top-level packages allowed besides the standard library."""
    files: bool = False
    """Whether its functions read and write files."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Share of the grade for each KIND of test; a kind left out weighs 1."""
    mutation_threshold_percent: float = 100.0
    """What a student's own tests must detect to pass `ol mutate`."""
    grading: Mapping[str, object] = field(default_factory=dict)
    """What its tests are worth, in the form of a rule file (`harness.grading.rules`)."""

    @property
    def sources(self) -> tuple[str, ...]:
        """All files of the reference, in import order."""
        return (*self.beside, *self.units)


class Kind(StrEnum):
    """What sort of evidence a test gives."""

    UNIT = "unit"
    GOLDEN = "golden"
    PROPERTY = "property"
    BOUNDARY = "boundary"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """What one test says of itself in its docstring."""

    name: str
    path: Path
    line: int
    law: str
    """The docstring's first line."""
    kind: Kind
    checks: str
    why: str
    catches: tuple[str, ...]
    """Ids of the mutants that this test claims to kill, whatever else changes."""
    stays: str = ""
    """For a test that kills no mutant: why it is kept."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that `ol lint` holds against a course."""

    rule: str
    where: str
    """A mutant's id, a test's name, or a file."""
    message: str


class Tier(StrEnum):
    """Where a mutant comes from."""

    SEMANTIC = "semantic"
    PINNED = "pinned"
    GENERATED = "generated"
    WHEAT = "wheat"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed reference; a wheat is one that is still right."""

    id: str
    tier: Tier
    sources: Mapping[str, str]
    """Whole text of each unit that differs, by unit."""
    unit: str
    """The unit of `line`: the first that differs."""
    line: int
    """First line of the reference that differs."""
    diff: str
    """Unified diff against the reference."""
    description: str
    """What an instructor reads: exactly what is wrong."""
    public: str = ""
    """What a student may be told."""
    operator: str = ""
    pitfall: int | None = None
    required: bool = True
    caught_by: tuple[str, ...] = ()
    """Tests that claim it."""
    witness: str = ""
    """Smallest call on which it differs from the reference: an expression over the unit's names."""


class Status(StrEnum):
    """The verdict words; design section 6 defines each."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    INVALID = "invalid"
    EQUIVALENT = "equivalent"
    ERROR = "error"


class Ending(StrEnum):
    """How a child process went, which is not what its tests found."""

    FINISHED = "finished"
    TIMED_OUT = "timed out"
    DIED = "died"
    REFUSED = "refused"
    """The subject could not be installed in place; the other path must be taken."""
    INVALID = "invalid"
    """The subject does not import."""
    FORGED = "forged"
    """The subject sent over the wire what is no answer."""
    BROKEN = "broken"
    """Our side failed: the tests do not collect, or the protocol broke."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """One test on one subject."""

    name: str
    passed: bool
    elapsed_s: float
    reason: str = ""
    """For a failure: the exception's type and the first line of its message."""
    skipped: bool = False
    """It passed without looking: `reason` says why."""
    examples: int = 0
    """Inputs tried, the failing one included; 0 for a test without generated input."""
    details: Mapping[str, str] = field(default_factory=dict)
    """For a failure that a person will read, by the names that `harness.engine.explain` gives."""
    late: bool = False
    """Whether it failed because the subject gave no answer in time."""
    reached: tuple[str, ...] = ()
    """With tracing on: ``unit:line`` of every statement of the subject that ran."""

    __test__ = False  # pytest would otherwise try to collect a class of this name


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one child process did with one subject."""

    ending: Ending
    runs: tuple[TestRun, ...]
    elapsed_s: float
    detail: str = ""
    """For every ending but FINISHED: what happened, in words."""
    running: str = ""
    """The test that was running when the child timed out or died."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """How one test failed on one mutant, for a person to read."""

    test: str
    input: str
    """The judged call, with the smallest values that show it; empty where it could not be told."""
    values: tuple[str, ...]
    """The values in it by name: ``data = b'\\x00'``."""
    expected: str
    got: str
    examples: int
    """Inputs tried up to the first failure, that one included; 0 for a test without generated input."""
    replay: str
    """The one command that does exactly this again."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word on one mutant and the evidence for it."""

    mutant: Mutant
    status: Status
    killed_by: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    """Names of the tests that ran, in order."""
    elapsed_s: float = 0.0
    reason: str = ""
    examples: int = 0
    """Inputs that the first killing test tried up to the kill; 0 where it generates none."""
    counterexample: Counterexample | None = None
    """Where kills were explained: the first killing test's failure."""
    flaky: bool = False
    """Whether the first killing test, run again alone with the same seed, passed."""


@dataclass(frozen=True, slots=True)
class Controls:
    """What must hold before any verdict is believed; `notes` says of each broken one what happened."""

    reference: bool
    raises_everywhere: bool
    identity: bool
    wheats: bool
    notes: tuple[str, ...] = ()

    @property
    def hold(self) -> bool:
        """Whether every control did."""
        return self.reference and self.raises_everywhere and self.identity and self.wheats


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard it is for one property, by random search alone, to find one mutant (ETNA's measure)."""

    mutant: str
    test: str
    claimed: bool
    """Whether the test's CATCHES names the mutant."""
    seeds: int
    """How many searches there were."""
    examples: tuple[int, ...]
    """For each search that killed the mutant, the inputs tried up to the kill, sorted."""

    @property
    def found(self) -> int:
        """How many of the searches killed it."""
        return len(self.examples)

    @property
    def median_examples(self) -> int | None:
        """The median over all searches; None where fewer than half of them killed it."""
        middle = (self.seeds - 1) // 2
        return self.examples[middle] if middle < len(self.examples) else None

    @property
    def worst_examples(self) -> int | None:
        """The most that any successful search needed."""
        return self.examples[-1] if self.examples else None


@dataclass(frozen=True, slots=True)
class Search:
    """What random search alone finds, with the domain's strategies and with plain ones."""

    seeds: int
    efforts: tuple[Effort, ...]
    plain: tuple[Effort, ...]
    """The same pairs in the same order, with ``st.binary()``, ``st.text()`` and ``st.dictionaries()``."""
    wheat_failures: tuple[str, ...]
    """What a property held against a correct implementation; empty where all is well."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one `ol score` of one module found."""

    module: Module
    verdicts: tuple[Verdict, ...]
    controls: Controls
    tests: tuple[str, ...]
    matrix: bool
    """Whether every test ran on every mutant, or each mutant's run stopped at its first kill."""
    seed: int
    elapsed_s: float
    versions: Mapping[str, str]
    mutation_s: float = 0.0
    """Of `elapsed_s`, the part in which mutants ran."""
    baseline_s: float = 0.0
    """Of `elapsed_s`, the reference's own run of all tests."""
    reference: Mapping[str, str] = field(default_factory=dict)
    """Text of the reference's units, by unit."""
    search: Search | None = None
    complete: bool = True
    """False for a run that was interrupted: it holds what it had."""
    planned: int = 0
    """How many mutants there were to judge, wheats left out."""
    catalog: tuple[CatalogEntry, ...] = ()
    profile: str = ""
    """Name of the Hypothesis profile (`harness.profiles`)."""
    isolation: str = ""
    """The level at which the code under test ran; ``none`` for mutants, which run in forked children."""
    began_at: str = ""
    """Time of day at which the run began, ISO 8601 in UTC."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of what was judged, by ``reference``, ``tests``, ``mutants`` or ``submission``."""


@dataclass(frozen=True, slots=True)
class PastRun:
    """What the history keeps of one `ol score`."""

    began_at: str
    module: str
    score_percent: float
    complete: bool


class State(StrEnum):
    """What was found of one thing that was looked for."""

    OK = "ok"
    ABSENT = "absent"
    """It is not there; what depends on it is skipped."""
    REJECTED = "rejected"
    """It is there and failed its self-check, so that nothing is taken from it."""
    DAMAGED = "damaged"
    """A file is there with other bytes than it must have."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    state: State
    detail: str
    """A version, a path, or what is wrong."""
    remedy: str = ""
    """The way out; empty where nothing is wrong."""


class CheckVerdict(StrEnum):
    """What `ol check` says of a student's module."""

    PASS = "pass"
    FAIL = "fail"
    NOT_STARTED = "not_started"
    BLOCKED = "blocked"
    DRIFT = "drift"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class CheckedTest:
    """One test on a student's code."""

    entry: CatalogEntry
    status: str
    """``pass``, ``fail`` or ``not_run``."""
    input: str = ""
    """For a failure: the judged call, with the smallest values that show it."""
    values: tuple[str, ...] = ()
    """The values in it by name: ``data = b'\\x00'``."""
    expected: str = ""
    got: str = ""
    replay: str = ""
    """The one command that does exactly this again."""
    examples: int = 0
    """Inputs tried; 0 for a test without generated input."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures that one mistake explains, the one to read first in front."""

    tests: tuple[str, ...]
    hint: str = ""
    """What a student may be told of the mistake that fails these tests; empty where none is known."""
    mutant: str = ""
    """Id of the mutant that behaves as the submission does; empty without a diagnosis."""
    mistake: str = ""
    """What that mutant does wrong."""
    sure: bool = False
    """Whether the submission shows exactly what the mutant shows on everything that was asked."""

    @property
    def diagnosis(self) -> str:
        """The mistake in words, with how sure it is; empty without one."""
        if not self.mutant:
            return ""
        return f"{'behaves exactly as if' if self.sure else 'may be this'}: {self.mistake}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Everything that one `ol check` found."""

    module: Module
    verdict: CheckVerdict
    message: str = ""
    """Why there are no tests to show, or what stands beside them."""
    tests: tuple[CheckedTest, ...] = ()
    causes: tuple[Cause, ...] = ()
    assisted: bool = False
    """Whether the reference stood in for a module that is needed."""
    seed: int = 0
    isolation: str = ""
    elapsed_s: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True
    """False where some test did not run because the time was up."""
    profile: str = ""
    """Name of the Hypothesis profile (`harness.profiles`)."""
    began_at: str = ""
    """Time of day at which the check began, ISO 8601 in UTC."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """As in `Report`."""


class Visibility(StrEnum):
    """What a student sees of one test, in Gradescope's words."""

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class TestPoints:
    """What one test is worth."""

    name: str
    max_points: Decimal
    required: bool = False
    """Whether nobody gets a point who fails it."""
    visibility: Visibility = Visibility.VISIBLE

    __test__ = False


@dataclass(frozen=True, slots=True)
class Received:
    """What one student handed in, as it was found."""

    key: str
    """Its own among all submissions of a run, the same on every run: the student, and a number behind further ones."""
    student: str
    """The roster's identifier where one matches, else the platform's, else the name of the file or folder."""
    name: str = ""
    email: str = ""
    source: str = ""
    """Where it lies, for a person: ``class.zip!/doe_jane``."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Text of the units and of the student's further modules, by path below the folder of the package."""
    reason: str = ""
    """Why there is nothing to grade; empty where there is."""
    missing: bool = False
    """Whether the roster names the student and nothing was handed in."""
    late_days: int = 0
    """Days past the due date, begun ones counted."""
    notes: tuple[str, ...] = ()
    """What else a grader should know: not on the roster, an older submission left aside."""


class GradeStatus(StrEnum):
    """What became of one submission."""

    GRADED = "graded"
    """Its tests ran."""
    INVALID = "invalid"
    """Its code could not be run, or wrote where only answers may go."""
    UNREADABLE = "unreadable"
    """There was nothing that could be graded."""
    MISSING = "missing"
    """The roster names the student, who handed in nothing."""
    ERROR = "error"
    """We failed: it is to be graded again."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge says of code, whoever handed it in."""

    status: GradeStatus
    reason: str = ""
    """For every status but GRADED: why; for that one what stands beside the tests, such as names that are missing."""
    tests: tuple[CheckedTest, ...] = ()
    causes: tuple[Cause, ...] = ()
    isolation: str = ""
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedTest:
    """One test on one submission, with its points."""

    test: CheckedTest
    points: Decimal
    max_points: Decimal
    required: bool = False
    visibility: Visibility = Visibility.VISIBLE


@dataclass(frozen=True, slots=True)
class Grade:
    """Everything that is said of one submission."""

    received: Received
    """Without its files."""
    status: GradeStatus
    points: Decimal
    """What it gets in the end: after required tests and lateness."""
    max_points: Decimal
    reason: str = ""
    tests: tuple[GradedTest, ...] = ()
    causes: tuple[Cause, ...] = ()
    penalty: Decimal = Decimal(0)
    """Points lost to lateness."""
    failed_required: tuple[str, ...] = ()
    """Required tests that failed, for which all points are lost."""
    digest: str = ""
    """Of code, tests, profile, seed and versions: what has the same is judged once."""
    isolation: str = ""
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GradingRun:
    """What holds for every grade of one run."""

    module: Module
    scheme: tuple[TestPoints, ...]
    """What each test is worth, in the order of the tests."""
    max_points: Decimal
    seed: int
    profile: str
    isolation: str
    versions: Mapping[str, str]
    digests: Mapping[str, str]
    """As in `Report`."""
    began_at: str = ""
    complete: bool = True
    """False where it was interrupted: submissions that were not graded yet have no grade."""


@dataclass(frozen=True, slots=True)
class GradeChange:
    """What a second grading changed for one submission."""

    key: str
    """As in `Received`."""
    before: str
    """Points, or the status where there are none; empty where there was no grade."""
    after: str
    newly_failed: tuple[str, ...] = ()
    newly_passed: tuple[str, ...] = ()
    """Tests that failed before and pass now."""


@dataclass(frozen=True, slots=True)
class TriedPart:
    """One part of a conformance run."""

    name: str
    what: str
    tried: int
    """Questions asked."""
    differing: int
    whole: bool
    """Whether it is all there is of its kind, so that no difference is a proof."""
    not_offered: tuple[str, ...] = ()
    """Functions that the tokenizer does not offer, so that they were not asked."""
    stopped: str = ""
    """Why it did not come to its end."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Answers that are wrong in one way."""

    part: str
    call: str
    """The smallest question that shows it, as an expression: ``encode('\\u3000a')``."""
    expected: str
    got: str
    count: int
    """Questions whose answers differ in this way, this one included."""
    rule: str = ""
    """What the encoding says of it."""
    parts_at: str = ""
    """Where the two answers first part, in words."""
    aligned: tuple[tuple[str, str, str], ...] = ()
    """Expected ids, text or ids in between, and got ids, side by side, for two lists of ids."""
    diagnosis: str = ""
    """What it looks like: the end of "behaves like a build that ..."; empty where nothing is known."""
    mutant: str = ""
    """The mutant of L1.2 that makes the same mistake."""
    known: str = ""
    """The name under which it is known and no fault."""
    why_known: str = ""
    replay: str = ""
    """The one command that asks this again."""


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """Everything that one `ol verify` found."""

    subject: str
    shape: str
    encoding: str
    title: str
    tokens: int
    """Entries of the encoding's vocabulary."""
    oracle: str
    """Library and version that expected answers come from."""
    profile: str
    effort: str
    parts: tuple[TriedPart, ...] = ()
    differences: tuple[Difference, ...] = ()
    deaths: int = 0
    texts: int = 0
    """Texts encoded."""
    calls: int = 0
    subject_s: float = 0.0
    oracle_s: float = 0.0
    judge_s: float = 0.0
    isolation: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Difference, ...]:
        """Differences that no name excuses."""
        return tuple(one for one in self.differences if not one.known)

    @property
    def is_equal(self) -> bool:
        """Whether everything was tried that was to be, and nothing differs but by a known name."""
        return not self.faults and not any(part.stopped for part in self.parts)
