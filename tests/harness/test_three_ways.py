"""The reference, every mutant and every wheat get the same verdicts in this process, in a child and over the wire."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from hypothesis import HealthCheck, Phase, settings

from harness.course import dotted, load_course
from harness.engine.words import describe
from harness.mutation.curated import load_curated
from harness.records import Mutant
from harness.subject.launch import InProcess, Request, Subject, Wired
from harness.subject.sandbox import strongest

pytestmark = pytest.mark.sandbox

COURSE = load_course()
FEW = "three-ways"
settings.register_profile(
    FEW,
    max_examples=5,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
MODULE = COURSE.module("M05.2")
PATHS = {unit: str(COURSE.unit_path(unit)) for unit in MODULE.units}
REFERENCE = COURSE.read_units(MODULE)


@pytest.fixture(autouse=True)
def few_examples() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.load_profile(FEW)
    yield
    settings.load_profile(before)


def verdicts(subject: Subject) -> dict[str, str]:
    """For each test of the module the type of what it failed with, or an empty text."""
    found = {}
    with subject.installed():
        for path in COURSE.test_files(MODULE):
            spec = importlib.util.spec_from_file_location(f"three_ways_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for name, test in vars(module).items():
                if name.startswith("test_") and isinstance(test, FunctionType):
                    found[name] = outcome(test)
    return found


def outcome(test: FunctionType) -> str:
    try:
        test()
    except BaseException as error:
        return describe(error).partition(":")[0]
    return ""


def verdicts_in_a_child(subject: Subject) -> dict[str, str]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, json.dumps(verdicts(subject)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found: dict[str, str] = json.loads(answer.read())
    os.waitpid(pid, 0)
    return found


SUBJECTS = [
    Mutant("reference", mutants[0].tier, REFERENCE, MODULE.units[0], 1, "", "the reference")
    if index < 0
    else mutants[index]
    for mutants in [load_curated(COURSE, MODULE)]
    for index in range(-1, len(mutants))
]


@pytest.mark.parametrize("mutant", SUBJECTS, ids=lambda mutant: mutant.id)
def test_a_subject_gets_the_same_verdicts_three_times(mutant: Mutant) -> None:
    sources = {**REFERENCE, **mutant.sources}
    here = InProcess(sources, PATHS)
    wired = Wired(Request(units=sources, serve=MODULE.units, level=strongest()))
    in_process = verdicts(here)
    assert len(in_process) > 20
    assert verdicts_in_a_child(here) == in_process
    with wired:
        over_the_wire = verdicts(wired)
        wired.close()
    failed = {name for name, word in in_process.items() if word}
    assert {name for name, word in over_the_wire.items() if word} == failed
    if mutant.id == "reference" or mutant.id.startswith("w"):
        assert failed == set()


def test_the_stand_ins_have_the_names_of_the_reference() -> None:
    (unit,) = MODULE.units
    with Wired(Request(units=REFERENCE, serve=MODULE.units)) as wired:
        names = set(vars(wired.modules[dotted(unit)]))
    assert {"encode_bytes", "decode_chars", "inverse"} <= names
    assert not any(name.startswith("_") and not name.startswith("__") for name in names)


def test_the_scratch_folder_is_gone_afterwards() -> None:
    with Wired(Request(units=REFERENCE, serve=MODULE.units)) as wired:
        assert wired._running is not None
        root = wired._running._box.root
        assert root.is_dir()
    assert not Path(root).exists()
