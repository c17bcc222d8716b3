"""Correct, and unusual in its types: results are of subclasses, special ids are an IntEnum's, records are mutable.

Whatever a caller reads by name, by index or by equality is as it should be.
"""

import hashlib
import json
import math
from collections import UserList, namedtuple
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import SupportsIndex


class Special(IntEnum):
    BOS = 256
    EOS = 257


BOS_ID, EOS_ID = Special
VOCAB_SIZE = 256 + len(Special)
IGNORE_INDEX = -100


class Ids(list):
    """A list that says what is in it."""

    def __repr__(self) -> str:
        return f"Ids({super().__repr__()})"


class Text(str):
    __slots__ = ()


class Data(bytes):
    pass


class Share(float):
    pass


class Allowed(frozenset):
    def __contains__(self, token_id: object) -> bool:
        return isinstance(token_id, int) and super().__contains__(token_id)


@dataclass
class Generation:
    generated_ids: list[int]
    text: str
    valid_utf8: bool
    replaced: bool


Rate = namedtuple("Rate", "count total low high")
Ledger = namedtuple("Ledger", ["code_points", "raw_bytes", "body_tokens", "targets"])


def utf8_encode(code_point: SupportsIndex) -> bytes:
    if isinstance(code_point, (bool, float, str, type(None))):
        raise TypeError(type(code_point))
    point = index(code_point)
    if point < 0:
        raise ValueError("negative")
    if point >> 11 == 0b11011:
        raise ValueError("surrogate")
    if point > 0x10FFFF:
        raise ValueError("past the end")
    bits = point.bit_length()
    if bits < 8:
        return Data([point])
    more = 1 if bits <= 11 else 2 if bits <= 16 else 3
    number = 0
    for place in range(more + 1):
        number |= (point >> 6 * place & 0x3F | 0x80) << 8 * place if place < more else (point >> 6 * place) << 8 * place
    number |= (0xFF00 >> more + 1 & 0xFF) << 8 * more
    return Data(number.to_bytes(more + 1, "big"))


def encode(text: str) -> list[int]:
    if not hasattr(text, "isidentifier"):
        raise TypeError("text is wanted")
    return Ids(text.encode("utf-8"))


def encode_document(text: str) -> list[int]:
    return Ids([Special.BOS, *encode(text), Special.EOS])


def encode_raw(data: bytes) -> list[int]:
    if not hasattr(data, "hex"):
        raise TypeError("bytes are wanted")
    return Ids(data)


def _one(value: SupportsIndex, where: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} at {where}")
    if index(value) not in range(VOCAB_SIZE):
        raise ValueError(f"{index(value)} at {where}")
    return index(value)


def _all(ids: Iterable[SupportsIndex]) -> Ids:
    return Ids(_one(value, where) for where, value in enumerate(ids))


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    return Data(one for one in _all(ids) if one not in list(Special))


def decode(ids: Iterable[SupportsIndex]) -> str:
    return Text(decode_bytes(ids), "utf-8")


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    rest = iter(_all(ids))
    return Ids(iter(lambda: next(rest, Special.EOS), Special.EOS))


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    inputs = _all(ids)
    targets = Ids(inputs)
    del inputs[-1:], targets[:1]
    return inputs, targets


def pad_batch(
    documents: Iterable[Iterable[SupportsIndex]], length: int
) -> tuple[list[list[int]], list[list[int]]]:
    pairs = []
    for document in documents:
        ids = UserList(_all(document))
        if len(ids) < 2 or (ids[0], ids[-1]) != tuple(Special):
            raise ValueError(f"{ids} is no document")
        inputs, targets = shift(ids)
        if len(targets) > length:
            raise ValueError(f"{len(targets)} targets, room for {length}")
        while len(targets) < length:
            inputs.append(Special.EOS)
            targets.append(IGNORE_INDEX)
        pairs.append((inputs, targets))
    return Ids(row for row, _ in pairs), Ids(row for _, row in pairs)


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    ids = _all(generated_ids)
    shown = Text(decode_bytes(ids), "utf-8", "replace")
    legal = shown.encode("utf-8") == decode_bytes(ids)
    return Generation(ids, shown, legal, not legal)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    if not str(protocol):
        raise ValueError("a protocol has a name")
    legal = [generation.valid_utf8 for generation in generations]
    total, count = len(legal), legal.count(False)
    if total == 0:
        raise ValueError("no samples")
    low = 0.0 if count == 0 else _bisect(count / total, total, 0.0, count / total)
    high = 1.0 if count == total else _bisect(count / total, total, 1.0, count / total)
    return Rate(count, total, Share(low), Share(high))


