"""A score, a check or the grades of a class as JUnit XML, which CI systems show as test results.

A mutant is a test case that passes where the tests detected it and fails where it survived; an equivalent or invalid
one is skipped. The controls, the wheats and the end of the run are cases too: a run whose score cannot be used must
not be green.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

from harness.records import (
    Cause,
    CheckedTest,
    CheckReport,
    CheckVerdict,
    Grade,
    GradeStatus,
    GradingRun,
    Report,
    Status,
    Verdict,
)
from harness.reports.facts import interruption, mutants_of, wheats_of
from harness.reports.failure import failure_rows
from harness.reports.grade_facts import points_words, sentences
from harness.reports.readable import readable, readable_lines

_NO_TIME = "1970-01-01T00:00:00+00:00"
_SKIPPED = frozenset({Status.EQUIVALENT, Status.INVALID})


def score_junit(report: Report) -> str:
    """Suites of the mutants, the wheats and the controls."""
    properties = {
        "complete": str(report.complete).lower(),
        "seed": str(report.seed),
        "profile": report.profile,
        "isolation": report.isolation,
        **{f"digest.{name}": digest for name, digest in report.digests.items()},
        **{f"version.{name}": version for name, version in report.versions.items()},
    }
    root = _root(f"mutation testing of {report.module.id}", report.elapsed_s)
    _suite(root, f"{report.module.id}.mutants", report.began_at, map(_mutant, mutants_of(report)), properties)
    _suite(root, f"{report.module.id}.wheats", report.began_at, map(_wheat, wheats_of(report)))
    _suite(root, f"{report.module.id}.run", report.began_at, _controls(report))
    return _written(root)


def check_junit(report: CheckReport) -> str:
    """A suite of the tests; a check that did not get so far is a case that failed."""
    root = _root(f"check of {report.module.id}", report.elapsed_s)
    causes = {cause.tests[0]: cause for cause in report.causes}
    _suite(
        root,
        f"{report.module.id}.tests",
        report.began_at,
        (_test(test, causes.get(test.entry.name)) for test in report.tests),
        {"seed": str(report.seed), "isolation": report.isolation, "assisted": str(report.assisted).lower()},
    )
    if report.verdict is not CheckVerdict.PASS and not report.tests:
        whole = _case("verdict", report.module.id, 0.0)
        _say(whole, "failure" if report.verdict is CheckVerdict.FAIL else "error", report.verdict, report.message)
        _suite(root, f"{report.module.id}.check", report.began_at, iter([whole]))
    return _written(root)


def grades_junit(run: GradingRun, grades: Iterable[Grade], *, times: bool = True) -> Iterator[str]:
    """A suite for each submission with a case for each test, hidden ones as well: the instructor's. In pieces.

    What could not be graded is one case in error, and so is a run that was interrupted. Without `times` it began in
    1970 and took none, since the schema wants both.
    """
    if not times:
        run, grades = replace(run, began_at=_NO_TIME), (replace(grade, elapsed_s=0.0) for grade in grades)
    name = ET.tostring(ET.Element("testsuites", {"name": readable(f"grades of {run.module.id}")}), encoding="unicode")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{name.removesuffix(" />")}>\n'
    for grade in grades:
        yield _suite_text(grade.received.key, run.began_at, _graded(grade), {"points": points_words(grade)})
    if not run.complete:
        case = _case("the run is complete", "run", 0.0)
        _say(case, "error", "interrupted", "Interrupted: what was not graded yet is not here.")
        yield _suite_text("run", run.began_at, iter([case]), {})
    yield "</testsuites>\n"


def _suite_text(name: str, began_at: str, cases: Iterator[ET.Element], properties: dict[str, str]) -> str:
    root = ET.Element("testsuites")
    _suite(root, name, began_at, cases, properties)
    ET.indent(root)
    return f"  {ET.tostring(root[0], encoding='unicode').rstrip()}\n"


def _graded(grade: Grade) -> Iterator[ET.Element]:
    if grade.status is not GradeStatus.GRADED:
        case = _case(str(grade.status), grade.received.student, grade.elapsed_s)
        _say(case, "error", grade.status, " ".join(sentences(grade)))
        yield case
        return
    causes = {cause.tests[0]: cause for cause in grade.causes if cause.tests}
    yield from (_test(graded.test, causes.get(graded.test.entry.name)) for graded in grade.tests)


def _root(name: str, elapsed_s: float) -> ET.Element:
    return ET.Element("testsuites", {"name": readable(name), "time": f"{elapsed_s:.3f}"})


def _suite(
    root: ET.Element, name: str, began_at: str, cases: Iterator[ET.Element], properties: dict[str, str] | None = None
) -> None:
    suite = ET.SubElement(root, "testsuite", {"name": readable(name), "timestamp": readable(began_at)})
    if properties:
        box = ET.SubElement(suite, "properties")
        for key, value in properties.items():
            ET.SubElement(box, "property", {"name": readable(key), "value": readable(value)})
    suite.extend(cases)
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in suite.iter('testcase')):.3f}")
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(len(suite.findall(f"testcase/{tag}"))))


def _case(name: str, classname: str, elapsed_s: float) -> ET.Element:
    return ET.Element(
        "testcase", {"name": readable(name), "classname": readable(classname), "time": f"{elapsed_s:.3f}"}
    )


def _say(case: ET.Element, tag: str, kind: str, message: str, text: str = "") -> None:
    child = ET.SubElement(case, tag, {"type": readable(kind), "message": readable(message)})
    child.text = readable_lines(text)


def _mutant(verdict: Verdict) -> ET.Element:
    mutant = verdict.mutant
    case = _case(f"{mutant.id}: {mutant.description}", f"{mutant.unit}:{mutant.line}", verdict.elapsed_s)
    if verdict.status is Status.SURVIVED:
        ran = f"{len(verdict.tests)} tests ran and passed: {', '.join(verdict.tests)}"
        _say(case, "failure", "survived", f"{mutant.id} survived", f"{mutant.diff}\n{ran}")
    elif verdict.status is Status.ERROR:
        _say(case, "error", "error", verdict.reason)
    elif verdict.status in _SKIPPED:
        _say(case, "skipped", verdict.status, f"{verdict.status}: {verdict.reason}")
    else:
        lines = [f"{verdict.status} by {', '.join(verdict.killed_by) or 'the clock or its own end'}: {verdict.reason}"]
        if (seen := verdict.counterexample) is not None:
            lines += [f"input: {seen.input}", *seen.values, f"expected: {seen.expected}", f"got: {seen.got}"]
            lines.append(f"again: {seen.replay}")
        ET.SubElement(case, "system-out").text = readable_lines("\n".join(lines))
    return case


def _wheat(verdict: Verdict) -> ET.Element:
    case = _case(verdict.mutant.id, "wheats", verdict.elapsed_s)
    if verdict.status is not Status.SURVIVED:
        _say(case, "failure", verdict.status, f"a correct implementation fails {', '.join(verdict.killed_by)}")
    return case


def _controls(report: Report) -> Iterator[ET.Element]:
    controls = report.controls
    for name in ("reference", "raises_everywhere", "identity", "wheats"):
        case = _case(f"control {name}", "controls", 0.0)
        if not getattr(controls, name):
            _say(case, "error", "control", f"the control {name} does not hold", "\n".join(controls.notes))
        yield case
    case = _case("the run is complete", "run", 0.0)
    if not report.complete:
        _say(case, "error", "interrupted", interruption(report))
    yield case


def _test(test: CheckedTest, cause: Cause | None) -> ET.Element:
    case = _case(test.entry.name, test.entry.path.as_posix(), 0.0)
    if test.status == "fail":
        lines = [f"{label}: {value}" for label, value in failure_rows(test, cause)]
        _say(case, "failure", "failed", f"expected {test.expected}, got {test.got}", "\n".join(lines))
    elif test.status == "not_run":
        _say(case, "skipped", "not run", "the time was up")
    return case


def _written(root: ET.Element) -> str:
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
