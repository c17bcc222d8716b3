"""Correct, and unusual in that it is plain arithmetic: no shift, no mask, no codec; numbers to the base 64.

Each length has an offset of its own, the smallest code point that needs it, and what is decoded is compared with that.
"""

import hashlib
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, SupportsIndex

BOS_ID, EOS_ID = range(256, 258)
VOCAB_SIZE = EOS_ID + 1
IGNORE_INDEX = -100

_LEAST = {1: 0, 2: 128, 3: 2048, 4: 65536}
_BASE = {1: 0, 2: 192, 3: 224, 4: 240}


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


def utf8_encode(code_point: SupportsIndex) -> bytes:
    point = _whole(code_point)
    if point < 0 or point > 1114111 or 55296 <= point <= 57343:
        raise ValueError(f"{point} has no UTF-8")
    size = max(length for length, least in _LEAST.items() if point >= least)
    digits = []
    for _ in range(size - 1):
        point, digit = divmod(point, 64)
        digits.append(128 + digit)
    return bytes([_BASE[size] + point, *reversed(digits)])


def _whole(value: SupportsIndex) -> int:
    match value:
        case bool():
            raise TypeError("true and false are no numbers")
        case int():
            return int(value)
    return range(value).stop  # range() takes what is an integer and nothing else


def encode(text: str) -> list[int]:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text")
    codes = []
    for place in range(len(text)):
        if "\ud800" <= text[place] <= "\udfff":
            raise ValueError(f"text[{place}] is a surrogate")
        codes.append(utf8_encode(ord(text[place])))
    return list(b"".join(codes))


def encode_document(text: str) -> list[int]:
    return [BOS_ID, *encode(text), EOS_ID]


def encode_raw(data: bytes) -> list[int]:
    if isinstance(data, (str, int, list)) or data is None:
        raise TypeError("bytes, please")
    return [*data]


