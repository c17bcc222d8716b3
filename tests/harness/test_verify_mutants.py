"""Every mutant of L1.2 is caught by `ol verify` over the wire; the reference and each wheat is not."""

from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

import pytest

from harness.bytelevel.conformance.domain import Effort
from harness.bytelevel.conformance.known import read_known
from harness.bytelevel.encodings import ENCODINGS, Encoding
from harness.bytelevel.oracles import OracleAbsent
from harness.bytelevel.vocab import MissingData
from harness.course import load_course
from harness.errors import EngineError
from harness.mutation.curated import load_curated
from harness.records import ConformanceReport, Mutant, Tier
from harness.subject.sandbox import strongest
from harness.verify.run import Wanted, verify
from harness.verify.target import Options, resolve

pytestmark = pytest.mark.verify

COURSE = load_course()
CURATED = load_curated(COURSE, COURSE.module("L1.2"))
MUTANTS = [mutant for mutant in CURATED if mutant.tier is not Tier.WHEAT]
WHEATS = [mutant for mutant in CURATED if mutant.tier is Tier.WHEAT]
REFERENCE = Path(__file__).parents[2] / "reference"


@lru_cache
def gpt2() -> Encoding:
    try:
        return ENCODINGS["gpt2"]()
    except (MissingData, OracleAbsent) as problem:
        pytest.skip(str(problem))


def judged(folder: Path, changed: Mutant | None, *only: str) -> ConformanceReport:
    shutil.copytree(REFERENCE / "tinyllm", folder / "tinyllm", dirs_exist_ok=True)
    for unit, source in (changed.sources if changed else {}).items():
        (folder / unit).write_text(source)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    target = resolve(["python:tinyllm.tok.bpe"], (), gpt2(), Options(paths=(folder,), level=strongest()))
    return verify(target, gpt2(), Wanted(effort=Effort.QUICK, known=read_known(), only=only, shrinks=False))


def test_there_are_mutants_and_wheats() -> None:
    assert len(MUTANTS) > 90
    assert len(WHEATS) == 7


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_mutant_is_caught(mutant: Mutant, tmp_path: Path) -> None:
    try:
        report = judged(tmp_path, mutant, "cases")
        if report.is_equal:
            report = judged(tmp_path, mutant)
    except EngineError:
        return  # it cannot even load GPT-2's files
    assert not report.is_equal, mutant.description


@pytest.mark.parametrize("wheat", [None, *WHEATS], ids=lambda wheat: wheat.id if wheat else "reference")
def test_what_is_right_is_equal(wheat: Mutant | None, tmp_path: Path) -> None:
    report = judged(tmp_path, wheat)
    assert report.is_equal, report.faults