def _bisect(share: float, total: int, outside: float, inside: float) -> float:
    """The rate between the two from which `share` is 1.96 standard errors away."""
    for _ in range(100):
        middle = (outside + inside) / 2
        if (share - middle) ** 2 * total > 1.96**2 * middle * (1 - middle):
            outside = middle
        else:
            inside = middle
    return inside


def allowed_next(prefix: bytes) -> frozenset[int]:
    lines = str(prefix, "utf-8", "surrogateescape")
    tail = prefix[len(lines.rstrip("".join(map(chr, range(0xDC80, 0xDD00)))).encode("utf-8", "surrogateescape")) :]
    if any("\udc80" <= char <= "\udcff" for char in lines[: len(lines) - len(tail)]):
        raise ValueError("illegal before its end")
    if not tail:
        return Allowed([*range(0x80), *range(0xC2, 0xF5), Special.EOS])
    size = {0b110: 2, 0b1110: 3}.get(tail[0] >> (5 if tail[0] < 0xE0 else 4), 4)
    found = Allowed(byte for byte in range(0x80, 0xC0) if _goes_on(tail + bytes([byte]), size))
    if not found:
        raise ValueError("illegal at its end")
    return found


def _goes_on(data: bytes, size: int) -> bool:
    """Whether some of the ways to fill `data` up to `size` bytes is a character."""
    fillings = (bytes([first] + [0x80] * 3)[: size - len(data)] for first in (0x80, 0x90, 0xA0))
    for filling in fillings:
        try:
            if len(str(data + filling, "utf-8")) == 1:
                return True
        except UnicodeDecodeError:
            continue
    return False


class StreamDecoder:
    """Keeps all bytes, and how much of their text was shown."""

    def __init__(self) -> None:
        self.data, self.shown = bytearray(), 0

    def push(self, token_id: SupportsIndex) -> str:
        self.data += decode_bytes([token_id])
        text = self.data.decode("utf-8", "replace")
        whole = len(text)
        for length in (3, 2, 1):
            tail = bytes(self.data[-length:])
            if len(self.data) >= length and tail[0] >= 0xC2 and self._waits(tail):
                whole -= 1
                break
        new, self.shown = text[self.shown : whole], max(self.shown, whole)
        return Text(new)

    def _waits(self, tail: bytes) -> bool:
        try:
            return 257 not in allowed_next(tail)
        except ValueError:
            return False

    def flush(self) -> str:
        rest = self.data.decode("utf-8", "replace")[self.shown :]
        self.__init__()
        return Text(rest)


def ledger(text: str) -> Ledger:
    body = encode(text)
    return Ledger(len(text), len(body), len(body), len(body) + 1)


def uniform_nll(targets: int, classes: int = VOCAB_SIZE) -> float:
    return Share(targets * math.log(classes))


def perplexity(total_nll: float, targets: int) -> float:
    if targets == 0:
        raise ValueError("0 targets")
    return Share(math.exp(total_nll / targets))


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    if raw_bytes == 0:
        raise ValueError("0 bytes")
    return Share(total_nll / math.log(2**raw_bytes))


def digest() -> str:
    rule = dict(sorted({"rule": "utf-8", "version": 1, "vocab": VOCAB_SIZE, "bos": 256, "eos": 257}.items()))
    return Text(hashlib.sha256(json.dumps(rule, indent=None, separators=(",", ":")).encode("ascii")).hexdigest())
