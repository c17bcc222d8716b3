"""A class that nobody taught: grades of M05.2 made from its real tests and mistakes, with names that are made up.

For pictures. Each submission is one of the module's mutants: the tests that it fails and the words for its mistake are
those that were measured and written for it; which student makes which mistake is drawn once, by a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache

from harness.catalog import located, read_catalog
from harness.course import load_course
from harness.mutation.curated import load_curated
from harness.records import (
    CatalogEntry,
    CheckedTest,
    Grade,
    GradedTest,
    GradeStatus,
    GradingRun,
    Kind,
    Received,
    TestPoints,
    Visibility,
)
from harness.student.diagnose import causes_of

MODULE = "M05.2"
_SIZE = 312
_SEED = 5
_MISTAKES = 16
_GIVEN = (
    *("Ada", "Alan", "Aminata", "Anders", "Aylin", "Barbara", "Chiara", "Chidi", "Dana", "Deniz", "Edsger", "Fatima"),
    *("Grace", "Hana", "Ivan", "Katherine", "Lin", "Mateo", "Noor", "Priya", "Samir", "Sofia", "Yara", "Yuki"),
)
_FAMILY = (
    *("Abbasi", "Andersen", "Bianchi", "Chen", "Costa", "Diallo", "Fischer", "Garcia", "Gupta", "Haddad", "Horvat"),
    *(
        "Ito",
        "Kaya",
        "Kowalski",
        "Lopez",
        "Moreau",
        "Nakamura",
        "Nguyen",
        "Okafor",
        "Park",
        "Petrov",
        "Rahman",
        "Silva",
    ),
)
_WORTH = {Kind.GOLDEN: Decimal(4), Kind.PROPERTY: Decimal(4)}


def made_up() -> tuple[GradingRun, tuple[Grade, ...]]:
    """The run and its grades, the same every time."""
    course = load_course()
    module = course.module(MODULE)
    catalog = located(read_catalog(course.test_files(module)), course.root)
    curated = [one for one in load_curated(course, module) if one.caught_by]
    behaviour = course.behaviour(module)
    units = course.read_units(module)
    scheme = _scheme(catalog)
    run = GradingRun(
        module=module,
        scheme=scheme,
        max_points=sum((worth.max_points for worth in scheme), Decimal(0)),
        seed=0,
        profile="tokproof-check",
        isolation="L4",
        versions={"python": "3.12.4", "hypothesis": "6.131.0"},
        digests={},
        began_at="2026-05-04T18:00:00+00:00",
    )
    draw = random.Random(_SEED)
    known = [one for one in curated if behaviour.mutants[one.id].fails][:_MISTAKES]
    weights = [6.0 / (1 + index) if one.pitfall is not None else 0.15 for index, one in enumerate(known)]
    names = draw.sample([f"{given} {family}" for given in _GIVEN for family in _FAMILY], _SIZE)

    @cache
    def answers(mutant_id: str) -> tuple[str, str, str]:
        """A mutant's own witness, what the reference answers to it, and what the mutant does."""
        mutant = next(one for one in known if one.id == mutant_id)
        sources = {**units, **mutant.sources}
        right, wrong = (_answer(texts[mutant.unit], mutant.witness) for texts in (units, sources))
        return mutant.witness, right, wrong

    def grade(number: int, name: str) -> Grade:
        received = Received(
            key=f"s{20_000 + number}",
            student=f"s{20_000 + number}",
            name=name,
            email=f"{name.lower().replace(' ', '.')}@example.org",
            late_days=draw.choices((0, 1, 2), (90, 8, 2))[0],
        )
        fate = draw.random()
        if fate < 0.03:
            return Grade(received, GradeStatus.MISSING, Decimal(0), run.max_points)
        if fate < 0.04:
            reason = draw.choice(
                ("the archive holds no bytes_unicode.py", "bytes_unicode.py is 41 MB", "the archive is damaged")
            )
            return Grade(received, GradeStatus.UNREADABLE, Decimal(0), run.max_points, reason)
        if fate < 0.06:
            reason = "it does not import: SyntaxError: invalid syntax, line 12"
            return Grade(received, GradeStatus.INVALID, Decimal(0), run.max_points, reason, elapsed_s=0.2)
        made = [draw.choices(known, weights)[0] for limit in (0.62, 0.2) if fate < limit]
        failed = [entry.name for entry in catalog if any(entry.name in behaviour.mutants[one.id].fails for one in made)]
        shown = {probe: seen for one in made for probe, seen in behaviour.mutants[one.id].shown.items()}
        causes = causes_of(failed, {**behaviour.reference, **shown}, curated, behaviour)
        questions = {cause.tests[0]: answers(cause.mutant) for cause in causes if cause.mutant}
        tests = tuple(_tests(catalog, scheme, failed, questions))
        earned = sum((one.points for one in tests), Decimal(0))
        penalty = (earned / 10 * received.late_days).quantize(Decimal("0.1"))
        return Grade(
            received=received,
            status=GradeStatus.GRADED,
            points=earned - penalty,
            max_points=run.max_points,
            tests=tests,
            causes=causes,
            penalty=penalty,
            digest=f"{number if draw.random() < 0.96 else 0:064x}",
            isolation=run.isolation,
            elapsed_s=draw.lognormvariate(0.9, 0.5),
        )

    return run, tuple(grade(number, name) for number, name in enumerate(names))


def _scheme(catalog: tuple[CatalogEntry, ...]) -> tuple[TestPoints, ...]:
    """Points by kind, four tests hidden."""
    hidden = {entry.name for entry in catalog[-6:-2]}
    return tuple(
        TestPoints(
            entry.name,
            _WORTH.get(entry.kind, Decimal("1.6")),
            visibility=Visibility.HIDDEN if entry.name in hidden else Visibility.VISIBLE,
        )
        for entry in catalog
    )


def _tests(
    catalog: tuple[CatalogEntry, ...],
    scheme: tuple[TestPoints, ...],
    failed: list[str],
    questions: Mapping[str, tuple[str, str, str]],
) -> Iterator[GradedTest]:
    for entry, worth in zip(catalog, scheme, strict=True):
        fails = entry.name in failed
        question, expected, got = questions.get(entry.name, ("", "", "")) if fails else ("", "", "")
        again = f"ol check {MODULE} --test {entry.name}" if fails else ""
        test = CheckedTest(entry, "fail" if fails else "pass", question, (), expected, got, again)
        points = Decimal(0) if fails else worth.max_points
        yield GradedTest(test, points, worth.max_points, worth.required, worth.visibility)


def _answer(source: str, question: str) -> str:
    """What a version of the module answers; of ours, and run here."""
    names: dict[str, object] = {}
    exec(source, names)
    try:
        return repr(eval(question, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
