"""Correct, and unusual in its errors: other words, subclasses of ValueError and TypeError, told as late as can be.

The order of checks is another one too: types first, documents after the batch is built, a protocol after the samples.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterable
from itertools import takewhile
from operator import index
from typing import NamedTuple, SupportsIndex

BOS_ID: int = 0x100
EOS_ID: int = 0x101
VOCAB_SIZE: int = 0x102
IGNORE_INDEX: int = -100


class CodecError(ValueError):
    def __init__(self, **known: object) -> None:
        super().__init__("; ".join(f"{name}: {value}" for name, value in known.items()))


class NotText(CodecError, UnicodeError):
    pass


class NoId(CodecError, IndexError):
    pass


class WrongType(TypeError):
    pass


class NothingMeasured(CodecError, ZeroDivisionError):
    pass


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


# The nine rows of the Unicode Standard's Table 3-7, as alternatives.
_CHARACTER = re.compile(
    rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|[\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}"
    rb"|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_BEGINNING = re.compile(
    rb"[\xc2-\xdf]|\xe0[\xa0-\xbf]?|[\xe1-\xec\xee\xef][\x80-\xbf]?|\xed[\x80-\x9f]?"
    rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|[\xf1-\xf3][\x80-\xbf]{0,2}|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?"
)


def utf8_encode(code_point: SupportsIndex) -> bytes:
    if isinstance(code_point, bool):
        raise WrongType("bool")
    try:
        point = index(code_point)
    except TypeError:
        raise WrongType(type(code_point).__name__) from None
    for limit, encoder in ((0x80, _one), (0x800, _two), (0x10000, _three), (0x110000, _four)):
        if 0 <= point < limit and not 0xD800 <= point < 0xE000:
            return encoder(point)
    raise NotText(code_point=hex(point))


def _one(point: int) -> bytes:
    return b"%c" % point


def _two(point: int) -> bytes:
    return bytes((0xC0 + (point >> 6), 0x80 + (point & 0x3F)))


def _three(point: int) -> bytes:
    return bytes((0xE0 + (point >> 12), 0x80 + (point >> 6 & 0x3F), 0x80 + (point & 0x3F)))


def _four(point: int) -> bytes:
    return bytes((0xF0 + (point >> 18), *(0x80 + (point >> shift & 0x3F) for shift in (12, 6, 0))))


def encode(text: str) -> list[int]:
    if not isinstance(text, str):
        raise WrongType(f"{type(text)} for a text")
    lone = re.search("[\ud800-\udfff]", text)
    if lone:
        raise NotText(where=lone.start(), what="a surrogate")
    return [byte for char in text for byte in utf8_encode(ord(char))]


def encode_document(text: str) -> list[int]:
    body = encode(text)
    return [256, *body, 257]


def encode_raw(data: bytes) -> list[int]:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise WrongType(f"{type(data)} for bytes")
    return list(bytes(data))


def _checked(ids: Iterable[SupportsIndex]) -> list[int]:
    values = list(ids)
    if any(isinstance(value, bool) or not hasattr(value, "__index__") for value in values):
        raise WrongType("ids are integers")
    numbers = list(map(index, values))
    wrong = [place for place, number in enumerate(numbers) if number < 0 or number >= 258]
    if wrong:
        raise NoId(position=wrong[-1], id=numbers[wrong[-1]])
    return numbers


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    return bytes([number for number in _checked(ids) if number.bit_length() <= 8])


def _characters(data: bytes) -> list[tuple[int, str]]:
    """Where each character starts and what it is; empty text where it is none."""
    found, place = [], 0
    while place < len(data):
        whole = _CHARACTER.match(data, place)
        part = whole or _BEGINNING.match(data, place)
        end = part.end() if part else place + 1
        found.append((place, data[place:end].decode() if whole else ""))
        place = end
    return found


def decode(ids: Iterable[SupportsIndex]) -> str:
    characters = _characters(decode_bytes(ids))
    faults = [place for place, char in characters if not char]
    if faults:
        raise NotText(byte=faults[0])
    return "".join(char for _, char in characters)


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    return list(takewhile(lambda number: number != 257, _checked(ids)))


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    first, *rest = [*_checked(ids), None]
    targets = rest[:-1]
    return ([first, *targets[:-1]] if targets else []), targets  # type: ignore[return-value, list-item]


def pad_batch(
    documents: Iterable[Iterable[SupportsIndex]], length: int
) -> tuple[list[list[int]], list[list[int]]]:
    wholes = [_checked(document) for document in documents]
    pairs = [shift(whole) for whole in wholes]
    inputs = [row + [257] * (length - len(row)) for row, _ in pairs]
    targets = [row + [-100] * (length - len(row)) for _, row in pairs]
    for place, whole in enumerate(wholes):
        if len(inputs[place]) != length or whole[:1] != [256] or whole[-1] != 257:
            raise CodecError(document=place, targets=len(whole) - 1, room=length)
    return inputs, targets


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    ids = _checked(generated_ids)
    characters = _characters(decode_bytes(ids))
    legal = all(char for _, char in characters)
    return Generation(tuple(ids), "".join(char or "\ufffd" for _, char in characters), legal, not legal)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    count = total = 0
    for generation in generations:
        count, total = count + (generation.replaced is True), total + 1
    if total < 1 or protocol in ("", None):
        raise NothingMeasured(samples=total, protocol=protocol)
    p, z = count / total, 1.959963985
    denominator = total + z * z
    middle = (count + z * z / 2) / denominator
    margin = z * math.sqrt(total * p * (1 - p) + z * z / 4) / denominator
    return Rate(count, total, middle - margin, middle + margin)


def allowed_next(prefix: bytes) -> frozenset[int]:
    characters = _characters(prefix)
    if all(char for _, char in characters):
        return frozenset(byte for byte in range(256) if _starts(bytes([byte]))) | {257}
    faults = [place for place, char in characters if not char]
    tail = prefix[faults[0] :]
    if not _BEGINNING.fullmatch(tail):
        raise NotText(prefix=prefix)
    return frozenset(byte for byte in range(256) if _starts(tail + bytes([byte])))


def _starts(data: bytes) -> bool:
    return bool(_CHARACTER.fullmatch(data) or _BEGINNING.fullmatch(data))


class StreamDecoder:
    def __init__(self) -> None:
        self._ids: list[int] = []
        self._text = ""

    def push(self, token_id: SupportsIndex) -> str:
        self._ids += _checked([token_id])
        characters = _characters(decode_bytes(self._ids))
        data = decode_bytes(self._ids)
        if characters and not characters[-1][1] and _BEGINNING.fullmatch(data[characters[-1][0] :]):
            del characters[-1]
        return self._advance("".join(char or "\ufffd" for _, char in characters))

    def _advance(self, text: str) -> str:
        new, self._text = text[len(self._text) :], text
        return new

    def flush(self) -> str:
        new = self._advance(render(self._ids).text)
        self._ids, self._text = [], ""
        return new


def ledger(text: str) -> Ledger:
    numbers = {"code_points": len(text), "raw_bytes": len(encode(text))}
    return Ledger(**numbers, body_tokens=numbers["raw_bytes"], targets=len(encode_document(text)[1:]))


def uniform_nll(targets: int, classes: int = 258) -> float:
    return math.log(classes**targets)


def perplexity(total_nll: float, targets: int) -> float:
    try:
        return math.exp(total_nll) ** (1 / targets)
    except ZeroDivisionError:
        raise NothingMeasured(targets=targets) from None


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    try:
        return total_nll / raw_bytes * math.log(math.e, 2)
    except ZeroDivisionError:
        raise NothingMeasured(raw_bytes=raw_bytes) from None


def digest() -> str:
    encoder = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    parts = encoder.iterencode({"vocab": 258, "bos": 256, "eos": 257, "version": 1, "rule": "utf-8"})
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(part.encode("ascii"))
    return hasher.hexdigest()
