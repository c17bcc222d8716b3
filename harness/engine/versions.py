"""What a result depends on besides the code, the tests and the seed."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

_LIBRARIES = ("hypothesis", "pytest")


def versions() -> dict[str, str]:
    """Version of tokproof, Python and the libraries that decide which inputs are tried."""
    found = {"tokproof": installed("tokproof"), "python": platform.python_version()}
    return found | {name: installed(name) for name in _LIBRARIES}


def installed(distribution: str) -> str:
    """The installed version, or ``absent``; a checkout that was never installed has tokproof absent."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def time_of_day() -> str:
    """The moment, ISO 8601 in UTC to the second: what a result says of when it was made."""
    return datetime.now(UTC).isoformat(timespec="seconds")