def _ids(values: Iterable[SupportsIndex]) -> list[int]:
    found: list[int] = []
    for value in values:
        number = _whole(value)
        if abs(2 * number - 257) > 257:
            raise ValueError(f"[{len(found)}] is {number}")
        found.append(number)
    return found


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    return b"".join(bytes([number]) for number in _ids(ids) if number // 256 == 0)


def decode(ids: Iterable[SupportsIndex]) -> str:
    text, offset = _read(decode_bytes(ids))
    if offset is not None:
        raise ValueError(f"cannot be decoded from byte {offset}")
    return text


def _read(data: bytes) -> tuple[str, int | None]:
    """The text with replacements, and the offset of the first of them."""
    text, first, place = [], None, 0
    while place < len(data):
        size, whole = _subpart(data, place)
        if whole:
            point = data[place] - _BASE[size]
            for byte in data[place + 1 : place + size]:
                point = point * 64 + byte - 128
            text.append(chr(point))
        else:
            text.append("\ufffd")
            first = place if first is None else first
        place += size
    return "".join(text), first


def _subpart(data: bytes, place: int) -> tuple[int, bool]:
    """How many bytes at `place` belong together, and whether they are a character."""
    lead = data[place]
    if lead < 128:
        return 1, True
    wanted = 0 if lead < 194 or lead > 244 else 2 if lead < 224 else 3 if lead < 240 else 4
    value = lead - _BASE[wanted] if wanted else 0
    for length in range(1, wanted):
        if place + length >= len(data) or not 128 <= data[place + length] <= 191:
            return length, False
        value = value * 64 + data[place + length] - 128
        span = 64 ** (wanted - length - 1)
        reachable = range(value * span, value * span + span)
        if reachable[-1] < _LEAST[wanted] or reachable[0] > 1114111 or 55296 <= reachable[0] <= 57343:
            return length, False
    return max(wanted, 1), wanted > 0


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    numbers = _ids(ids)
    end = next((place for place, number in enumerate(numbers) if number == EOS_ID), len(numbers))
    return numbers[:end]


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    numbers = _ids(ids)
    places = range(1, len(numbers))
    return [numbers[place - 1] for place in places], [numbers[place] for place in places]


def pad_batch(
    documents: Iterable[Iterable[SupportsIndex]], length: int
) -> tuple[list[list[int]], list[list[int]]]:
    batch: tuple[list[list[int]], list[list[int]]] = ([], [])
    for document in documents:
        numbers = _ids(document)
        if [*numbers[:1], *numbers[-1:]] != [BOS_ID, EOS_ID]:
            raise ValueError("neither cut nor joined documents")
        if len(numbers) - 1 > length:
            raise ValueError(f"{len(numbers) - 1} > {length}")
        for rows, part, filler in zip(batch, shift(numbers), (EOS_ID, IGNORE_INDEX), strict=True):
            rows.append((part + length * [filler])[:length])
    return batch


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    numbers = _ids(generated_ids)
    text, offset = _read(decode_bytes(numbers))
    return Generation(tuple(numbers), text, offset is None, offset is not None)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    flags = [generation.valid_utf8 for generation in generations]
    if len(flags) * len(protocol) == 0:
        raise ValueError("nothing measured, or nothing said of how")
    n = len(flags)
    p, q = Fraction(flags.count(False), n), Fraction(flags.count(True), n)
    z = Fraction(196, 100)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    margin = float(z / (1 + z * z / n)) * math.sqrt(p * q / n + z * z / (4 * n * n))
    return Rate(flags.count(False), n, max(0.0, float(middle) - margin), min(1.0, float(middle) + margin))


def allowed_next(prefix: bytes) -> frozenset[int]:
    text, offset = _read(prefix)
    if offset is None:
        return frozenset([*range(128), *range(194, 245), EOS_ID])
    tail = prefix[offset:]
    size, _ = _subpart(tail, 0)
    wanted = 4 - (tail[0] < 240) - (tail[0] < 224)
    if size < len(tail) or not 194 <= tail[0] <= 244 or size == wanted:
        raise ValueError(f"{prefix!r} is lost from byte {offset} on")
    probes = (bytes([*tail, byte, 128]) for byte in range(128, 192))
    return frozenset(probe[size] for probe in probes if _subpart(probe, 0)[0] > size)


class StreamDecoder:
    def __init__(self) -> None:
        self._held: list[int] = []

    def push(self, token_id: SupportsIndex) -> str:
        self._held += decode_bytes([token_id])
        shown = ""
        while self._held:
            data = bytes(self._held)
            size, whole = _subpart(data, 0)
            if not whole and size == len(data) and self._may_go_on(data):
                break
            shown += _read(data[:size])[0]
            del self._held[:size]
        return shown

    @staticmethod
    def _may_go_on(data: bytes) -> bool:
        return any(_subpart(data + bytes([byte]), 0)[0] > len(data) for byte in (128, 143, 144, 191))

    def flush(self) -> str:
        shown, _ = _read(bytes(self._held))
        self._held.clear()
        return shown


def ledger(text: str) -> Ledger:
    document = encode_document(text)
    return Ledger(len(text), len(document) - 2, len(document) - 2, len(document) - 1)


def uniform_nll(targets: int, classes: int = VOCAB_SIZE) -> float:
    return math.log(classes) * targets


def perplexity(total_nll: float, targets: int) -> float:
    if targets <= 0:
        raise ValueError(targets)
    return math.exp(total_nll / targets)


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    if raw_bytes <= 0:
        raise ValueError(raw_bytes)
    return (total_nll / math.log(2)) / raw_bytes


def digest() -> str:
    pairs = zip(("bos", "eos", "rule", "version", "vocab"), (BOS_ID, EOS_ID, '"utf-8"', 1, VOCAB_SIZE), strict=True)
    rule = ",".join(f'"{key}":{value}' for key, value in pairs)
    return hashlib.sha256(b"{%b}" % rule.encode()).hexdigest()
