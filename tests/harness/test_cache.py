"""The cache saves time and can do nothing else."""

from pathlib import Path

import pytest

from harness.cache import cache_dir, cached


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOKPROOF_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_value_is_computed_once_for_a_key() -> None:
    calls: list[int] = []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    assert [cached("kind", ["a", 1], compute), cached("kind", ["a", 1], compute)] == [1, 1]
    assert [cached("kind", ["a", 2], compute), cached("other", ["a", 1], compute)] == [2, 3]


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"digest": "x", "value": 7}', '{"value": 7}'])
def test_a_damaged_entry_is_computed_again(damage: str, folder: Path) -> None:
    assert cached("kind", "key", lambda: 1) == 1
    (entry,) = folder.iterdir()
    entry.write_text(damage)
    assert cached("kind", "key", lambda: 2) == 2
    assert cached("kind", "key", lambda: 3) == 2


def test_a_folder_that_cannot_be_written_costs_only_time(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert [cached("kind", "key", lambda: 1), cached("kind", "key", lambda: 2)] == [1, 2]


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TOKPROOF_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "xdg" / "tokproof"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "tokproof"
