"""One submission or ten thousand, in whatever form they arrive: each student is one row, and nothing is lost."""

from __future__ import annotations

import io
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.course import load_course
from harness.errors import UsageError
from harness.grading.gradescope import read_metadata
from harness.grading.intake import receive
from harness.grading.roster import read_roster
from harness.records import Received
from harness.reports.readable import csv_cell, readable

COURSE = load_course()
MODULE = COURSE.module("M05.2")
UNIT = "tinyllm/tok/bytes_unicode.py"
CODE = "x = 1\n"
Files = Mapping[str, str | bytes]

GRADESCOPE = """\
---
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: '100'
    :email: jane@x.edu
  - :name: "Zo\\u00eb: \\"Z\\" Roe"
    :email: zoe@x.edu
  :created_at: 2030-02-01 08:00:00.000000000 Z
  :status: |
    :name: not a submitter
submission_2:
  :submitters:
  - :name: Jane Doe
    :sid: '100'
    :email: jane@x.edu
  :created_at: 2030-02-02 00:30:00.123456789 Z
submission_3:
  :submitters:
  - :name: &anchor Poe
    :sid: 0300
"""


def folder(root: Path, files: Files) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return root


def zipped(files: Files) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return made.getvalue()


def tarred(files: Files, mode: Any = "w:gz") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def got(source: Path, module: str = "M05.2", **options: Any) -> dict[str, Received]:
    found = list(receive(source, COURSE, COURSE.module(module), **options))
    assert len({one.key for one in found}) == len(found)
    assert all(one.reason == "" or not one.files for one in found)
    return {one.key: one for one in found}


def one(source: Path, module: str = "M05.2", **options: Any) -> Received:
    (found,) = got(source, module, **options).values()
    return found


# --- where a unit is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [f"python/{UNIT}", UNIT, "tok/bytes_unicode.py", "bytes_unicode.py", f"a/b/{UNIT}"])
def test_a_unit_is_found_wherever_it_was_put(tmp_path: Path, place: str) -> None:
    found = one(folder(tmp_path / "doe", {place: CODE, "notes.txt": ""}))
    assert found.files == {UNIT: CODE}
    assert (tmp_path / "doe" / place).exists()


def test_a_file_alone_is_its_students(tmp_path: Path) -> None:
    found = one(folder(tmp_path, {"jane.py": CODE}) / "jane.py")
    assert (found.student, found.files, found.source) == ("jane", {UNIT: CODE}, "jane.py")
    assert found.notes == ("jane.py was taken for bytes_unicode.py",)


def test_the_path_that_agrees_longest_wins(tmp_path: Path) -> None:
    found = one(folder(tmp_path / "doe", {f"python/{UNIT}": CODE, "bytes_unicode.py": "old = 1"}))
    assert (found.files, found.reason) == ({UNIT: CODE}, "")


def test_several_different_files_are_named_and_equal_ones_count_once(tmp_path: Path) -> None:
    assert one(folder(tmp_path / "a", {"python/a/bytes_unicode.py": CODE, "python/b/bytes_unicode.py": CODE})).files
    found = one(folder(tmp_path / "b", {"python/a/bytes_unicode.py": CODE, "python/b/bytes_unicode.py": "y"}))
    assert "several different files bytes_unicode.py: python/a/bytes_unicode.py, python/b/" in found.reason


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"byte_unicode.py": CODE}, "bytes_unicode.py was not found; byte_unicode.py looks like it"),
        ({"python/Bytes_Unicode.py": CODE}, "bytes_unicode.py was not found; python/Bytes_Unicode.py looks like it"),
        ({"bytes_unicode.py.txt": CODE}, "bytes_unicode.py was not found; bytes_unicode.py.txt looks like it"),
        ({"essay.pdf": ""}, "bytes_unicode.py was not found"),
        ({".hidden/bytes_unicode.py": CODE}, "bytes_unicode.py was not found: nothing was handed in"),
        ({"bytes_unicode.py": "a = 1\ndef f(:\n"}, "bytes_unicode.py is not Python: line 2: "),
        ({"bytes_unicode.py": b"# coding: utf-8\n\xff"}, "bytes_unicode.py is not Python: "),
        ({"bytes_unicode.py": b"\0"}, "bytes_unicode.py is not Python: "),
        ({"bytes_unicode.py": b"#" * (1 << 21)}, "bytes_unicode.py: it is larger than 1 MiB"),
    ],
)
def test_what_cannot_be_graded_says_why(tmp_path: Path, files: Files, reason: str) -> None:
    found = one(folder(tmp_path / "doe", files))
    assert found.reason.startswith(reason)
    assert not found.missing


