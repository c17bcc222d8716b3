"""What a failure shows a person: the judged call with values for names, whichever way the test got to its subject."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from harness.engine.explain import explain_failure

TEST_FILE = """
from explained.codec import convert


class Codec:
    def encode(self, text):
        return [convert(text)]


def codec():
    return Codec()


def load(text):
    return convert(text)


def test_direct(text="ab"):
    assert convert(text) == 3


def test_through_a_helper(text="ab"):
    assert codec().encode(text) == [3]


def test_raising_in_a_helper(text=""):
    assert load(text) == 3
"""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("test_direct", "convert('ab')"),
        ("test_through_a_helper", "codec().encode('ab')"),
        ("test_raising_in_a_helper", "convert('')"),
    ],
)
def test_the_judged_call_has_values_for_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, shown: str
) -> None:
    codec = ModuleType("explained.codec")

    def convert(text: str) -> int:
        if not text:
            raise ValueError(text)
        return len(text)

    monkeypatch.setattr(codec, "convert", convert, raising=False)
    monkeypatch.setitem(sys.modules, "explained", ModuleType("explained"))
    monkeypatch.setitem(sys.modules, "explained.codec", codec)
    path = tmp_path / "test_codec.py"
    path.write_text(TEST_FILE)
    found: dict[str, Callable[[], None]] = {}
    exec(compile(TEST_FILE, str(path), "exec"), found)
    with pytest.raises((AssertionError, ValueError)) as failed:
        found[name]()
    assert explain_failure(failed.value, path, "explained")["input"] == shown
