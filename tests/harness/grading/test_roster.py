"""Rosters of three kinds: read, matched, and written back with nothing changed but what we put in."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.grading.lateness import days_late, moment, read_late
from harness.grading.matching import Identity, Matcher
from harness.grading.roster import RosterKind, read_roster
from harness.grading.table import read_table

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Byte map (4711),Final Score\r\n"
    "    Points Possible,,,,,10,(read only)\r\n"
    '"Doe, Jane",12345,S1,jdoe,"A, B",,90\r\n'
    '"Roe, Zoë",12346,S2,zroe,A,7,\r\n'
    '"Student, Test",99,,,A,,\r\n'
)
MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    '"Participant 123456","Jane Doe",jane@x.edu,Submitted,,10.00,Yes,"Monday, 1 May",-,\n'
    '"Participant 123457","Zoë Roe",zoe@x.edu,,,10.00,Yes,-,-,\n'
)
Put = Callable[[str | bytes], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Write a roster."""

    def write(text: str | bytes) -> Path:
        path = tmp_path / "roster.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_gradebook_of_canvas_has_its_students_and_no_others(put: Put) -> None:
    roster = read_roster(put(CANVAS))
    assert roster.kind is RosterKind.CANVAS
    assert [(one.student, one.name, one.platform_id, one.row) for one in roster.students] == [
        ("jdoe", "Doe, Jane", "12345", 1),
        ("zroe", "Roe, Zoë", "12346", 2),
    ]
    assert roster.rows[0]["Byte map (4711)"] == "10"


def test_a_grading_worksheet_of_moodle_is_known_by_its_identifiers(put: Put) -> None:
    roster = read_roster(put(MOODLE))
    assert roster.kind is RosterKind.MOODLE
    assert [(one.student, one.email, one.platform_id) for one in roster.students] == [
        ("Participant 123456", "jane@x.edu", "123456"),
        ("Participant 123457", "zoe@x.edu", "123457"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "student,name,email\njdoe,Jane Doe,jane@x.edu\n",
        "Email;First name;Last name;Login\njane@x.edu;Jane;Doe;jdoe\n\n;;;\n",
        "LOGIN\tName\tE-Mail\njdoe\tJane Doe\tjane@x.edu",
    ],
)
def test_a_plain_table_needs_only_to_tell_who_a_student_is(put: Put, text: str) -> None:
    (one,) = read_roster(put(text)).students
    assert (one.student, one.name, one.email) == ("jdoe", "Jane Doe", "jane@x.edu")


def test_utf16_with_its_mark_is_read_and_written_back(put: Put) -> None:
    data = "\ufeffstudent\tpoints\nZoë\t\n".encode("utf-16-le")
    roster = read_roster(put(data))
    assert roster.students[0].student == "Zoë"
    assert roster.filled({}).encode(roster.encoding) == data


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "empty"),
        ("Grade,Comment\n1,2\n", "line 1: no column tells"),
        ("student\n", "names no student"),
        ("student,points\na,1\nA,2\n", "lines 2 and 3: 'A' stands twice"),
        ("student,name\na,x\n,Jane\n", "line 3: the student has no identifier"),
        ('student,name\na,"x\nb,y\n', "line 2: a quote is opened and never closed"),
        ('student,name\na,"x"y\n', "line 2: text stands behind"),
        ("student,name\na,Doe, Jane\n", "line 2: ' Jane' stands behind the last column"),
        ("student\na\0\n", "line 2: a NUL"),
        ("student\nZo\xeb\n".encode("cp1252"), "line 2: the byte 0xeb is not UTF-8"),
    ],
)
def test_a_damaged_roster_is_refused_with_its_line_and_a_way_out(put: Put, text: str | bytes, what: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_roster(put(text))
    assert what in str(refused.value)
    assert refused.value.remedy


def test_a_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.csv cannot be read"):
        read_roster(tmp_path / "none.csv")


# --- writing back -------------------------------------------------------------------------------------------------

CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.booleans(),
)
def test_any_table_is_read_as_csv_reads_it_and_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], sign: str, end: str, quoting: int, mark: bool
) -> None:
    rows = [["student", "a", "b"], *([f"s{number}", *row[1:]] for number, row in enumerate(rows))]
    made = io.StringIO()
    csv.writer(made, delimiter=sign, lineterminator=end, quoting=quoting).writerows(rows)  # type: ignore[arg-type]
    data = (("\ufeff" if mark else "") + made.getvalue()).encode()
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_bytes(data)
    table = read_table(path)
    assert [[*row.values()] for row in table.rows] == rows[1:]
    assert table.filled({}).encode(table.encoding) == data
    changed = table.filled({0: {"b": "7.5"}})
    path.write_bytes(changed.encode())
    assert [[*row.values()] for row in read_table(path).rows] == [[*rows[1][:2], "7.5"], *rows[2:]]


