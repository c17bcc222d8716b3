"""What several files of the engine's tests share. The courses and hostile subjects beside them are data, not tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.course import Course, load_course

collect_ignore = ["courses", "hostile", "data"]

TINY = Path(__file__).parent / "courses" / "tiny"


@pytest.fixture
def tiny(tmp_path: Path) -> Course:
    """A copy of the tiny course that a test may damage."""
    shutil.copytree(TINY, tmp_path / "course")
    return load_course(tmp_path / "course")


@pytest.fixture
def edit() -> Callable[[Path, str, str], None]:
    """Replace text in a file, which must be there."""

    def replace(path: Path, old: str, new: str) -> None:
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return replace


@pytest.fixture(autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or fills the user's cache."""
    monkeypatch.setenv("TOKPROOF_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
