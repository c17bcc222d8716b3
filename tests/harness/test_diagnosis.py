"""The diagnosis answers where something fits, says how sure it is, and is silent where nothing does."""

from __future__ import annotations

import pytest

from harness.course import Course, load_course
from harness.diagnosis import Behaviour, Deviations, Diagnosis, diagnose
from harness.mutation.curated import load_curated
from harness.mutation.witness import probes_of, shown
from harness.records import Module, Tier

REFERENCE = {f"p{place}": "right" for place in range(5)}
TABLE = Behaviour(
    REFERENCE,
    {
        "s01": Deviations({"p0": "a", "p1": "b"}, ("t1", "t2")),
        "s02": Deviations({"p1": "b"}, ("t2",)),
        "s03": Deviations({"p3": "c", "p4": "d"}, ("t3",)),
        "s04": Deviations({"p2": "e"}, ("t4",)),
        "s05": Deviations({"p2": "e"}, ("t4", "t5")),
    },
)


def asked(**deviations: str) -> dict[str, str]:
    return REFERENCE | deviations


@pytest.mark.parametrize(
    ("shown_there", "failed", "expected"),
    [
        (asked(p0="a", p1="b"), ["t1", "t2"], [Diagnosis(("s01",), sure=True)]),
        (asked(p1="b"), ["t2"], [Diagnosis(("s02",), sure=True)]),
        # Tests of another kind fail: the same on every probe, and yet not surely the same mistake.
        (asked(p1="b"), ["t2", "t8", "t9"], [Diagnosis(("s02",), sure=False)]),
        (asked(p0="a", p1="b", p3="c", p4="d"), ["t1", "t2", "t3"], [Diagnosis(("s01", "s03"), sure=True)]),
        # No probe parts these two: the tests decide which comes first, and nobody is sure.
        (asked(p2="e"), ["t4", "t5"], [Diagnosis(("s05",), sure=False), Diagnosis(("s04",), sure=False)]),
        (asked(p3="c", p4="x", p0="y"), ["t3"], []),
        (asked(p0="z"), ["t1"], []),
        (asked(), ["t1"], []),
        (asked(p0="a", p1="b"), [], []),
        (asked(p0="a", p1="b"), ["t9"], []),
        # Most of what deviates is what the mutant shows, but not all.
        (asked(p0="a", p1="b", p2="x"), ["t1", "t2", "t7"], [Diagnosis(("s01",), sure=False)]),
        # It did not come back from two probes of five.
        ({"p0": "a", "p1": "b", "p2": "right"}, ["t1", "t2"], [Diagnosis(("s01",), sure=False)]),
    ],
)
def test_the_answer_is_what_accounts_for_the_submission(
    shown_there: dict[str, str], failed: list[str], expected: list[Diagnosis]
) -> None:
    assert list(diagnose(shown_there, failed, TABLE)) == expected


def test_a_table_reads_back() -> None:
    assert Behaviour.from_json(TABLE.to_json()) == TABLE


COURSE = load_course()


@pytest.mark.parametrize("module", COURSE.modules, ids=lambda module: module.id)
def test_every_mutant_deviates_on_its_own_witness_and_is_told_from_the_reference(module: Module) -> None:
    curated = load_curated(COURSE, module)
    behaviour = COURSE.behaviour(module)
    probes = probes_of(module, curated)
    assert list(behaviour.reference) == [probe.name for probe in probes]
    assert list(behaviour.mutants) == [one.id for one in curated if one.tier is not Tier.WHEAT]
    names = {(probe.unit, probe.expression): probe.name for probe in probes}
    for mutant in curated:
        if mutant.tier is not Tier.WHEAT:
            found = behaviour.mutants[mutant.id]
            assert found.fails, mutant.id
            assert names[own_probe(COURSE, module, mutant.id)] in found.shown, mutant.id


def own_probe(course: Course, module: Module, name: str) -> tuple[str, str]:
    (probe,) = probes_of(module, [one for one in load_curated(course, module) if one.id == name])
    return probe.unit, probe.expression


def test_what_is_shown_is_the_same_wherever_a_file_lies() -> None:
    names = {"read": lambda path: path.read_text(), "fail": lambda path: (_ for _ in ()).throw(ValueError(str(path)))}
    assert shown("read(file('abc', 'x.txt'))", names) == ("returned", "'abc'")
    assert shown("fail(file(b'abc', 'x.txt'))", names) == ("raised", "ValueError", "x.txt")
    assert shown("nothing", names)[:2] == ("raised", "NameError")
