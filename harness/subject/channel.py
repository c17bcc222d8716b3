"""A process at the other end of two pipes: a line out, a line back, within a time and a size, whatever it does."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from harness.subject.wire import FRAME_BYTES

_CHUNK_BYTES = 1 << 18
_TICK_S = 0.05
_GOODBYE_S = 1.0


class End(StrEnum):
    """How a subject's process ended, which is not what its answers were."""

    CLOSED = "closed"
    """In good order, with the closing frame."""
    TIMED_OUT = "timed out"
    DIED = "died"
    BROKEN = "broke the wire"
    """It sent what is no answer: the verdict is an error about the subject, whatever was found before."""
    FLOODED = "took too much"
    """More processes or files than it may have."""
    REFUSED = "does not start"
    """Its modules cannot be imported, or it does not speak this protocol."""


class SubjectGone(BaseException):
    """The subject's process is of no more use; every later call says the same.

    No Exception on purpose: a test's own ``except Exception`` must not take it for an answer, and Hypothesis must not
    go on looking for a smaller input with a process that is dead.
    """

    def __init__(self, end: End, detail: str) -> None:
        super().__init__(f"the subject {end}: {detail}")
        self.end = end
        self.detail = detail


@dataclass(slots=True)
class Channel:
    """Both pipes of one process, ours of them non-blocking."""

    reading: int
    writing: int
    patrol: Callable[[], str] = lambda: ""
    """Called now and then while we wait; what it returns, if anything, is what the subject took too much of."""
    why_dead: Callable[[], str] = lambda: "its process ended"
    _poll: select.poll = field(default_factory=select.poll)

    def __post_init__(self) -> None:
        os.set_blocking(self.writing, False)
        os.set_blocking(self.reading, False)
        self._poll.register(self.reading, select.POLLIN)

    def exchange(self, frame: bytes, limit_s: float) -> bytes:
        """Send one line and return the line that comes back, without its newline.

        Raises SubjectGone where there is none in time, or more than one, or where the process is gone.
        """
        try:
            sent = os.write(self.writing, frame)
        except BlockingIOError:
            sent = 0
        except OSError:
            raise SubjectGone(End.DIED, self.why_dead()) from None
        deadline = time.monotonic() + limit_s
        if sent < len(frame):
            self._send_rest(memoryview(frame)[sent:], deadline, limit_s)
        return self._receive(deadline, limit_s)

    def _send_rest(self, rest: memoryview, deadline: float, limit_s: float) -> None:
        poll = select.poll()
        poll.register(self.writing, select.POLLOUT)
        while rest:
            self._check(deadline, limit_s)
            self._wait(poll, deadline, limit_s)
            try:
                rest = rest[os.write(self.writing, rest) :]
            except BlockingIOError:
                continue
            except OSError:
                raise SubjectGone(End.DIED, self.why_dead()) from None

    def _receive(self, deadline: float, limit_s: float) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            self._wait(self._poll, deadline, limit_s)
            try:
                chunk = os.read(self.reading, _CHUNK_BYTES)
            except BlockingIOError:
                continue
            if not chunk:
                raise SubjectGone(End.DIED, self.why_dead())
            at = chunk.find(b"\n")
            if at >= 0:
                if at != len(chunk) - 1:
                    raise SubjectGone(End.BROKEN, f"it sent more than was asked: {chunk[at + 1 : at + 80]!r}")
                parts.append(chunk[:at])
                return b"".join(parts) if len(parts) > 1 else parts[0]
            parts.append(chunk)
            size += len(chunk)
            if size > FRAME_BYTES:
                raise SubjectGone(End.BROKEN, f"it sent a line of more than {FRAME_BYTES} bytes")
            self._check(deadline, limit_s)  # a process that sends byte after byte is always ready

    def _wait(self, poll: select.poll, deadline: float, limit_s: float) -> None:
        while not poll.poll(_TICK_S * 1000):
            self._check(deadline, limit_s)
            if excess := self.patrol():
                raise SubjectGone(End.FLOODED, excess)

    @staticmethod
    def _check(deadline: float, limit_s: float) -> None:
        if time.monotonic() > deadline:
            raise SubjectGone(End.TIMED_OUT, f"no answer within {limit_s:g} s")

    def close(self) -> str:
        """Close both pipes after a closing frame; what the process still sent, if anything."""
        self._hang_up(self.writing)
        left = b""
        deadline = time.monotonic() + _GOODBYE_S
        while time.monotonic() < deadline and self._poll.poll(_TICK_S * 1000):
            try:
                chunk = os.read(self.reading, _CHUNK_BYTES)
            except OSError:
                break
            if not chunk:
                break
            left = (left + chunk)[:80]
        self._hang_up(self.reading)
        return f"it went on after the closing frame: {left!r}" if left else ""

    def abandon(self) -> None:
        """Close both pipes without a word."""
        self._hang_up(self.writing)
        self._hang_up(self.reading)

    @staticmethod
    def _hang_up(descriptor: int) -> None:
        with contextlib.suppress(OSError):
            os.close(descriptor)
