"""Archives as students and attackers make them: what is read is right, and what is not says why."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.grading.archives import nested_entries
from harness.grading.entries import ONE_STUDENT, Entry, Limits, Refused, canonical, collision

MIB = 1 << 20


def zipped(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def tarred(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def gzipped(files: Mapping[str, bytes]) -> bytes:
    return gzip.compress(tarred(files))


FORMATS: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {
    "zip": zipped,
    "tar": tarred,
    "tar.gz": gzipped,
    "tar.bz2": lambda files: bz2.compress(tarred(files)),
    "tar.xz": lambda files: lzma.compress(tarred(files)),
}
each_format = pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS)
NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/\\"), min_size=1, max_size=20).map(
    lambda name: f"xx{name}.py"
)


def read(data: bytes, limits: Limits = ONE_STUDENT) -> dict[str, bytes]:
    return {entry.path: entry.read(MIB) for entry in nested_entries(data, limits)}


def only(data: bytes, limits: Limits = ONE_STUDENT) -> Entry:
    (entry,) = nested_entries(data, limits)
    return entry


def special(kind: bytes, target: str = "/etc/passwd") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo("x.py")
        member.type, member.linkname = kind, target
        archive.addfile(member)
    return made.getvalue()


# --- what is read -------------------------------------------------------------------------------------------------


@each_format
@given(files=st.dictionaries(NAMES, st.binary(max_size=2000), max_size=5))
def test_every_format_gives_back_what_was_put_in(
    make: Callable[[Mapping[str, bytes]], bytes], files: dict[str, bytes]
) -> None:
    assert read(make(files)) == {canonical(name): data for name, data in files.items()}


@each_format
def test_a_file_that_cannot_matter_is_listed_and_not_read(make: Callable[[Mapping[str, bytes]], bytes]) -> None:
    (image, code) = nested_entries(make({"a.png": b"1", "x.py": b"2"}), ONE_STUDENT)
    assert (image.path, code.read(1)) == ("a.png", b"2")
    with pytest.raises(Refused):
        image.read(1)


@each_format
def test_what_lies_in_hidden_folders_is_ignored_even_where_it_breaks_rules(
    make: Callable[[Mapping[str, bytes]], bytes],
) -> None:
    names = ("__MACOSX/._x.py", ".git/x.py", "a/.venv/x.py", "node_modules/x.py", "__pycache__/x.py", ".x.py")
    assert read(make({**dict.fromkeys(names, b""), "./a//x.py": b"1"})) == {"a/x.py": b"1"}


def test_a_name_without_the_flag_for_unicode_is_still_the_one_that_was_typed() -> None:
    data = zipped({"Zoë/x.py": b"1"})
    unflagged = data.replace(struct.pack("<HHH", 20, 0x800, 8), struct.pack("<HHH", 20, 0, 8))
    assert unflagged != data
    assert list(read(unflagged)) == ["Zoë/x.py"]


def test_two_streams_of_gzip_in_a_row_are_one() -> None:
    data = tarred({"x.py": b"1"})
    assert read(gzip.compress(data[:700]) + gzip.compress(data[700:])) == {"x.py": b"1"}


def test_a_hundred_thousand_members_are_too_many_for_a_student_and_not_for_a_class() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(100_000):
            archive.writestr(zipfile.ZipInfo(f"{number}.py"), b"")
    with pytest.raises(Refused, match=r"its directory is larger|has 100000 members"):
        nested_entries(made.getvalue(), ONE_STUDENT)
    assert len(nested_entries(made.getvalue(), replace(ONE_STUDENT, members=100_000))) == 100_000


# --- what is refused ----------------------------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("../x.py", "leads out"),
        ("a/../../x.py", "leads out"),
        ("/x.py", "absolute"),
        ("C:x.py", "drive"),
        ("a\\x.py", "backslash"),
        ("a\nx.py", "control"),
        ("a\x1b[2Jx.py", "control"),
        ("a/" * 3000 + "x.py", "longer"),
    ],
)
def test_a_name_that_could_mean_another_place_is_refused(
    make: Callable[[Mapping[str, bytes]], bytes], name: str, rule: str
) -> None:
    assert rule in only(make({name: b"1"})).refused


def test_a_name_that_goes_on_behind_a_nul_is_refused() -> None:
    data = zipped({"x.pyQ.png": b"1"}).replace(b"x.pyQ", b"x.py\0")
    assert "control" in only(data).refused


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.GNUTYPE_SPARSE],
)
def test_only_regular_files_are_taken_from_a_tar(kind: bytes) -> None:
    assert "it is a link" in (refused := only(special(kind)).refused) or "no regular file" in refused


@pytest.mark.parametrize(("mode", "what"), [(0o120777, "a link"), (0o020666, "no regular"), (0o010666, "no regular")])
def test_only_regular_files_are_taken_from_a_zip(mode: int, what: str) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        member = zipfile.ZipInfo("x.py")
        member.external_attr = mode << 16
        archive.writestr(member, "/etc/passwd")
    assert what in only(made.getvalue()).refused


@each_format
def test_what_unpacks_to_far_more_than_it_was_is_refused(make: Callable[[Mapping[str, bytes]], bytes]) -> None:
    bomb = make({"x.zip": bytes(20 * MIB)})
    with pytest.raises(Refused, match=r"times its size|larger than 10 MiB"):
        [entry.read(10 * MIB) for entry in nested_entries(bomb, ONE_STUDENT)]


def test_a_bomb_that_is_skipped_is_counted_all_the_same() -> None:
    with pytest.raises(Refused, match="times its size"):
        nested_entries(gzipped({"a.png": bytes(20 * MIB), "x.py": b"1"}), ONE_STUDENT)


@pytest.mark.parametrize("make", [zipped, gzipped])
def test_the_total_is_counted_as_it_is_read(make: Callable[[Mapping[str, bytes]], bytes]) -> None:
    data = make({f"{number}.py": bytes(9000) for number in range(10)})
    with pytest.raises(Refused, match="more than 0 MiB"):
        read(data, Limits(members=10, total_bytes=50_000))


def test_members_that_share_bytes_are_refused() -> None:
    data = zipped({"a.py": b"1" * 99, "b.py": b"2" * 99})
    second = data.index(b"PK\3\4", 4)
    entry = data.index(b"b.py", data.index(b"PK\1\2")) - 46
    assert struct.unpack_from("<L", data, entry + 42) == (second,)
    shared = data[: entry + 42] + struct.pack("<L", 0) + data[entry + 46 :]
    with pytest.raises(Refused, match="overlaps"):
        nested_entries(shared, ONE_STUDENT)


@pytest.mark.parametrize("size", [0, 1, 50, 200, 2**31])
def test_a_size_that_is_not_the_true_one_is_refused(size: int) -> None:
    data = bytearray(zipped({"x.py": b"1" * 99}))
    struct.pack_into("<L", data, data.index(b"PK\1\2") + 24, size)
    with pytest.raises(Refused, match=r"x\.py: "):
        only(bytes(data)).read(MIB)


def test_a_directory_that_says_it_is_enormous_is_refused_before_it_is_read() -> None:
    data = bytearray(zipped({"x.py": b"1"}))
    struct.pack_into("<L", data, data.rindex(b"PK\5\6") + 12, 2**31)
    with pytest.raises(Refused):
        nested_entries(bytes(data), ONE_STUDENT)


def test_a_long_name_of_a_tar_that_is_enormous_is_refused_before_it_is_read() -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("x" * (3 * MIB)))
    with pytest.raises(Refused, match="headers is larger"):
        nested_entries(made.getvalue(), ONE_STUDENT)


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(zipped({"x.py": b"1"}))
    for magic, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(magic) + offset] |= 1
    with pytest.raises(Refused, match="encrypted"):
        only(bytes(data)).read(MIB)


def test_a_method_of_packing_that_has_no_bound_is_refused() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x.py", "1")
    with pytest.raises(Refused, match="method 14"):
        only(made.getvalue()).read(MIB)


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"Rar!\x1a\x07\x01\x00", "RAR"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"print(1)", "no zip and no tar"),
        (b"", "empty"),
    ],
)
def test_what_is_no_archive_of_ours_is_refused_by_name(start: bytes, what: str) -> None:
    with pytest.raises(Refused, match=what):
        nested_entries(start, ONE_STUDENT)


@each_format
@given(data=st.data())
def test_an_archive_that_was_cut_off_is_refused_and_never_read_in_part(
    make: Callable[[Mapping[str, bytes]], bytes], data: st.DataObject
) -> None:
    whole = make({"a.py": bytes(range(256)) * 8, "b.py": b"2" * 700})
    content_end = whole.rstrip(b"\0")
    cut = data.draw(st.integers(0, len(content_end) - 1))
    with pytest.raises(Refused):
        read(whole[:cut])


@each_format
@given(data=st.data())
def test_a_damaged_archive_is_refused_or_read_but_never_breaks_us(
    make: Callable[[Mapping[str, bytes]], bytes], data: st.DataObject
) -> None:
    whole = bytearray(make({"a.py": b"1" * 99, "b/c.py": b"2" * 99}))
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=4)):
        whole[place] = data.draw(st.integers(0, 255))
    try:
        read(bytes(whole))
    except Refused as error:
        assert str(error)


@given(st.binary(max_size=3000), st.sampled_from([b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b""]))
def test_any_bytes_are_refused_or_read_but_never_break_us(data: bytes, start: bytes) -> None:
    try:
        read(start + data)
    except Refused as error:
        assert str(error)


# --- names --------------------------------------------------------------------------------------------------------


def test_names_collide_where_another_system_would_take_them_for_one() -> None:
    assert collision(["a/x.py", "A/X.py"]) == ("a/x.py", "A/X.py")
    assert collision(["Zoe\u0308.py", "zo\u00eb.py"]) == ("Zoe\u0308.py", "zo\u00eb.py")
    assert collision(["x.py", "x.py"]) == ("x.py", "x.py")
    assert collision(["x.py", "y.py"]) is None
