"""A packed stream read in bounded steps: what comes out is counted, never believed."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

from harness.grading.entries import Limits, Refused

_PACKED_CHUNK_BYTES = 1 << 16
_SKIP_BYTES = 1 << 20
_LARGEST_READ_BYTES = 1 << 24
_LZMA_MEMORY_BYTES = 128 << 20
"""`xz -9` asks for half of it."""


class _Unpacker(Protocol):
    """What `bz2` and `lzma` offer."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """At most that many bytes of what comes out."""


class _Gzip:
    """`zlib` in the form of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


UNPACKERS: dict[bytes, Callable[[], _Unpacker]] = {
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY_BYTES),
}
"""By how a file begins."""


class Inflated:
    """The unpacked stream, forward only, as `tarfile` reads it. Every method raises Refused past a limit."""

    def __init__(self, file: BinaryIO, fresh: Callable[[], _Unpacker], limits: Limits) -> None:
        self._file, self._fresh, self._limits = file, fresh, limits
        self._unpacker = fresh()
        self._packed_bytes = self._at = 0
        self._ended = False

    def tell(self) -> int:
        """Bytes that came out so far."""
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        """Skip to a place further on."""
        if whence != 0 or offset < self._at:
            raise Refused("its members are not in order")
        while self._at < offset and self.read(min(_SKIP_BYTES, offset - self._at)):
            pass
        return self._at

    def read(self, size: int = -1) -> bytes:
        """That many bytes, fewer at the end only."""
        if not 0 <= size <= _LARGEST_READ_BYTES:
            raise Refused(f"one of its headers is larger than {_LARGEST_READ_BYTES >> 20} MiB")
        found = bytearray()
        while len(found) < size and not self._ended:
            found += self._some(size - len(found))
        return bytes(found)

    def _some(self, most: int) -> bytes:
        """At least a step further: perhaps no bytes, never more than `most`."""
        packed = b""
        if self._unpacker.eof:
            # Several streams in a row are one; what follows the last without being one is padding.
            packed = self._unpacker.unused_data.lstrip(b"\0") or self._more().lstrip(b"\0")
            if not packed:
                self._ended = True
                return b""
            self._unpacker = self._fresh()
        elif self._unpacker.needs_input and not (packed := self._more()):
            raise EOFError("the packed data ends too early")
        data = self._unpacker.decompress(packed, most)
        self._at += len(data)
        self._check()
        return data

    def _more(self) -> bytes:
        data = self._file.read(_PACKED_CHUNK_BYTES)
        self._packed_bytes += len(data)
        return data

    def _check(self) -> None:
        limits = self._limits
        if self._at > limits.total_bytes:
            raise Refused(f"it unpacks to more than {limits.total_bytes >> 20} MiB")
        if self._at > limits.free_bytes and self._at > limits.ratio * self._packed_bytes:
            raise Refused(f"it unpacks to more than {limits.ratio} times its size")
