"""Isolation levels: the trials, what honest code still can do at each, and how a start or an end goes wrong."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness import process
from harness.errors import EngineError, ExitCode
from harness.subject import sandbox, seccomp
from harness.subject.channel import End, SubjectGone
from harness.subject.launch import Request, Wired
from harness.subject.sandbox import IsolationMissing, Level, State

pytestmark = pytest.mark.sandbox

UNIT = "pkg/unit.py"
LEVELS = [level for level in Level if level <= sandbox.strongest()]
each_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
LEFT_OUT = {"antigravity", "idlelib", "lib2to3", "msilib", "msvcrt", "nt", "this", "tkinter", "turtle"} | {
    *("turtledemo", "winreg", "winsound", "ensurepip")
}


def start(source: str, level: Level, **more: object) -> Wired:
    return Wired(Request(units={UNIT: source}, serve=(UNIT,), level=level, **more))  # type: ignore[arg-type]


def test_the_probes_are_one_for_each_level_and_say_what_was_tried() -> None:
    probes = sandbox.probe()
    assert [probe.level for probe in probes] == list(Level)
    assert all(probe.detail for probe in probes)
    assert all(probe.lost for probe in probes if probe.state is not State.HOLDS)


def test_every_level_below_the_strongest_holds_or_is_not_needed() -> None:
    states = {probe.state for probe in sandbox.probe() if probe.level <= sandbox.strongest()}
    assert State.ABSENT not in states


def test_a_level_that_is_not_reached_is_an_error_that_says_what_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "strongest", lambda: Level.L2)
    monkeypatch.setattr(
        sandbox, "probe", lambda: (sandbox.Probe(Level.L3, State.ABSENT, "no filter", "it can open sockets"),)
    )
    assert sandbox.require(Level.L2) is Level.L2
    with pytest.raises(IsolationMissing, match="it can open sockets") as caught:
        sandbox.require(Level.L3)
    assert caught.value.exit_code is ExitCode.ERROR
    assert caught.value.remedy


def test_without_namespaces_the_levels_below_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a default Docker container."""
    monkeypatch.setattr(sandbox, "namespaces", lambda: None)
    sandbox.probe.cache_clear()
    sandbox.strongest.cache_clear()
    try:
        assert sandbox.probe()[-1].state is State.ABSENT
        assert sandbox.strongest() is min(Level.L4, LEVELS[-1])
    finally:
        sandbox.probe.cache_clear()
        sandbox.strongest.cache_clear()


@pytest.mark.parametrize("name", ["bubblewrap", "unshare"])
def test_each_way_into_namespaces_passes_every_trial_or_is_not_used(name: str) -> None:
    if shutil.which(sandbox._PROGRAMS[name]) is None:
        pytest.skip(f"{name} is not installed")
    failed = sandbox._try(Level.L5, sandbox.unused_uid(), wrapper=name)
    assert failed == [] or sandbox.namespaces() != name


IMPORT_ALL = f"""
import importlib, sys, warnings
def missing():
    failed = []
    warnings.simplefilter("ignore")
    for name in sorted(sys.stdlib_module_names - {LEFT_OUT!r}):
        if not name.startswith("_"):
            try: importlib.import_module(name)
            except Exception: failed.append(name)
    return failed
"""


@pytest.fixture(scope="module")
def missing_here() -> list[str]:
    """The modules that this interpreter lacks outside any sandbox."""
    line = [sys.executable, "-c", IMPORT_ALL + "print(*missing())"]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.split()


@each_level
def test_the_whole_standard_library_imports(level: Level, missing_here: list[str]) -> None:
    with start(IMPORT_ALL, level) as wired:
        assert wired.modules["pkg.unit"].missing() == missing_here


@each_level
def test_an_allowed_package_is_there_and_no_other(level: Level) -> None:
    source = """
import regex
def letters(text): return regex.findall(r"\\p{L}", text)
def other():
    try: import pluggy
    except ImportError: return True
    return False
"""
    with start(source, level, packages=("regex",)) as wired:
        assert wired.modules["pkg.unit"].letters("aé1") == ["a", "é"]
        assert wired.modules["pkg.unit"].other() is True


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(EngineError, match="nothing_of_that_name"):
        start("", Level.L0, packages=("nothing_of_that_name",)).start()


