"""A lane runs one job at a time: fork a child, watch its report and its clock, end its whole tree, answer.

A lane is itself forked from a warm parent, so that two jobs can run at once and so that everything alive below it
belongs to the one job it is working on.
"""

from __future__ import annotations

import json
import os
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO

from harness import process
from harness.engine.jobs import Job, outcome_to_json, run_from, run_to_json
from harness.records import Ending, Outcome, TestRun

_CHUNK_BYTES = 1 << 16
_TICK_S = 0.05
_MOST_PROCESSES = 256
"""A subject that keeps more processes than this is stopped before its clock runs out."""


class Reporter:
    """The child's end of its private pipe."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def say(self, kind: str, **details: object) -> None:
        """Send one frame."""
        self._stream.write(json.dumps({"kind": kind, **details}) + "\n")
        self._stream.flush()


def serve(control: socket.socket, at_end: Callable[[], None] = lambda: None) -> tuple[Job, Reporter]:
    """Fork a lane for every descriptor that arrives on `control`. Returns only in the child of a job.

    `at_end` is called when the scheduler hangs up, which a scheduler that is killed does as well.
    """
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            at_end()
            os._exit(0)
        if os.fork() == 0:
            control.close()
            return _run_lane(socket.socket(fileno=descriptors[0]))
        os.close(descriptors[0])
        _reap()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _run_lane(line: socket.socket) -> tuple[Job, Reporter]:
    process.become_subreaper()
    with line.makefile("r", encoding="utf-8") as requests:
        for request in requests:
            job = Job.from_json(request)
            reading, writing = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(reading)
                os.close(line.detach())
                _settle(job)
                return job, Reporter(os.fdopen(writing, "w", encoding="utf-8"))
            os.close(writing)
            outcome = _Watch(pid, reading, line, job).until_over()
            os.close(reading)
            process.end_children(pid)
            line.sendall(outcome_to_json(outcome).encode() + b"\n")
    os._exit(0)


def _settle(job: Job) -> None:
    """Make a freshly forked child a process of its own."""
    os.setsid()
    process.silence()
    process.limit_memory(job.memory_bytes)


@dataclass
class _Watch:
    """Reads one child's report until it is done, dead or out of time."""

    pid: int
    reading: int
    line: socket.socket
    job: Job
    runs: list[TestRun] = field(default_factory=list)
    running: str = ""
    buffer: bytes = b""
    began: float = field(default_factory=time.monotonic)
    deadline: float = 0.0
    limits_s: dict[str, float] = field(default_factory=dict)

    def until_over(self) -> Outcome:
        self.deadline = self.began + self.job.startup_limit_s
        self.limits_s = {plan.name: plan.limit_s for plan in self.job.tests}
        poll = select.poll()
        poll.register(self.reading, select.POLLIN)
        poll.register(self.line, select.POLLIN)
        while True:
            left_s = self.deadline - time.monotonic()
            if left_s <= 0:
                return self._over(Ending.TIMED_OUT, f"no end after {self._limit_s():.1f} s")
            events = dict(poll.poll(min(left_s, _TICK_S) * 1000))
            if self.line.fileno() in events:
                # Nobody asks for a second job while one runs: the scheduler is gone.
                process.end_children(self.pid)
                os._exit(0)
            if self.reading in events:
                chunk = os.read(self.reading, _CHUNK_BYTES)
                if not chunk:
                    return self._over(Ending.DIED, self._how_it_died())
                if (outcome := self._take(chunk)) is not None:
                    return outcome
            elif self._is_dead():
                return self._over(Ending.DIED, self._how_it_died())
            elif process.more_descendants_than(_MOST_PROCESSES):
                return self._over(Ending.TIMED_OUT, f"more than {_MOST_PROCESSES} processes")

    def _limit_s(self) -> float:
        return self.limits_s.get(self.running, self.job.startup_limit_s)

    def _take(self, chunk: bytes) -> Outcome | None:
        *lines, self.buffer = (self.buffer + chunk).split(b"\n")
        for line in lines:
            try:
                frame = json.loads(line)
                kind = frame.pop("kind")
                if kind == "start":
                    self.running = frame["name"]
                    self.deadline = time.monotonic() + self._limit_s()
                elif kind == "end":
                    self.runs.append(run_from(frame))
                    if self.job.tells:
                        self.line.sendall(run_to_json(self.runs[-1]).encode() + b"\n")
                    self.running = ""
                    self.deadline = time.monotonic() + self.job.startup_limit_s
                elif kind == "over":
                    return self._over(Ending(frame["ending"]), frame["detail"])
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                return self._over(Ending.BROKEN, f"a frame that makes no sense ({error}): {line[:200]!r}")
        return None

    def _is_dead(self) -> bool:
        """Whether the child itself is gone, though a descendant may still hold its end of the pipe."""
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return found is not None and not select.select([self.reading], [], [], 0)[0]

    def _how_it_died(self) -> str:
        give_up = time.monotonic() + _TICK_S
        while (found := os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
            if time.monotonic() > give_up:
                return "the process closed its report and went on"
            time.sleep(0.001)
        if found.si_code == os.CLD_EXITED:
            return f"the process ended by itself with status {found.si_status}"
        return f"the process was killed by signal {found.si_status}"

    def _over(self, ending: Ending, detail: str) -> Outcome:
        elapsed_s = time.monotonic() - self.began
        return Outcome(ending, tuple(self.runs), elapsed_s, detail, self.running)