def test_only_the_cells_that_are_put_in_change(put: Put) -> None:
    roster = read_roster(put(CANVAS))
    filled = roster.filled({1: {"Byte map (4711)": "9.5"}, 2: {"Final Score": "1"}})
    assert filled == CANVAS.replace('"A, B",,90', '"A, B",9.5,90').replace("A,7,\r\n", "A,7,1\r\n")


def test_what_we_put_in_is_no_formula_and_what_was_there_is_left_alone(put: Put) -> None:
    roster = read_roster(put("student,comment,points\n=1+1,,\n-x,,-3\n"))
    filled = roster.filled({0: {"comment": '=HYPERLINK("http://x")'}, 1: {"points": "-2", "comment": "a\nb, c"}})
    assert filled == 'student,comment,points\n=1+1,"\'=HYPERLINK(""http://x"")",\n-x,"a\\nb, c",-2\n'


def test_a_row_that_ends_early_is_filled_up(put: Put) -> None:
    assert read_roster(put("student,a,b\nx\n")).filled({0: {"b": "1"}}) == "student,a,b\nx,,1\n"


def test_a_column_that_is_not_there_or_there_twice_is_told(put: Put) -> None:
    roster = read_roster(put("student,a,a\nx,,\n"))
    for name in ("a", "b"):
        with pytest.raises(UsageError, match="column"):
            roster.filled({0: {name: "1"}})


# --- matching -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "identity",
    [
        Identity("doejane_12345", "doejane", platform=RosterKind.CANVAS, platform_id="12345"),
        Identity("doejane_1", "doejane", platform=RosterKind.CANVAS, platform_id="1"),
        Identity("jdoe"),
        Identity("JDOE"),
        Identity("S1"),
        Identity("Jane Doe"),
        Identity("doe_jane"),
        Identity("DoeJane"),
        Identity("submission_1", "Jane Doe", "somebody@x.edu"),
        Identity("submission_1", "", "jdoe@x.edu", ids=("S1",)),
    ],
)
def test_a_submission_is_matched_by_whatever_identifies_it(put: Put, identity: Identity) -> None:
    found = Matcher(read_roster(put(CANVAS))).match(identity)
    assert found.enrolled is not None
    assert found.enrolled.student == "jdoe"


def test_names_match_however_their_letters_are_composed(put: Put) -> None:
    found = Matcher(read_roster(put(MOODLE))).match(Identity("Roe, Zoe\u0308"))
    assert found.enrolled is not None
    assert found.enrolled.student == "Participant 123457"


def test_a_number_of_one_platform_is_no_number_of_another(put: Put) -> None:
    identity = Identity("x_12345", "x", platform=RosterKind.MOODLE, platform_id="12345")
    assert Matcher(read_roster(put(CANVAS))).match(identity).note == "not on the roster"


def test_what_fits_two_students_is_not_matched(put: Put) -> None:
    matcher = Matcher(read_roster(put("student,name,email\na,Jane Doe,j@x.edu\nb,Doe Jane,j@y.edu\n")))
    for label in ("jane doe", "j"):
        assert matcher.match(Identity(label)).enrolled is None
        assert "each of a, b" in matcher.match(Identity(label)).note


# --- lateness -----------------------------------------------------------------------------------------------------

DUE = datetime(2030, 1, 31, 23, 59, tzinfo=UTC)


def test_days_are_read_as_they_stand(put: Put) -> None:
    assert read_late(put("student,days\na,2\nb,0\nc,\n")) == {"a": 2}


def test_begun_days_count_from_the_due_date(put: Put) -> None:
    text = "student,submitted_at\na,2030-02-01T00:00:00Z\nb,2030-02-02 23:59:00 +0000\nc,2030-01-31T23:59\nd,\n"
    assert read_late(put(text), DUE) == {"a": 1, "b": 2}
    assert days_late(DUE + timedelta(days=1, microseconds=1), DUE) == 2


def test_a_time_of_gradescope_has_nanoseconds() -> None:
    assert moment("2030-01-31 23:59:00.123456789 Z") == DUE.replace(microsecond=123456)
    assert moment("yesterday") is None
    assert moment("2030-02-31 00:00 Z") is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("student\na\n", "its columns are student"),
        ("days\n1\n", "its columns are days"),
        ("student,days\na,many\n", "line 2: 'many' is no number"),
        ("student,days\na,-1\n", "line 2: '-1' is no number"),
        ("student,days\na,1\nA,2\n", "line 3: 'A' stands twice"),
        ("student,days\n,1\n", "line 2: the student is not named"),
        ("student,submitted_at\na,soon\n", "line 2: 'soon' is no time"),
    ],
)
def test_a_damaged_table_of_lateness_is_refused(put: Put, text: str, what: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_late(put(text), DUE)
    assert what in str(refused.value)
    assert refused.value.remedy


def test_a_time_says_nothing_without_a_due_date_that_can_be_compared(put: Put) -> None:
    path = put("student,submitted_at\na,2030-02-01T00:00:00Z\n")
    for due in (None, DUE.replace(tzinfo=None)):
        with pytest.raises(UsageError):
            read_late(path, due)
