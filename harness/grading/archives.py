"""Any archive as entries. Nothing is ever unpacked to disk, and no archive library decides what a name may mean."""

from __future__ import annotations

import io
from typing import BinaryIO

from harness.grading.entries import Entry, Limits, Refused
from harness.grading.inflating import UNPACKERS
from harness.grading.tars import tar_entries
from harness.grading.zips import zip_entries

_ELSE = {
    b"\x28\xb5\x2f\xfd": "packed with Zstandard",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
}
_USTAR_AT = 257


def archive_entries(file: BinaryIO, limits: Limits) -> list[Entry]:
    """Every file in an archive that is not ignored; `file` must stay open while entries are read.

    What it is is told by its first bytes: people rename archives. Raises Refused where the whole cannot be used.
    """
    start = file.read(_USTAR_AT + 5)
    file.seek(0)
    if start.startswith(b"PK"):
        return zip_entries(file, limits)
    is_empty_tar = len(start) > _USTAR_AT and not start.strip(b"\0")
    if start.startswith(tuple(UNPACKERS)) or start[_USTAR_AT:] == b"ustar" or is_empty_tar:
        return tar_entries(file, limits)
    for magic, kind in _ELSE.items():
        if start.startswith(magic):
            raise Refused(f"it is {kind}, which is not opened: hand it in as a zip")
    raise Refused("it is no zip and no tar" if start else "it is empty")


def nested_entries(data: bytes, limits: Limits) -> list[Entry]:
    """As `archive_entries`, for an archive that lies in another one or in a student's folder."""
    return archive_entries(io.BytesIO(data), limits)
