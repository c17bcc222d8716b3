"""The warm parent: one process that has imported everything once and forks a child for each job.

Run as ``python -m harness.engine.warm CONFIG``. It is a pytest session that stops at two places, each with a control
socket on which the scheduler asks for lanes:

* before collection, where a child can still import another subject (the *fresh* way);
* after collection, where a child exchanges the code of live functions (the *in place* way), which is much cheaper.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Literal, NoReturn

import pytest
from hypothesis import strategies as st

from harness import profiles
from harness.course import dotted, read_text
from harness.engine.explain import Comparison, explain_failure
from harness.engine.jobs import Job
from harness.engine.lane import Reporter, serve
from harness.engine.properties import Count, is_property, search_only, seed_and_count
from harness.engine.words import describe, explain, last_line
from harness.errors import CourseError
from harness.mutation.scope import digest, load_scopes
from harness.records import Ending
from harness.subject.channel import End, SubjectGone
from harness.subject.inprocess import NotInPlace, install_fresh, install_in_place
from harness.subject.launch import Request, Wired
from harness.subject.reach import record_into
from harness.subject.sandbox import Level

_SHARE_OF_ONE_CALL = 0.75
"""Of a test's time: a call that never ends is then told from a test that is slow, and the next test gets its turn."""
_HASTE = 0.25
"""Of that limit, what is left once a call ran into it: code that hangs does so in many tests, and each costs it all."""
_ENDINGS = {End.REFUSED: Ending.INVALID, End.TIMED_OUT: Ending.TIMED_OUT, End.BROKEN: Ending.FORGED}


@dataclass(frozen=True, slots=True)
class Config:
    """What a warm parent is told when it starts."""

    rootdir: str
    home: str
    """Folder that holds the subject's package."""
    reference: str
    """Folder that holds the reference's package."""
    tests: tuple[str, ...]
    units: Mapping[str, str]
    """Absolute path of each unit, by unit."""
    scratch: str
    """A folder of this run's own, for bytecode."""
    before: int
    """Descriptor of the control socket of the stage before collection."""
    after: int
    """The same for the stage after it; -1 leaves that stage out, so that the subject is imported in children only."""
    explain: bool = False
    """Whether a person will read the failures."""
    isolation: int | None = None
    """The level at which the subject runs in a process of its own, over the wire; None runs it in the child itself."""
    packages: tuple[str, ...] = ()
    """What a subject over the wire may import besides the standard library."""
    writable: bool = False
    """Whether a subject over the wire may write files."""

    def to_json(self) -> str:
        """The argument of `python -m harness.engine.warm`."""
        return json.dumps(asdict(self))


def main(config: Config) -> int:
    """Serve until the scheduler hangs up."""
    # The course's own bytecode goes to a folder of this run: a cached file in the tree can be stale, since a change of
    # the same length within the same second leaves its time stamp and size as they were.
    sys.pycache_prefix = config.scratch
    sys.dont_write_bytecode = False
    if config.after >= 0:
        sys.path.insert(0, config.home)
    profiles.load()
    profiles.neutralise_harvest()
    _make_ready(config.tests)
    options = [
        # Without a cut pytest walks every folder from the root of the file system down to the tests.
        *("-c", os.devnull, "--rootdir", config.rootdir, "--confcutdir", config.rootdir, "--import-mode=importlib"),
        f"--assert={'rewrite' if config.explain else 'plain'}",
        *("--capture=no", "-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:faulthandler"),
        *("-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:warnings", "-p", "no:logging"),
    ]
    return int(pytest.main([*options, *config.tests], plugins=[_Stages(config)]))


def _make_ready(tests: Sequence[str]) -> None:
    """Do once what each child would do for itself, at a tenth of a second: imports of ours, a table of Hypothesis's.

    What cannot be read or imported is left to pytest, which says so in words of its own.
    """
    for path in tests:
        with contextlib.suppress(SyntaxError, ValueError, ImportError, CourseError):
            for node in ast.parse(read_text(Path(path))).body:
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness."):
                    importlib.import_module(node.module or "")
    st.characters(exclude_categories=["Cs"]).validate()


