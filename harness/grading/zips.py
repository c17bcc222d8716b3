"""A zip as entries. `zipfile` reads its directory; what a member is, and how much may come out, is ours to say."""

from __future__ import annotations

import io
import itertools
import stat
import struct
import zipfile
import zlib
from functools import partial
from typing import IO, BinaryIO, cast

from harness.grading.entries import Entry, Limits, Refused, canonical, is_ignored, matters, nothing

_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, OverflowError, RuntimeError)
"""All that `zipfile` was seen to raise on damaged input; what it cannot do, and a password, are RuntimeErrors."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The others are rare, and `zipfile` unpacks them without a bound on what one read gives."""
_DIRECTORY_BYTES = 512
"""Of the directory for each member: 46 and a name."""
_LOCAL_HEADER_BYTES = 30
_CHUNK_BYTES = 1 << 16
_UTF8_FLAG = 0x800
_ENCRYPTED_FLAG = 0x1


class _Bounded(io.RawIOBase):
    """A file that gives no more at once than a directory may have: `zipfile` believes the size that a zip states."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._most = file, most

    def read(self, size: int = -1) -> bytes:
        data = bytearray()  # in steps: one read of a size that a zip states would take that much memory first
        wanted = size if size >= 0 else self._most + 1
        while len(data) < wanted and (chunk := self._file.read(min(_CHUNK_BYTES, wanted - len(data)))):
            data += chunk
            if len(data) > self._most:
                raise Refused("its directory is larger than that of the most members allowed")
        return bytes(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


def zip_entries(file: BinaryIO, limits: Limits) -> list[Entry]:
    """Every file in a zip that is not ignored, in its order; `file` must stay open while entries are read.

    Raises Refused for what is wrong with the whole; what is wrong with one member stands in its entry.
    """
    bounded = _Bounded(file, max(limits.members * _DIRECTORY_BYTES, _CHUNK_BYTES * 2))
    try:
        archive = zipfile.ZipFile(cast(IO[bytes], bounded))
    except _BROKEN as error:
        raise Refused(f"it is no sound zip: {error}") from error
    members = archive.infolist()
    if len(members) > limits.members:
        raise Refused(f"it has {len(members)} members, and {limits.members} at most are allowed")
    _check_overlaps(members)
    spent = _Spent(limits)
    found = (_entry(archive, member, spent) for member in members)
    return [entry for entry in found if entry is not None]


def _check_overlaps(members: list[zipfile.ZipInfo]) -> None:
    """A member that begins within another is how few bytes become very many."""
    ordered = sorted(members, key=lambda member: member.header_offset)
    for one, other in itertools.pairwise(ordered):
        if one.header_offset + _LOCAL_HEADER_BYTES + one.compress_size > other.header_offset:
            raise Refused(f"{other.filename}: it overlaps {one.filename}")


class _Spent:
    """What came out of one archive so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.total_bytes = limits, 0

    def add(self, name: str, count: int) -> None:
        self.total_bytes += count
        if self.total_bytes > self.limits.total_bytes:
            raise Refused(f"{name}: with it more than {self.limits.total_bytes >> 20} MiB come out of the archive")


def _entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, spent: _Spent) -> Entry | None:
    raw = _name(member)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if raw.endswith("/") or stat.S_ISDIR(kind):
        return None
    try:
        path = canonical(raw)
    except Refused as error:
        return Entry(raw, nothing, refused=str(error))
    if is_ignored(path):
        return None
    if kind and not stat.S_ISREG(kind):
        what = "a link" if stat.S_ISLNK(kind) else "no regular file"
        return Entry(path, nothing, refused=f"{path}: it is {what}")
    return Entry(path, partial(_read, archive, member, path, spent) if matters(path) else nothing)


def _name(member: zipfile.ZipInfo) -> str:
    """The member's whole name: `filename` ends at a NUL, and takes UTF-8 without its flag for code page 437."""
    name = member.orig_filename
    if not member.flag_bits & _UTF8_FLAG and not name.isascii():
        try:
            return name.encode("cp437").decode("utf-8")  # as the archiver of macOS writes
        except UnicodeError:
            return name
    return name


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, spent: _Spent, limit: int) -> bytes:
    if member.flag_bits & _ENCRYPTED_FLAG:
        raise Refused(f"{path}: it is encrypted")
    if member.compress_type not in _METHODS:
        raise Refused(f"{path}: it is packed by method {member.compress_type}; only stored and deflated are read")
    data = bytearray()
    try:
        with archive.open(member) as opened:
            while chunk := opened.read(_CHUNK_BYTES):
                data += chunk
                spent.add(path, len(chunk))
                if len(data) > limit:
                    raise Refused(f"{path}: it is larger than {limit >> 20} MiB")
                too_dense = len(data) > spent.limits.ratio * max(1, member.compress_size)
                if len(data) > spent.limits.free_bytes and too_dense:
                    raise Refused(f"{path}: it unpacks to more than {spent.limits.ratio} times its size")
    except _BROKEN as error:
        raise Refused(f"{path}: it is damaged: {error}") from error
    if len(data) != member.file_size:
        raise Refused(f"{path}: its header says {member.file_size} bytes, and there are {len(data)}")
    return bytes(data)