def test_text_is_decoded_as_python_does(tmp_path: Path) -> None:
    latin = "# coding: latin-1\r\nx = 'é'\r\n"
    found = one(folder(tmp_path / "doe", {"bytes_unicode.py": latin.encode("latin-1")}))
    assert found.files[UNIT] == latin.replace("\r\n", "\n")


def test_needed_units_and_further_modules_come_along(tmp_path: Path) -> None:
    files = {
        "python/tinyllm/tok/bpe.py": "b = 1",
        f"python/{UNIT}": CODE,
        "python/tinyllm/tok/helper.py": "h = 1",
        "python/tinyllm/tok/__init__.py": "i = 1",
        "python/tinyllm/broken.py": "def",
        "python/tests/test_it.py": "t = 1",
        "old/tinyllm/tok/other.py": "o = 1",
    }
    found = one(folder(tmp_path / "doe", files), "L1.2")
    assert found.files == {"tinyllm/tok/bpe.py": "b = 1", UNIT: CODE, "tinyllm/tok/helper.py": "h = 1"}
    assert any("broken.py is not Python" in note for note in found.notes)


def test_a_needed_unit_may_be_missing_or_broken(tmp_path: Path) -> None:
    found = one(folder(tmp_path / "doe", {"bpe.py": "b = 1", "bytes_unicode.py": "def"}), "L1.2")
    assert list(found.files) == ["tinyllm/tok/bpe.py"]
    assert "left out: bytes_unicode.py is not Python" in found.notes[0]


def test_too_many_further_modules_are_refused(tmp_path: Path) -> None:
    files = {f"python/tinyllm/h{number}.py": "" for number in range(51)}
    assert "51 further modules" in one(folder(tmp_path / "doe", {f"python/{UNIT}": CODE, **files})).reason


def test_links_are_not_followed_and_told(tmp_path: Path) -> None:
    root = folder(tmp_path / "doe", {"a/secret.py": CODE})
    (root / "bytes_unicode.py").symlink_to(root / "a" / "secret.py")
    (root / "python").symlink_to(root / "a")
    found = one(root)
    assert "was not found" in found.reason
    assert [note.partition(":")[0] for note in found.notes] == [
        "bytes_unicode.py was left out",
        "python was left out",
    ]


def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    root = folder(tmp_path / "doe", {"x.txt": ""})
    os.mkfifo(root / "bytes_unicode.py")
    assert "no regular file" in one(root).notes[0]


def test_what_may_not_be_read_is_a_row_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path / "class", {"doe/bytes_unicode.py": CODE, "roe/bytes_unicode.py": CODE})
    listed = Path.iterdir

    def guarded(path: Path) -> Iterator[Path]:
        if path.name == "doe":
            raise PermissionError(13, "Permission denied")  # as for anyone but root, who may read everything
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", guarded)
    found = got(root)
    assert "Permission denied" in found["doe"].reason
    assert found["roe"].files


# --- whose it is --------------------------------------------------------------------------------------------------


