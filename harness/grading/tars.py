"""A tar as entries, packed or not. `tarfile` reads the headers; what a member is, and whether it is read, is ours."""

from __future__ import annotations

import lzma
import struct
import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, BinaryIO, Protocol, cast

from harness.grading.entries import Entry, Limits, Refused, canonical, is_ignored, matters, nothing
from harness.grading.inflating import UNPACKERS, Inflated

_BROKEN = (tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError, OverflowError)
_MOST_HELD_BYTES = 256 << 20
_LARGEST_HEADER_BYTES = 1 << 20
_END = bytes(tarfile.BLOCKSIZE)


class _Stream(Protocol):
    def read(self, size: int = -1) -> bytes: ...
    def seek(self, offset: int, whence: int = 0) -> int: ...
    def tell(self) -> int: ...


class _Watched:
    """What `tarfile` reads, with a bound on one read and a memory of the last: it takes damage for the end."""

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream
        self.last = b""
        self.tell, self.seek = stream.tell, stream.seek

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _LARGEST_HEADER_BYTES:
            raise Refused(f"one of its headers is larger than {_LARGEST_HEADER_BYTES >> 20} MiB")
        self.last = self._stream.read(size)
        return self.last


def tar_entries(file: BinaryIO, limits: Limits) -> list[Entry]:
    """Every file in a tar that is not ignored, in its order; `file` must stay open while entries are read.

    A packed tar is gone through once, and of it is held, packed, what could matter. Raises Refused for what is wrong
    with the whole; what is wrong with one member stands in its entry.
    """
    start = file.read(8)
    file.seek(0)
    fresh = next((fresh for magic, fresh in UNPACKERS.items() if start.startswith(magic)), None)
    try:
        if fresh is None:
            return list(_entries(file, limits, packed=False))
        return list(_entries(Inflated(file, fresh, limits), limits, packed=True))
    except _BROKEN as error:
        raise Refused(f"it is no sound tar: {error}") from error


def _entries(stream: _Stream, limits: Limits, *, packed: bool) -> Iterator[Entry]:
    watched = _Watched(stream)
    held_bytes = count = 0
    with tarfile.open(fileobj=cast(IO[bytes], watched), mode="r:", errorlevel=2) as archive:
        while (member := archive.next()) is not None:
            vars(archive)["members"].clear()  # it would keep every header
            count += 1
            if count > limits.members:
                raise Refused(f"it has more than {limits.members} members")
            entry = _entry(member)
            if entry is None:
                continue
            if entry.refused or not matters(entry.path):
                yield entry
            elif not packed:
                yield Entry(entry.path, partial(_read, stream, member.offset_data, member.size, entry.path))
            elif member.size > limits.member_bytes:
                yield Entry(entry.path, partial(_too_large, entry.path))
            else:
                stream.seek(member.offset_data)
                held = zlib.compress(_exactly(stream, member.size, entry.path), 1)
                held_bytes += len(held)
                if held_bytes > _MOST_HELD_BYTES:
                    raise Refused("it holds too much to be read without unpacking: unpack it, or make it a zip")
                yield Entry(entry.path, partial(_held, held, member.size, entry.path))
        if watched.last != _END:
            raise Refused("it ends in the middle: it is cut off or damaged")
        while packed and stream.read(_LARGEST_HEADER_BYTES):
            pass  # the check sum comes last


def _entry(member: tarfile.TarInfo) -> Entry | None:
    if member.isdir():
        return None
    try:
        path = canonical(member.name)
    except Refused as error:
        return Entry(member.name, nothing, refused=str(error))
    if is_ignored(path):
        return None
    if not member.isreg() or member.issparse():
        what = "a link" if member.issym() or member.islnk() else "no regular file"
        return Entry(path, nothing, refused=f"{path}: it is {what}")
    return Entry(path, nothing)


def _read(stream: _Stream, offset: int, size: int, path: str, limit: int) -> bytes:
    if size > limit:
        _too_large(path, limit)
    try:
        stream.seek(offset)
        return _exactly(stream, size, path)
    except OSError as error:
        raise Refused(f"{path}: it cannot be read: {error.strerror}") from error


def _exactly(stream: _Stream, size: int, path: str) -> bytes:
    data = bytearray()
    while len(data) < size and (chunk := stream.read(min(_LARGEST_HEADER_BYTES, size - len(data)))):
        data += chunk
    if len(data) != size:
        raise Refused(f"{path}: its header says {size} bytes, and there are {len(data)}")
    return bytes(data)


def _held(held: bytes, size: int, path: str, limit: int) -> bytes:
    if size > limit:
        _too_large(path, limit)
    return zlib.decompress(held)


def _too_large(path: str, limit: int) -> bytes:
    raise Refused(f"{path}: it is larger than {limit >> 20} MiB")
