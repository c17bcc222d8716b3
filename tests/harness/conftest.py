"""The courses and hostile subjects below are data for the engine's tests, not tests."""

from pathlib import Path

import pytest

EXHAUSTIVE = "exhaustive"

collect_ignore = ["courses", "hostile", "data"]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Walk whole domains only where the folder is named on the command line, as `tox -e exhaustive` does."""
    named = any(EXHAUSTIVE in Path(argument).parts for argument in config.args)
    return True if collection_path.name == EXHAUSTIVE and not named else None
