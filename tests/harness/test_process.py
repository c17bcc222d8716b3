"""Processes as the operating system sees them."""

import subprocess
import sys

import pytest

from harness.process import children, more_descendants_than

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc, which only Linux has")


def test_a_process_that_is_gone_has_no_children() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert children(ended.pid) == []


def test_processes_may_end_while_they_are_counted() -> None:
    """The watch of a job looks at a tree that changes under its eyes, and must not fall over it."""
    with subprocess.Popen(["sh", "-c", "for i in $(seq 1500); do (true); done"]) as busy:
        looks = 0
        while busy.poll() is None:
            assert not more_descendants_than(256)
            looks += 1
    assert looks > 0
