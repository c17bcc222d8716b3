"""The judge on the tiny course: what each kind of submission comes to, and that it is the same again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.engine import judging
from harness.engine.parent import WarmParent
from harness.errors import EngineError
from harness.grading import judge as judge_module
from harness.grading.cluster import judge_here
from harness.grading.judge import Judge, Terms, key_of
from harness.records import GradeStatus, Judged
from harness.subject import sandbox

pytestmark = pytest.mark.slow

COURSE = Path(__file__).parents[1] / "courses" / "tiny"
UNIT, NEEDING = "tinypkg/double.py", "tinypkg/quadruple.py"
RIGHT = (COURSE / "reference" / UNIT).read_text()
HALVE = "STEP = 2\n\n\ndef halve(number):\n    return number // STEP\n\n\n"
FORGED = """
import os
for descriptor in range(256):
    try:
        os.write(descriptor, b"{}\\n")
    except OSError:
        pass
"""


def terms(module: str = "T1", **more: object) -> Terms:
    return Terms(module, 0, int(sandbox.strongest()), str(COURSE), **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(terms()) as judge:
        yield judge


def told(judged: Judged) -> tuple[str, int]:
    return judged.status, sum(test.status == "pass" for test in judged.tests)


@pytest.mark.parametrize(
    ("text", "status", "passed", "said"),
    [
        pytest.param(RIGHT, "graded", 3, "", id="right"),
        pytest.param(RIGHT.replace("* STEP", "+ STEP"), "graded", 1, "", id="wrong"),
        pytest.param(HALVE, "graded", 0, "lacks double", id="a function is missing"),
        pytest.param("1 / 0\n" + RIGHT, "invalid", 0, "ZeroDivisionError", id="raises at import"),
        pytest.param("import os\nos._exit(0)\n" + RIGHT, "invalid", 0, "did not end well", id="ends at import"),
        pytest.param(RIGHT + FORGED, "invalid", 0, "only answers may go", id="forges a frame"),
        pytest.param("def double(n):\n    ...\n\n\ndef halve(n):\n    ...\n", "invalid", 0, "still a stub", id="stub"),
        pytest.param("x = " + "1 + " * 20_000 + "1\n" + RIGHT, "invalid", 0, "", id="too deep"),
        pytest.param(HALVE + "def double(n):\n    import os; os._exit(0)\n", "graded", 0, "", id="ends when called"),
    ],
)
def test_every_submission_gets_its_word(judge: Judge, text: str, status: str, passed: int, said: str) -> None:
    judged = judge.judge({UNIT: text})
    assert (told(judged), said in judged.reason) == ((status, passed), True), judged.reason
    assert judged.status is GradeStatus.GRADED or judged.reason


def test_a_function_that_hangs_fails_its_tests_and_no_others(judge: Judge) -> None:
    hangs = f"{RIGHT}\n\ndef halve(number):\n    while True: pass\n"
    assert told(judge.judge({UNIT: hangs})) == ("graded", 2)


LATER = """
import time
def double(number):
    time.sleep(1.2 if number == 3 else 0)
    if number < 0:
        raise ValueError(number)
    return number * STEP
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(HALVE + LATER, id="an answer"),
        pytest.param(f"import time\ntime.sleep(1.2)\n{RIGHT}", id="an import"),
    ],
)
def test_what_comes_too_late_once_is_not_believed(judge: Judge, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """With a limit of a second, and four when it is asked again."""
    monkeypatch.setattr(judging, "TEST_LIMIT_S", 1.0)
    assert told(judge.judge({UNIT: text})) == ("graded", 3)


def test_after_enough_tests_without_an_answer_the_rest_is_not_run(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "TEST_LIMIT_S", 2.0)
    monkeypatch.setattr(judge_module, "_NEVER_ANSWERS", 2)
    judged = judge.judge({UNIT: HALVE + "def double(number):\n    while True: pass\n"})
    assert [test.status for test in judged.tests] == ["fail", "fail", "not_run"]
    assert "gave no answer in 2 tests" in judged.reason


def test_a_worker_that_judges_by_other_terms_refuses() -> None:
    own = terms()
    with pytest.raises(EngineError, match="by other terms: digest of tests, seed differ"):
        judge_here(own, {**own.facts(), "seed": "1", "digest of tests": "another"}, {UNIT: RIGHT})


def test_further_modules_are_taken_along(judge: Judge) -> None:
    helped = "from tinypkg.helper import double, halve, STEP\n"
    assert told(judge.judge({UNIT: helped, "tinypkg/helper.py": RIGHT})) == ("graded", 3)


def test_the_same_code_has_the_same_verdict_but_for_the_time(judge: Judge) -> None:
    wrong = {UNIT: RIGHT.replace("* STEP", "+ STEP")}
    first, second = (replace(judge.judge(wrong), elapsed_s=0.0) for _ in range(2))
    assert first == second
    assert first.causes


def test_a_judge_whose_processes_were_taken_away_goes_on(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[WarmParent] = []
    run = WarmParent.run

    def watched(parent, *asked):  # type: ignore[no-untyped-def]
        seen.append(parent)
        if len(seen) == 1:
            os.kill(parent._process.pid, signal.SIGKILL)
            parent._process.wait()
        return run(parent, *asked)

    monkeypatch.setattr(WarmParent, "run", watched)
    assert told(judge.judge({UNIT: RIGHT})) == ("graded", 3)
    assert seen[0] is not seen[-1]


def test_the_reference_stands_in_for_what_was_not_handed_in() -> None:
    quadruple = (COURSE / "reference" / NEEDING).read_text()
    wrong = RIGHT.replace("* STEP", "+ STEP")
    with Judge(terms("T2")) as judge:
        alone = judge.judge({NEEDING: quadruple})
        own = judge.judge({NEEDING: quadruple, UNIT: wrong})
    with Judge(terms("T2", ref_deps=True)) as judge:
        spared = judge.judge({NEEDING: quadruple, UNIT: wrong})
    assert "the reference stood in for T1" in alone.reason
    assert all(test.status == "pass" for test in alone.tests)
    assert any(test.status == "fail" for test in own.tests)
    assert all(test.status == "pass" for test in spared.tests)


def test_what_a_verdict_depends_on_is_in_its_key() -> None:
    facts, files = terms().facts(), {UNIT: RIGHT}
    assert key_of(facts, files) == key_of(terms().facts(), dict(files))
    others = [terms(ref_deps=True).facts(), replace(terms(), seed=1).facts(), terms("T2").facts()]
    keys = {key_of(facts, files), key_of(facts, {UNIT: RIGHT + "\n"}), *(key_of(one, files) for one in others)}
    assert len(keys) == 5
