"""The scheduler's side of a warm parent: start it, open lanes to it, send jobs, and end it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO

from harness.course import Course
from harness.engine.jobs import Job, outcome_from_json, told_run
from harness.engine.warm import Config
from harness.errors import EngineError
from harness.profiles import VARIABLE, Profile
from harness.records import Ending, Module, Outcome, TestRun
from harness.subject.sandbox import Level

_START_LIMIT_S = 120.0
_ANSWER_SLACK_S = 30.0
_STRATEGIES = "TOKPROOF_STRATEGIES"


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a warm parent says once it has collected the tests."""

    tests: tuple[str, ...]
    properties: frozenset[str]
    """The tests whose input Hypothesis generates."""
    called: frozenset[str]
    """``unit::qualname`` of the subject's functions that ran at import or collection."""
    collected_in_s: float
    """How long importing the reference and collecting the tests took."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Code that stands in the place of the reference: nothing of it is imported but in the child of a job."""

    home: Path
    """The folder that holds its package."""
    units: Mapping[str, Path]
    """Where each unit lies, those of needed modules included."""
    isolation: Level | None = None
    """Level of the process of its own in which it runs, over the wire; None lets it run in the child of a job."""
    packages: tuple[str, ...] = ()
    """What it may import over the wire besides the standard library."""
    writable: bool = False
    """Whether it may write files over the wire, in a scratch folder of its own."""


class WarmParent:
    """A running warm parent with `jobs` pairs of lanes: a context manager whose `run` may be called from threads."""

    def __init__(
        self,
        course: Course,
        module: Module,
        *,
        jobs: int,
        profile: Profile = Profile.SCORE,
        plain_strategies: bool = False,
        submission: Submission | None = None,
        explain: bool = False,
        interruptible: bool = False,
    ) -> None:
        """With `interruptible`, an interrupt at the keyboard goes to everything below as well, and ends it at once."""
        self._course, self._module = course, module
        self.jobs = jobs
        self._submission = submission
        self._explain = explain or submission is not None
        self._interruptible = interruptible
        self._environment = _environment(profile, plain_strategies=plain_strategies)
        self._stack = contextlib.ExitStack()
        self._lanes: SimpleQueue[_LanePair] = SimpleQueue()

    def __enter__(self) -> WarmParent:
        try:
            self._start()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    def _start(self) -> None:
        course, module = self._course, self._module
        # Whoever comes first removes it: we, or the process below once we are gone.
        scratch = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="tokproof-", ignore_cleanup_errors=True))
        self.scratch = Path(scratch)
        log = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  the stack is its context manager
        before, before_theirs = socket.socketpair()
        after, after_theirs = socket.socketpair()
        submission = self._submission or Submission(
            course.reference, {unit: course.unit_path(unit) for unit in module.sources}
        )
        config = Config(
            rootdir=str(course.root),
            home=str(submission.home),
            reference=str(course.reference),
            tests=tuple(map(str, course.test_files(module))),
            units={unit: str(path) for unit, path in submission.units.items()},
            scratch=scratch,
            before=before_theirs.fileno(),
            after=after_theirs.fileno() if self._submission is None else -1,
            explain=self._explain,
            isolation=submission.isolation,
            packages=submission.packages,
            writable=submission.writable,
        )
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "harness.engine.warm", config.to_json()],
            env=self._environment,
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(before_theirs.fileno(), after_theirs.fileno()),
            # An interrupt at the keyboard goes to the scheduler alone, which lets running jobs come to their end: a
            # child that it struck down as well would look like a mutant that crashes. A check keeps nothing of a run
            # that was interrupted, so that there everything may go at once.
            start_new_session=not self._interruptible,
        )
        self._process = process
        self._stack.callback(_end, process)
        for ours in (before, after):
            self._stack.callback(ours.close)
        before_theirs.close()
        after_theirs.close()
        if self._submission is None:
            self.greeting = self._greeted(after, log)
        for _ in range(self.jobs):
            pair = _LanePair(_Lane(before), _Lane(after))
            self._stack.callback(pair.close)
            self._lanes.put(pair)

    def _greeted(self, after: socket.socket, log: IO[bytes]) -> Greeting:
        """What the stage after collection says of itself; EngineError where it does not get there."""
        after.settimeout(_START_LIMIT_S)
        with after.makefile("r", encoding="utf-8") as lines:
            try:
                line = lines.readline()
            except TimeoutError:
                line = ""
        if not line:
            log.seek(0)
            said = log.read().decode("utf-8", "replace").strip()
            message = f"the tests of {self._module.id} could not be loaded:\n{said[-2000:]}"
            raise EngineError(message)
        document = json.loads(line)
        if document["broken"]:
            message = f"the tests of {self._module.id} do not collect: {'; '.join(document['broken'])}"
            raise EngineError(message)
        return Greeting(
            tests=tuple(document["tests"]),
            properties=frozenset(document["properties"]),
            called=frozenset(document["called"]),
            collected_in_s=document["collected_in_s"],
        )

    @property
    def is_alive(self) -> bool:
        """Whether the process that everything is forked from still runs."""
        return self._process.poll() is None

    def run(self, job: Job, on_run: Callable[[TestRun], None] = lambda run: None) -> Outcome:
        """Do one job on a free lane, in place where it says so, fresh where it does not or where that is refused.

        For a job that tells, `on_run` is called with each test's run as it ends.
        """
        pair = self._lanes.get()
        try:
            if job.in_place is not None:
                outcome = pair.after.run(job, on_run)
                if outcome.ending is not Ending.REFUSED:
                    return outcome
            return pair.before.run(job, on_run)
        finally:
            self._lanes.put(pair)

    def pool(self) -> ThreadPoolExecutor:
        """As many threads as there are lanes: more would only wait."""
        return ThreadPoolExecutor(max_workers=self.jobs)


def _environment(profile: Profile, *, plain_strategies: bool) -> dict[str, str]:
    """What a warm parent inherits: enough to find its libraries, and nothing that could change a verdict."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")}
    package_home = str(Path(__file__).resolve().parents[2])
    return kept | {
        "PYTHONPATH": package_home,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        VARIABLE: profile,
        _STRATEGIES: "plain" if plain_strategies else "",
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Lane:
    """A connection to one lane, opened when first needed and again when a subject took the last one down."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._line: socket.socket | None = None
        self._lines: IO[bytes] | None = None

    def run(self, job: Job, on_run: Callable[[TestRun], None]) -> Outcome:
        limit_s = 2 * job.startup_limit_s + sum(plan.limit_s + job.startup_limit_s for plan in job.tests)
        try:
            line = self._line or self._open()
            line.settimeout(limit_s + _ANSWER_SLACK_S)
            line.sendall(job.to_json().encode() + b"\n")
            assert self._lines is not None
            while answer := self._lines.readline().decode():
                told = told_run(answer) if job.tells else None
                if told is None:
                    return outcome_from_json(answer)
                on_run(told)
        except OSError as error:
            self.close()
            return _broken(f"no answer from the lane: {error}")
        self.close()
        return _broken("the subject took down the process that watched it")

    def _open(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"L"], [theirs.fileno()])
        self._line, self._lines = ours, ours.makefile("rb")
        return ours

    def close(self) -> None:
        if self._line is not None and self._lines is not None:
            self._lines.close()
            self._line.close()
            self._line = self._lines = None


@dataclass(frozen=True, slots=True)
class _LanePair:
    before: _Lane
    after: _Lane

    def close(self) -> None:
        self.before.close()
        self.after.close()


def _broken(detail: str) -> Outcome:
    return Outcome(Ending.DIED, (), 0.0, detail)