def test_folders_archives_and_files_of_students_are_one_class(tmp_path: Path) -> None:
    files = {
        "doe/hw/bytes_unicode.py": CODE,
        "roe.zip": zipped({f"hw/python/{UNIT}": CODE}),
        "poe.tar.gz": tarred({"bytes_unicode.py": CODE}),
        "moe.py": CODE,
        "loe.zip": b"no zip",
        "koe.rar": b"Rar!\x1a\x07",
        "joe.pdf": b"",
        "grades.csv": "student\n",
    }
    found = got(folder(tmp_path / "class", files))
    assert list(found) == ["doe", "joe", "koe", "loe", "moe", "poe", "roe"]
    assert {key for key, row in found.items() if row.files == {UNIT: CODE}} == {"doe", "moe", "poe", "roe"}
    assert found["loe"].reason == "loe.zip: it is no zip and no tar"
    assert "RAR" in found["koe"].reason
    assert found["joe"].reason == "bytes_unicode.py was not found"
    assert found["roe"].source == "class/roe.zip"


def test_a_submission_of_many_folders_is_still_one(tmp_path: Path) -> None:
    assert one(folder(tmp_path / "a", {f"python/{UNIT}": CODE, "docs/x.md": "", "old/y.py": ""})).student == "a"
    assert one(folder(tmp_path / "b", {f"code/{UNIT}": CODE, "docs/x.md": "", ".git/HEAD": ""})).student == "b"
    assert one(folder(tmp_path / "c", {"setup.py": "", f"lib/{UNIT}": CODE, "docs/x.md": ""})).student == "c"


def test_one_folder_around_everything_changes_nothing(tmp_path: Path) -> None:
    plain = {"doe/bytes_unicode.py": CODE, "roe/bytes_unicode.py": CODE}
    (tmp_path / "class.zip").write_bytes(zipped({f"all/hw1/{name}": text for name, text in plain.items()}))
    assert list(got(tmp_path / "class.zip")) == ["doe", "roe"]
    (tmp_path / "doe.zip").write_bytes(zipped({"hw/bytes_unicode.py": CODE}))
    assert one(tmp_path / "doe.zip").student == "doe"
    assert one(folder(tmp_path / "handed in", {"doe.zip": zipped({"bytes_unicode.py": CODE})})).student == "doe"


def test_a_download_of_canvas_says_who_and_how_late(tmp_path: Path) -> None:
    files = {
        "doejane_12345_67890_bytes_unicode-1.py": CODE,
        "doejane_12345_67889_bytes_unicode.py": "old = 1",
        "roezoe_LATE_12346_67891_bytes_unicode.py": CODE,
        "poeann_12347_67892_hw.zip": zipped({"bytes_unicode.py": CODE}),
        "moe_12348_67893_x_99_1_bytes_unicode.py": CODE,
    }
    roster = tmp_path / "roster.csv"
    roster.write_text('Student,ID,SIS Login ID,Section\n"Doe, Jane",12345,jdoe,A\n"Roe, Zoe",12346,zroe,A\n')
    found = got(folder(tmp_path / "class", files), roster=read_roster(roster))
    assert list(found) == ["jdoe", "moe_12348", "poeann_12347", "zroe"]
    assert found["jdoe"].files == {UNIT: CODE}
    assert "of 2 uploads of bytes_unicode.py the newest was taken" in found["jdoe"].notes
    assert (found["zroe"].late_days, found["jdoe"].late_days) == (1, 0)
    assert found["poeann_12347"].notes == ("not on the roster",)
    assert found["poeann_12347"].files


def test_a_download_of_moodle_says_who(tmp_path: Path) -> None:
    files = {
        "Jane Doe_123456_assignsubmission_file/bytes_unicode.py": CODE,
        "Jane Doe_123456_assignsubmission_onlinetext/onlinetext.html": "",
        "Zoë Roe_123457_assignsubmission_file_/hw/bytes_unicode.py": CODE,
        "Ann Poe_123458_assignsubmission_file_a_9_assignsubmission_file_bytes_unicode.py": CODE,
    }
    roster = tmp_path / "roster.csv"
    roster.write_text("Identifier,Full name,Email address\nParticipant 123457,Zoë Roe,z@x\nParticipant 9,Eve,e@x\n")
    found = got(folder(tmp_path / "class", files), roster=read_roster(roster))
    assert list(found) == ["Ann Poe_123458", "Jane Doe_123456", "Participant 123457", "Participant 9"]
    assert found["Participant 9"].missing
    assert found["Jane Doe_123456"].files == found["Participant 123457"].files == {UNIT: CODE}
    assert found["Participant 123457"].email == "z@x"


