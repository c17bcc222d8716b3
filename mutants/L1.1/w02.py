"""Correct, and unusual in that one automaton, a table of states by classes of bytes, answers every question of UTF-8.

A state is what is still owed: nothing, one, two or three continuation bytes, or a second byte of a narrower range.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple, SupportsIndex

BOS_ID = 256
EOS_ID = 257
VOCAB_SIZE = 258
IGNORE_INDEX = -100

_ENDS = (0x00, 0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5, 0x100)
_CLASS = [place for place in range(14) for _ in range(_ENDS[place], _ENDS[place + 1])]
_START, _ONE, _TWO, _THREE, _NOT_OVERLONG3, _NO_SURROGATE, _NOT_OVERLONG4, _NOT_PAST = range(8)
_NEXT: list[list[int | None]] = [
    # The classes begin at 00, 80, 90, A0, C0, C2, E0, E1, ED, EE, F0, F1, F4 and F5.
    [
        *(_START, None, None, None, None, _ONE, _NOT_OVERLONG3),
        *(_TWO, _NO_SURROGATE, _TWO, _NOT_OVERLONG4, _THREE, _NOT_PAST, None),
    ],
    [None, _START, _START, _START, *[None] * 10],
    [None, _ONE, _ONE, _ONE, *[None] * 10],
    [None, _TWO, _TWO, _TWO, *[None] * 10],
    [None, None, None, _ONE, *[None] * 10],
    [None, _ONE, _ONE, None, *[None] * 10],
    [None, None, _TWO, _TWO, *[None] * 10],
    [None, _TWO, None, None, *[None] * 10],
]


class Generation(NamedTuple):
    generated_ids: tuple[int, ...]
    text: str
    valid_utf8: bool
    replaced: bool


class Rate(NamedTuple):
    count: int  # type: ignore[assignment]
    total: int
    low: float
    high: float


class Ledger(NamedTuple):
    code_points: int
    raw_bytes: int
    body_tokens: int
    targets: int


class _Automaton:
    """Reads bytes one by one; what comes out is a character, None for an illegal subpart, or nothing yet."""

    def __init__(self) -> None:
        self.state, self.point, self.begun = _START, 0, False

    def read(self, byte: int) -> Iterator[str | None]:
        following = _NEXT[self.state][_CLASS[byte]]
        if following is None and self.begun:
            yield None
            self.__init__()
            following = _NEXT[_START][_CLASS[byte]]
        if following is None:
            yield None
            return
        payload = byte & 0x3F if self.begun else byte & (0x7F, 0x1F, 0x0F, 0x07)[_size(byte) - 1]
        self.state, self.point, self.begun = following, self.point << 6 | payload, following != _START
        if following == _START:
            yield chr(self.point)
            self.point = 0

    def end(self) -> Iterator[str | None]:
        if self.begun:
            yield None
        self.__init__()


def _size(lead: int) -> int:
    return 1 + (lead >= 0xC2) + (lead >= 0xE0) + (lead >= 0xF0)


def _units(data: bytes) -> list[str | None]:
    automaton = _Automaton()
    units = [unit for byte in data for unit in automaton.read(byte)]
    return [*units, *automaton.end()]


def utf8_encode(code_point: SupportsIndex) -> bytes:
    point = _index(code_point)
    if point not in range(0x110000) or point in range(0xD800, 0xE000):
        raise ValueError(f"no scalar value: {point}")
    size = 1 + sum(point >= end for end in (0x80, 0x800, 0x10000))
    tail = [0x80 | point >> 6 * place & 0x3F for place in reversed(range(size - 1))]
    return bytes([(0x00, 0xC0, 0xE0, 0xF0)[size - 1] | point >> 6 * (size - 1), *tail])


def _index(value: SupportsIndex) -> int:
    if value is True or value is False:
        raise TypeError("a truth value")
    try:
        return value.__index__()
    except AttributeError as error:
        raise TypeError(f"{value!r} is no integer") from error


def encode(text: str) -> list[int]:
    if type(text).__mro__[-2] is not str:
        raise TypeError("text wanted")
    ids: list[int] = []
    for place, char in enumerate(text):
        try:
            ids.extend(utf8_encode(ord(char)))
        except ValueError as error:
            raise ValueError(f"index {place}: {error}") from None
    return ids


def encode_document(text: str) -> list[int]:
    return [BOS_ID] + encode(text) + [EOS_ID]


def encode_raw(data: bytes) -> list[int]:
    return list(memoryview(data).cast("B"))


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    data = bytearray()
    for position, value in enumerate(ids):
        token_id = _index(value)
        if token_id < 0 or token_id > EOS_ID:
            raise ValueError(f"position {position}: no id is {token_id}")
        if token_id <= 0xFF:
            data.append(token_id)
    return bytes(data)


def decode(ids: Iterable[SupportsIndex]) -> str:
    data = decode_bytes(ids)
    units = _units(data)
    if None in units:
        offset = sum(len(str(unit).encode()) for unit in units[: units.index(None)])
        raise ValueError(f"illegal at byte {offset}")
    return "".join(map(str, units))


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    body: list[int] = []
    ended = False
    for value in ids:
        token_id = _index(value)
        ended = ended or token_id == EOS_ID
        if not ended:
            body.append(token_id)
    return body


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    pairs = [_index(value) for value in ids]
    neighbours = list(zip(pairs[:-1], pairs[1:], strict=True))
    return [first for first, _ in neighbours], [second for _, second in neighbours]


def pad_batch(
    documents: Iterable[Iterable[SupportsIndex]], length: int
) -> tuple[list[list[int]], list[list[int]]]:
    rows = [shift(document) for document in documents]
    for row, following in rows:
        if not row or row[0] != BOS_ID or following[-1] != EOS_ID or len(row) > length:
            raise ValueError(f"{row} does not fit into {length}, or is no document")
    inputs = [[row[i] if i < len(row) else EOS_ID for i in range(length)] for row, _ in rows]
    targets = [[row[i] if i < len(row) else IGNORE_INDEX for i in range(length)] for _, row in rows]
    return inputs, targets


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    ids = tuple(map(_index, generated_ids))
    units = _units(decode_bytes(ids))
    text = "".join("\ufffd" if unit is None else unit for unit in units)
    return Generation(ids, text, None not in units, None in units)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    if protocol == "":
        raise ValueError("which protocol?")
    total = count = 0
    for generation in generations:
        total += 1
        count += generation.replaced
    if total == 0:
        raise ValueError("no generations")
    z2 = 1.959964**2
    # the roots of (1 + z²/n) p² - (2 k/n + z²/n) p + (k/n)²
    a, b, c = 1 + z2 / total, -(2 * count + z2) / total, (count / total) ** 2
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return Rate(count, total, (-b - root) / (2 * a), (-b + root) / (2 * a))


def allowed_next(prefix: bytes) -> frozenset[int]:
    state = _START
    for byte in prefix:
        following = _NEXT[state][_CLASS[byte]]
        if following is None:
            raise ValueError(prefix)
        state = following
    allowed = frozenset(byte for byte in range(256) if _NEXT[state][_CLASS[byte]] is not None)
    return allowed | {EOS_ID} if state == _START else allowed


class StreamDecoder:
    def __init__(self) -> None:
        self._automaton = _Automaton()

    def push(self, token_id: SupportsIndex) -> str:
        units = [unit for byte in decode_bytes([token_id]) for unit in self._automaton.read(byte)]
        return "".join("\ufffd" if unit is None else unit for unit in units)

    def flush(self) -> str:
        return "".join("\ufffd" for _ in self._automaton.end())


def ledger(text: str) -> Ledger:
    size = sum(len(utf8_encode(ord(char))) for char in text)
    return Ledger(code_points=len(text), raw_bytes=size, body_tokens=size, targets=size + 1)


def uniform_nll(targets: int, classes: int = 258) -> float:
    return -targets * math.log(1 / classes)


def perplexity(total_nll: float, targets: int) -> float:
    if not targets:
        raise ValueError("no targets")
    return math.pow(2, total_nll / math.log(2) / targets)


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    if not raw_bytes:
        raise ValueError("no bytes")
    return total_nll * math.log2(math.e) / raw_bytes


def digest() -> str:
    rule = {"vocab": VOCAB_SIZE, "version": 1, "rule": "utf-8", "eos": EOS_ID, "bos": BOS_ID}
    text = json.dumps(rule, sort_keys=True).replace(" ", "")
    return hashlib.sha256(text.encode("ascii")).digest().hex()