def test_hashing_is_the_same_in_every_process() -> None:
    found = set()
    for _ in range(2):
        with start("def order(): return repr({'a', 'b', 'c', 'd'})", sandbox.strongest()) as wired:
            found.add(wired.modules["pkg.unit"].order())
    assert len(found) == 1


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("def broken(:", "SyntaxError"),
        ("\x00", "null bytes"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os._exit(0)", "status 0"),
        ("import os; os.kill(os.getpid(), 9)", ""),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_file_that_does_not_import_is_refused_or_dead(source: str, word: str) -> None:
    with pytest.raises(SubjectGone) as caught:
        start(source, Level.L1).start()
    assert caught.value.end in (End.REFUSED, End.DIED)
    assert word in caught.value.detail


def test_bytes_that_are_no_utf8_are_refused() -> None:
    with pytest.raises(SubjectGone) as caught:
        Wired(Request(units={UNIT: b"A = '\xff'\n"}, serve=(UNIT,))).start()
    assert caught.value.end is End.REFUSED


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    with Wired(Request(units={UNIT: b"\xef\xbb\xbfdef one():\r\n    return 1\r\n"}, serve=(UNIT,))) as wired:
        assert wired.modules["pkg.unit"].one() == 1


def test_a_unit_outside_its_folder_is_refused() -> None:
    with pytest.raises(EngineError, match="outside"):
        Wired(Request(units={"../evil.py": ""}, serve=(UNIT,))).start()


def test_a_call_that_never_returns_ends_in_time_and_says_so_ever_after() -> None:
    with start("def hang():\n    while True: pass\ndef one(): return 1", Level.L1, call_limit_s=0.3) as wired:
        began = time.monotonic()
        for _ in range(3):
            with pytest.raises(SubjectGone, match=r"no answer within 0\.3 s"):
                wired.modules["pkg.unit"].hang()
        assert time.monotonic() - began < 3
        with pytest.raises(SubjectGone):
            wired.modules["pkg.unit"].one()
        with pytest.raises(SubjectGone):
            wired.close()


@pytest.fixture
def daemon() -> str:
    """Source of a subject that forks twice and leaves its session."""
    return """
import os, time
def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
        os._exit(0)
    return os.getpid()
"""


@pytest.mark.parametrize("level", LEVELS[:3], ids=lambda level: level.name)
def test_a_daemon_is_ended_with_its_subject(daemon: str, level: Level) -> None:
    before = process.children()
    with start(daemon, level) as wired:
        wired.modules["pkg.unit"].leave()
        time.sleep(0.1)
    assert process.children() == before


def test_another_subject_lives_on_when_one_is_ended() -> None:
    source = "def one(): return 1"
    with start(source, Level.L1) as first:
        with start(source, Level.L1) as second:
            assert second.modules["pkg.unit"].one() == 1
        assert first.modules["pkg.unit"].one() == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a subject another user id")
def test_what_a_subject_left_in_shared_folders_is_removed() -> None:
    source = "def leave():\n    open('/tmp/tokproof-left-behind', 'w').close()\n    return True"
    with start(source, Level.L2) as wired:
        assert wired.modules["pkg.unit"].leave() is True
        assert Path("/tmp/tokproof-left-behind").exists()
    assert not Path("/tmp/tokproof-left-behind").exists()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("may_start_programs", [True, False])
def test_every_jump_of_the_filter_stays_inside_it(machine: str, may_start_programs: bool) -> None:
    instructions = list(
        struct.iter_unpack("=HBBI", seccomp.program(may_start_programs=may_start_programs, machine=machine, pid=7))
    )
    assert len(instructions) < 4096
    for place, (code, if_true, if_false, _) in enumerate(instructions):
        if code & 0x07 == 0x05:
            assert place + 1 + max(if_true, if_false) < len(instructions)
    assert instructions[-1] == (0x06, 0, 0, 0x7FFF0000)


def test_an_unknown_machine_has_no_filter() -> None:
    with pytest.raises(seccomp.Unsupported, match="vax"):
        seccomp.program(may_start_programs=False, machine="vax")