def test_an_export_of_gradescope_says_who_and_when(tmp_path: Path) -> None:
    root = "assignment_1_export"
    files = {
        f"{root}/submission_metadata.yml": GRADESCOPE,
        f"{root}/submission_1/bytes_unicode.py": CODE,
        f"{root}/submission_2/bytes_unicode.py": "newer = 1\n",
        f"{root}/submission_4/bytes_unicode.py": CODE,
    }
    (tmp_path / "export.zip").write_bytes(zipped(files))
    found = got(tmp_path / "export.zip", due=datetime(2030, 1, 31, tzinfo=UTC))
    assert list(found) == ["0300", "100", "submission_4", "zoe@x.edu"]
    assert found["0300"].reason == "submission_3: the export has no such folder"
    assert (found["100"].files, found["100"].late_days) == ({UNIT: "newer = 1\n"}, 3)
    assert "an older submission was left aside: export.zip!/assignment_1_export/submission_1" in found["100"].notes
    assert (found["zoe@x.edu"].name, found["zoe@x.edu"].late_days) == ('Zoë: "Z" Roe', 2)
    assert found["zoe@x.edu"].notes == ("handed in together with Jane Doe",)


@given(st.text(max_size=300))
def test_any_text_is_read_as_metadata_or_passed_over(text: str) -> None:
    read_metadata("submission_1:\n  :submitters:\n" + text)


def test_a_table_of_repositories_names_students_and_their_folders(tmp_path: Path) -> None:
    folder(tmp_path, {f"repos/a/python/{UNIT}": CODE, "repos/b/readme.txt": "", "table/list.csv": ""})
    table = tmp_path / "table" / "list.csv"
    table.write_text("student,repository\ndoe,../repos/a\nroe,../repos/b\nmoe,../repos/none\n")
    found = got(table)
    assert found["doe"].files == {UNIT: CODE}
    assert found["roe"].reason == "bytes_unicode.py was not found"
    assert "No such file" in found["moe"].reason
    table.write_text("student,url\ndoe,x\n")
    with pytest.raises(UsageError, match="where the work lies"):
        got(table)


def test_several_submissions_of_one_student_without_times_are_named(tmp_path: Path) -> None:
    files = {"doe/bytes_unicode.py": CODE, "doe.zip": zipped({"bytes_unicode.py": CODE}), "roe.py": CODE}
    found = got(folder(tmp_path / "class", files))
    assert "nothing tells which is the newest: class/doe, class/doe.zip" in found["doe"].reason


