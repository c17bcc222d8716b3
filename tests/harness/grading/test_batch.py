"""A whole class through the store, with judges that answer at once, fail, or are killed in between."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.grading.batch import Batch, Mode, changes, grades
from harness.grading.documents import judged_from_json, judged_to_json
from harness.grading.rules import Lateness, Scheme
from harness.grading.store import Store
from harness.records import CatalogEntry, Cause, CheckedTest, GradeStatus, Judged, Kind, Received, TestPoints

CATALOG = [
    CatalogEntry(name, Path("test_it.py"), 1, "A law.", Kind.UNIT, "checks", "why", ()) for name in ("test_a", "test_b")
]
SCHEME = Scheme((TestPoints("test_a", Decimal(6)), TestPoints("test_b", Decimal(4))), Decimal("10.00"))
FACTS = {"seed": "0", "digest of tests": "one"}


def verdict(text: str) -> Judged:
    """Code says in its text which tests it passes."""
    if text == "cannot be imported":
        return Judged(GradeStatus.INVALID, text, isolation="L5")
    tests = tuple(CheckedTest(one, "pass" if one.name in text else "fail", input="f('\ud800')") for one in CATALOG)
    causes = (Cause(("test_a",), "a hint", "s01", "a mistake", sure=True),)
    return Judged(GradeStatus.GRADED, tests=tests, causes=causes, isolation="L5", elapsed_s=0.5)


@dataclass
class Fake:
    """Judges that count what they were asked."""

    fails_on: str = ""
    stops_after: int = 10**9
    at_once: int = 2
    asked: list[str] = field(default_factory=list)

    def submit(self, files: Mapping[str, str]) -> Future[str]:
        future: Future[str] = Future()
        if len(self.asked) == self.stops_after:
            raise KeyboardInterrupt
        (text,) = files.values()
        self.asked.append(text)
        if text == self.fails_on:
            future.set_exception(RuntimeError("the worker is gone"))
        else:
            future.set_result(judged_to_json(verdict(text)))
        return future


def hand_in(student: str, text: str, **more: object) -> Received:
    return Received(student, student, files={"a.py": text}, **more)  # type: ignore[arg-type]


CLASS = [
    hand_in("ada", "test_a test_b"),
    hand_in("bob", "test_b"),
    hand_in("cyd", "test_a test_b"),
    hand_in("dan", "cannot be imported"),
    Received("eve", "eve", reason="a.py is not Python: line 1"),
    Received("fay", "fay", missing=True),
    hand_in("g\udcffy", "test_a", name="=HYPERLINK('x')"),
]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., dict[str, tuple[str, str]]]:
    """Grade a class into the store of this test; status and points by student."""

    def run(
        judges: Fake,
        students: list[Received] = CLASS,
        mode: Mode = Mode.NEW,
        facts: Mapping[str, str] = FACTS,
        scheme: Scheme = SCHEME,
        student: str = "",
    ) -> dict[str, tuple[str, str]]:
        with Store(tmp_path / "grades.sqlite") as store:
            batch = Batch(lambda: students, store, facts, scheme, CATALOG, mode, student)
            batch.note_all()
            batch.judge_all(judges)
            return {one.received.student: (one.status, str(one.points)) for one in grades(store, scheme, CATALOG)}

    return run


WHOLE = {
    "ada": ("graded", "10.00"),
    "bob": ("graded", "4.00"),
    "cyd": ("graded", "10.00"),
    "dan": ("invalid", "0.00"),
    "eve": ("unreadable", "0.00"),
    "fay": ("missing", "0.00"),
    "g\udcffy": ("graded", "6.00"),
}
Run = Callable[..., dict[str, tuple[str, str]]]


def test_everybody_has_a_row_and_identical_code_is_judged_once(run: Run) -> None:
    judges = Fake()
    assert run(judges) == WHOLE
    assert judges.asked == ["test_a test_b", "test_b", "cannot be imported", "test_a"]


@pytest.mark.parametrize("after", range(5))
def test_what_was_interrupted_goes_on_where_it_stopped(run: Run, after: int) -> None:
    first, second = Fake(stops_after=after), Fake()
    with pytest.raises(KeyboardInterrupt) if after < 4 else nullcontext():
        run(first)
    assert run(second, mode=Mode.RESUME) == WHOLE
    # What was in flight is judged again, and nothing else: two at once and as many ahead of them.
    assert 4 <= len(first.asked) + len(second.asked) <= 4 + 2 * first.at_once


def test_a_failure_of_ours_is_a_row_and_ends_when_it_is_tried_again(run: Run) -> None:
    broken = run(Fake(fails_on="test_b"))
    assert broken == {**WHOLE, "bob": ("error", "0.00")}
    again = Fake()
    assert run(again, mode=Mode.ONLY_FAILED) == WHOLE
    assert sorted(again.asked) == ["cannot be imported", "test_b"]


def test_other_tests_need_a_regrade_which_says_what_changed(run: Run, tmp_path: Path) -> None:
    run(Fake())
    mended = {**FACTS, "digest of tests": "two"}
    with pytest.raises(UsageError, match="digest of tests"):
        run(Fake(), mode=Mode.RESUME, facts=mended)
    changed = [hand_in("bob", "test_a"), *(one for one in CLASS if one.student != "bob")]
    assert run(Fake(), changed, Mode.REGRADE, mended)["bob"] == ("graded", "6.00")
    with Store(tmp_path / "grades.sqlite") as store:
        (change,) = changes(store)
    assert (change.key, change.before, change.after) == ("bob", "4.00", "6.00")
    assert (change.newly_failed, change.newly_passed) == (("test_b",), ("test_a",))


def test_a_regrade_that_is_killed_goes_on_and_still_says_what_changed(run: Run, tmp_path: Path) -> None:
    run(Fake())
    mended = {**FACTS, "digest of tests": "two"}
    changed = [hand_in("bob", "test_a"), *(one for one in CLASS if one.student != "bob")]
    with pytest.raises(KeyboardInterrupt):
        run(Fake(stops_after=1), changed, Mode.REGRADE, mended)
    assert run(Fake(), changed, Mode.RESUME, mended)["ada"] == ("graded", "10.00")
    with Store(tmp_path / "grades.sqlite") as store:
        assert [one.key for one in changes(store)] == ["bob"]


def test_one_student_can_be_graded_alone(run: Run) -> None:
    assert run(Fake(), student="b*") == {"bob": ("graded", "4.00")}
    assert run(Fake(), mode=Mode.RESUME) == WHOLE


def test_who_was_not_asked_for_stays_pending(run: Run) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(Fake(stops_after=1))
    judges = Fake()
    assert run(judges, mode=Mode.RESUME, student="b*")["bob"] == ("graded", "4.00")
    assert judges.asked == ["test_b"]
    assert run(Fake(), mode=Mode.RESUME) == WHOLE


def test_what_there_is_no_code_of_is_told_as_it_is_today(run: Run, tmp_path: Path) -> None:
    run(Fake())
    today = [*CLASS[:4], Received("eve", "eve", missing=True), Received("fay", "fay", reason="two different files")]
    assert run(Fake(), [*today, CLASS[-1]], Mode.RESUME) == {
        **WHOLE,
        "eve": ("missing", "0.00"),
        "fay": ("unreadable", "0.00"),
    }
    with sqlite3.connect(tmp_path / "grades.sqlite") as db:
        assert db.execute("SELECT reason FROM submission WHERE key = 'fay'").fetchone() == ("two different files",)


def test_an_error_of_ours_hides_behind_no_older_verdict(run: Run) -> None:
    run(Fake())
    assert run(Fake(fails_on="cannot be imported"), mode=Mode.ONLY_FAILED)["dan"] == ("error", "0.00")


def test_a_run_that_found_nothing_binds_no_later_one(run: Run) -> None:
    assert run(Fake(), []) == {}
    assert run(Fake(), facts={**FACTS, "seed": "1"}) == WHOLE


def test_other_rules_price_what_stands_and_judge_nothing(run: Run) -> None:
    run(Fake())
    late = Scheme(SCHEME.tests, SCHEME.max_points, late=Lateness(Decimal(10)))
    students = [hand_in("ada", "test_a test_b", late_days=2), *CLASS[1:]]
    judges = Fake()
    assert run(judges, students, Mode.RESUME, scheme=late) == {**WHOLE, "ada": ("graded", "8.00")}
    assert judges.asked == []


def test_changed_code_is_judged_again_on_resume(run: Run) -> None:
    run(Fake())
    judges = Fake()
    assert run(judges, [hand_in("ada", "nothing"), *CLASS[1:]], Mode.RESUME)["ada"] == ("graded", "0.00")
    assert judges.asked == ["nothing"]


def test_the_file_can_be_read_by_anybody(run: Run, tmp_path: Path) -> None:
    run(Fake())
    with sqlite3.connect(tmp_path / "grades.sqlite") as db:
        rows = db.execute("SELECT key, status, points, max_points FROM submission ORDER BY position").fetchall()
    assert rows[1] == ("bob", "graded", "4.00", "10.00")
    assert rows[-1][0] == "g\\udcffy"


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "grades.sqlite"
    path.write_text("student,points\n" * 100)
    with pytest.raises(UsageError, match="cannot be used as a store"):
        Store(path)
    later = tmp_path / "later.sqlite"
    with sqlite3.connect(later) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(UsageError, match="another version"):
        Store(later)


@pytest.mark.parametrize("text", ["test_a", "test_a test_b", "cannot be imported"])
def test_a_document_says_all_that_the_judge_said(text: str) -> None:
    assert judged_from_json(judged_to_json(verdict(text)), CATALOG) == verdict(text)


def test_a_document_outlives_the_tests_that_it_names() -> None:
    judged = judged_from_json(judged_to_json(verdict("test_a test_b")), CATALOG[:1])
    assert [test.entry.name for test in judged.tests] == ["test_a"]