class _Stages:
    """The pytest plugin that stops at the two stages and runs jobs in their children."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._job: Job | None = None
        self._reporter: Reporter | None = None
        self._called: set[str] = set()
        self._reached: set[str] = set()
        self._failure: BaseException | None = None
        self._broken: list[str] = []
        self._skipped = ""
        self._late = False
        self._stack = ExitStack()
        self._wired: Wired | None = None
        self._labels = {path: unit for unit, path in config.units.items()}

    # --- the stages

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        config = self._config
        before = socket.socket(fileno=config.before)
        after = socket.socket(fileno=config.after) if config.after >= 0 else None
        if after is None or os.fork():
            if after is not None:
                after.close()
            self._install(self._take(serve(before, self._clean_up)))
        else:
            before.close()
            self._after: socket.socket = after
            self._began = time.monotonic()
            sys.setprofile(self._note_calls)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._broken.append(f"{report.nodeid}: {last_line(report.longreprtext)}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.setprofile(None)
        job = self._job
        if job is None:
            properties = [item.name for item in session.items if is_property(item)]
            greeting = {
                "tests": [item.name for item in session.items],
                "properties": properties,
                "called": sorted(self._called),
                "collected_in_s": time.monotonic() - self._began,
                "broken": self._broken,
            }
            self._after.sendall(json.dumps(greeting).encode() + b"\n")
            job = self._take(serve(self._after))
            self._install_in_place(job)
        elif self._broken:
            self._leave(Ending.INVALID, "; ".join(self._broken))
        if job.scope:
            self._enumerate(job)
        self._run(job, {item.name: item for item in session.items})

    def _clean_up(self) -> None:
        shutil.rmtree(self._config.scratch, ignore_errors=True)

    def _take(self, served: tuple[Job, Reporter]) -> Job:
        self._job, self._reporter = served
        if self._job.trace:
            record_into(self._reached)
        return self._job

    def _install(self, job: Job) -> None:
        """Let the tests that are collected next import the subject; leave where it cannot be imported."""
        config = self._config
        try:
            if config.isolation is None or job.trusted:
                home = config.reference if job.trusted else config.home
                if config.after < 0:
                    # Last, and in the child: a submission's own random.py must not become ours.
                    sys.path.append(home)
                install_fresh(job.sources, {unit: str(Path(home, unit)) for unit in job.sources})
                return
            # Below this run's own folder, which goes with the run: a child that is killed removes nothing itself.
            Path(config.scratch).chmod(0o711)  # another user id goes through it, and sees nothing of it
            tempfile.tempdir = config.scratch
            self._call_limit_s = _SHARE_OF_ONE_CALL * max(plan.limit_s for plan in job.tests)
            self._wired = Wired(
                Request(
                    units={**job.files, **job.sources},
                    serve=tuple(job.sources),
                    packages=config.packages,
                    level=Level(config.isolation),
                    writable=config.writable,
                    memory_bytes=job.memory_bytes,
                    call_limit_s=self._call_limit_s,
                    start_limit_s=job.startup_limit_s,
                )
            )
            self._wired.start()
            self._stack.enter_context(self._wired.installed())
        except SubjectGone as gone:
            self._leave(_ENDINGS.get(gone.end, Ending.DIED), gone.detail)
        except BaseException as error:
            self._leave(Ending.INVALID, describe(error))

    def _install_in_place(self, job: Job) -> None:
        for unit, names in (job.in_place or {}).items():
            try:
                for name in names:
                    if f"{unit}::{name}" in self._called:
                        message = f"{name} already ran while the tests were collected"
                        raise NotInPlace(message)
                install_in_place(sys.modules[dotted(unit)], job.sources[unit], names)
            except (NotInPlace, KeyError) as error:
                self._leave(Ending.REFUSED, describe(error))

    # --- the child of a job

    def _enumerate(self, job: Job) -> NoReturn:
        """Report the digest of each scope as if it were a test's reason."""
        assert self._reporter is not None
        try:
            scopes = load_scopes(read_text(Path(job.scope)), job.scope)
            for plan in job.tests:
                self._reached.clear()
                self._reporter.say("start", name=plan.name)
                began = time.perf_counter()
                reason = digest(scopes[plan.name]())
                self._reporter.say(
                    "end",
                    name=plan.name,
                    passed=True,
                    elapsed_s=time.perf_counter() - began,
                    reason=reason,
                    reached=sorted(self._reached),
                )
        except BaseException as error:
            self._leave(Ending.BROKEN, describe(error))
        self._leave(Ending.FINISHED, "")

    def _run(self, job: Job, items: Mapping[str, pytest.Item]) -> NoReturn:
        assert self._reporter is not None
        late = 0
        for plan in job.tests:
            item = items.get(plan.name)
            if item is None:
                self._leave(Ending.BROKEN, f"no test {plan.name}")
            count = seed_and_count(item, plan.seed) if is_property(item) else Count()
            self._reporter.say("start", name=plan.name)
            began = time.perf_counter()
            failure = self._run_one(item)
            if isinstance(failure, Exception) and self._config.explain and is_property(item):
                # A worked example is as long as its author made it. The search may find something smaller.
                search_only(item)
                failure = self._run_one(item) or failure
            self._reporter.say(
                "end",
                name=plan.name,
                passed=failure is None,
                elapsed_s=time.perf_counter() - began,
                reason=self._skipped if failure is None else explain(failure, item.path),
                skipped=bool(self._skipped),
                late=self._late,
                examples=count.until_failure,
                details=self._details(failure, item),
                reached=sorted(self._reached),
            )
            late += self._late
            if (failure is not None and job.stop_at_first_failure) or late == job.most_late:
                break
        self._leave(Ending.FINISHED, "")

    def _details(self, failure: BaseException | None, item: pytest.Item) -> dict[str, str]:
        if failure is None or not self._config.explain:
            return {}
        package = next(iter(self._config.units)).partition("/")[0]
        return explain_failure(failure, item.path, package)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """Where a person will read it, end the test here with both sides, before pytest works out how they differ.

        For two long texts that takes minutes, and its prose is not what is shown.
        """
        raise Comparison(op, left, right)

    def _run_one(self, item: pytest.Item) -> BaseException | None:
        self._failure, self._skipped, self._late = None, "", False
        self._reached.clear()
        try:
            if self._wired is not None and self._wired.link.gone is not None:
                self._wired.restart()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        except BaseException as error:  # an interrupt or an exit that a subject raises is a failed test, no more
            self._failure = error
        if self._wired is not None and (gone := self._wired.link.gone) is not None:
            if gone.end is End.BROKEN:
                self._leave(Ending.FORGED, gone.detail)
            if gone.end is End.TIMED_OUT:
                self._late = True
                link = self._wired.link
                link.call_limit_s = min(link.call_limit_s, _HASTE * self._call_limit_s)
            # Whatever the test made of it: it had no subject any more.
            self._failure = gone
        return self._failure

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Keep the exception itself and build none of pytest's text, which costs more than the test."""
        if call.excinfo is not None:
            error = call.excinfo.value
            if isinstance(error, pytest.skip.Exception):
                self._skipped = f"skipped: {error}"
            elif self._failure is None:
                self._failure = error
        outcome: Literal["passed", "failed"] = "passed" if self._failure is None else "failed"
        assert call.when != "collect"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

    def _leave(self, ending: Ending, detail: str) -> NoReturn:
        assert self._reporter is not None
        if self._wired is not None:
            ending, detail = self._parted(self._wired, ending, detail)
        self._reporter.say("over", ending=ending, detail=detail)
        os._exit(0)

    def _parted(self, wired: Wired, ending: Ending, detail: str) -> tuple[Ending, str]:
        """End the subject's process; one that breaks the wire at the very end has broken it all the same."""
        self._stack.close()
        try:
            wired.close() if wired.link.gone is None else wired.end()
        except SubjectGone as gone:
            if ending is Ending.FINISHED and gone.end is End.BROKEN:
                return Ending.FORGED, gone.detail
        return ending, detail

    def _note_calls(self, frame: FrameType, event: str, argument: object) -> None:
        """A profiling hook for the time of collection: whatever of the subject runs now cannot be exchanged later."""
        if event == "call" and (unit := self._labels.get(frame.f_code.co_filename)) is not None:
            self._called.add(f"{unit}::{frame.f_code.co_qualname}")


if __name__ == "__main__":
    document = json.loads(sys.argv[1])
    document |= {key: tuple(document[key]) for key in ("tests", "packages")}
    raise SystemExit(main(Config(**document)))