def test_whoever_is_on_the_roster_has_a_row(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student,name\njdoe,Jane Doe\nzroe,Zoe Roe\n")
    found = got(folder(tmp_path / "class", {"Jane Doe/bytes_unicode.py": CODE}), roster=read_roster(roster))
    assert (found["jdoe"].name, found["jdoe"].missing) == ("Jane Doe", False)
    assert (found["zroe"].missing, found["zroe"].reason) == (True, "nothing was handed in")


def test_lateness_is_looked_up_by_any_identifier_and_a_name_without_owner_is_told(tmp_path: Path) -> None:
    source = folder(tmp_path / "class", {"doe/bytes_unicode.py": CODE, "roe/bytes_unicode.py": CODE})
    assert {key: row.late_days for key, row in got(source, late={"DOE": 2}).items()} == {"doe": 2, "roe": 0}
    with pytest.raises(UsageError, match="'do', whom nothing else names"):
        got(source, late={"do": 2})
    with pytest.raises(UsageError, match="no offset"):
        got(source, due=datetime(2030, 1, 31))


# --- archives -----------------------------------------------------------------------------------------------------


def test_one_archive_within_another_is_opened_and_a_third_is_not(tmp_path: Path) -> None:
    inner = zipped({"bytes_unicode.py": CODE})
    class_zip = zipped({"doe/hw.zip": inner, "roe.zip": zipped({"hw.zip": inner}), "moe.zip": inner[:-30]})
    (tmp_path / "class.zip").write_bytes(class_zip)
    found = got(tmp_path / "class.zip")
    assert found["doe"].files == {UNIT: CODE}
    assert "roe.zip!/hw.zip is an archive within an archive" in found["roe"].reason
    assert found["moe"].reason.startswith("moe.zip: it is no sound zip")


def test_an_archive_is_left_alone_where_the_unit_lies_beside_it(tmp_path: Path) -> None:
    assert one(folder(tmp_path / "doe", {"bytes_unicode.py": CODE, "old.zip": b"damaged"})).files


def test_a_broken_rule_costs_the_student_whom_it_is_of_and_no_other(tmp_path: Path) -> None:
    files = {"doe/../../x.py": CODE, "roe/bytes_unicode.py": CODE, "moe/a.py": CODE, "moe/A.py": CODE}
    (tmp_path / "class.zip").write_bytes(zipped({**files, "moe/bytes_unicode.py": CODE}))
    found = got(tmp_path / "class.zip")
    assert "leads out of its folder" in found["doe"].reason
    assert "ignores case" in found["moe"].reason
    assert found["roe"].files


def test_a_broken_rule_of_nobody_costs_the_batch(tmp_path: Path) -> None:
    for name in ("../x.py", "/etc/x.py", "a\nb/x.py"):
        (tmp_path / "class.zip").write_bytes(zipped({name: CODE, "roe/bytes_unicode.py": CODE}))
        with pytest.raises(UsageError, match=r"class\.zip: ") as refused:
            got(tmp_path / "class.zip")
        assert "\n" not in str(refused.value)


def test_a_source_that_is_not_there_or_no_archive_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        got(tmp_path / "none")
    (tmp_path / "class.zip").write_bytes(b"print")
    with pytest.raises(UsageError, match="no zip and no tar"):
        got(tmp_path / "class.zip")


LETTERS = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/\\:")
NAMES = st.text(LETTERS, min_size=1, max_size=12).map(lambda name: f"s{name}")


@given(st.sets(NAMES, min_size=2, max_size=4), st.sampled_from(["bytes_unicode.py", f"hw/{UNIT}", "essay.txt"]))
def test_a_class_is_the_same_as_a_folder_a_zip_and_a_tar(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], place: str
) -> None:
    root = tmp_path_factory.mktemp("class")
    files = {f"{name}/{place}": CODE for name in names}
    (root / "c.zip").write_bytes(zipped(files))
    (root / "c.tar").write_bytes(tarred(files, "w"))
    (root / "c.tar.xz").write_bytes(tarred(files, "w:xz"))
    folder(root / "c", files)
    keys = ("c", "c.zip", "c.tar", "c.tar.xz")
    rows = [[(row.key, row.files, row.reason) for row in receive(root / key, COURSE, MODULE)] for key in keys]
    assert rows[0] == rows[1] == rows[2] == rows[3]


@given(st.text(st.characters(exclude_characters="\0/"), min_size=1, max_size=30).filter(lambda name: name[0] != "."))
def test_any_name_that_can_be_typed_is_a_row_that_can_be_shown(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    root = tmp_path_factory.mktemp("class")
    try:
        folder(root, {f"{name}/bytes_unicode.py": CODE, "another one/bytes_unicode.py": CODE})
    except (OSError, UnicodeError):
        return  # no name of a file here
    for row in receive(root, COURSE, MODULE):
        for text in (row.key, row.student, row.name, row.source, row.reason, *row.notes):
            assert readable(text) == text
            assert text.encode().decode() == text
            assert not csv_cell(text).startswith(("=", "+", "-", "@"))


def test_memory_does_not_grow_with_the_class(tmp_path: Path) -> None:
    code = f"x = '''{'a' * 100_000}'''\n"
    (tmp_path / "class.zip").write_bytes(zipped({f"s{number:03}/bytes_unicode.py": code for number in range(300)}))
    tracemalloc.start()
    count = sum(bool(row.files) for row in receive(tmp_path / "class.zip", COURSE, MODULE))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 300
    assert peak_bytes < 8 << 20
