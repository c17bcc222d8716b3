"""What can go wrong, and the exit code that each kind of failure has.

The codes are a public promise (README, "Exit codes"): scripts and CI jobs branch on them.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Every exit status of ``ol``."""

    PASS = 0
    FAIL = 1
    NOTHING = 2
    BLOCKED = 3
    DRIFT = 4
    ERROR = 5
    USAGE = 64

    @property
    def meaning(self) -> str:
        """The line that help and documentation print."""
        return _MEANING[self]


_MEANING = {
    ExitCode.PASS: "passed",
    ExitCode.FAIL: "failed, or below the threshold",
    ExitCode.NOTHING: "not started, or nothing to run",
    ExitCode.BLOCKED: "blocked by a module that is needed and not built",
    ExitCode.DRIFT: "the code no longer offers what its contract says",
    ExitCode.ERROR: "the harness or its environment is at fault: no verdict",
    ExitCode.USAGE: "the command line was wrong",
}


class HarnessError(Exception):
    """Anything that ends a command for a reason that a person can act on.

    The message carries the offending value; `remedy`, where there is one, says the way out.
    """

    exit_code: ExitCode = ExitCode.ERROR

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class UsageError(HarnessError):
    """The command line names something that does not exist or cannot be combined."""

    exit_code = ExitCode.USAGE


class NothingToRun(HarnessError):
    """The command is fine, but there is nothing it could work on."""

    exit_code = ExitCode.NOTHING


class CourseError(HarnessError):
    """A course directory, its manifest or one of its files does not say what it must."""


class PatchError(CourseError):
    """A mutant's patch does not apply to the reference exactly."""


class EngineError(HarnessError):
    """The engine itself failed: a process that could not start, or that broke its protocol."""
