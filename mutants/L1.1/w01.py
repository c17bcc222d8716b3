"""Correct, and unusual in that Python's codec does all of it: even what may come next is found by trying.

Its errors, which are ValueErrors and tell index or offset, are let through. Lone ED A0 stay unseen for one push more
than they need, as the incremental decoder has it.
"""

import codecs
import hashlib
import math
from collections.abc import Iterable
from operator import index
from typing import NamedTuple, SupportsIndex

BOS_ID, EOS_ID, VOCAB_SIZE, IGNORE_INDEX = 256, 257, 258, -100


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
    if isinstance(code_point, bool):
        raise TypeError("bool")
    point = index(code_point)
    if not 0 <= point <= 0x10FFFF:
        raise ValueError(point)
    return chr(point).encode("utf-8")


def encode(text: str) -> list[int]:
    return list(str.encode(text, "utf-8"))


def encode_document(text: str) -> list[int]:
    ids = encode(text)
    ids.insert(0, BOS_ID)
    ids.append(EOS_ID)
    return ids


def encode_raw(data: bytes) -> list[int]:
    return list(bytes.__iter__(data))


def _numbers(ids: Iterable[SupportsIndex]) -> list[int]:
    numbers = list(ids)
    for position, number in enumerate(numbers):
        if isinstance(number, bool):
            raise TypeError(f"{number} at {position}")
        if not 0 <= index(number) <= 257:
            raise ValueError(f"id {index(number)} at position {position}")
    return [index(number) for number in numbers]


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    return bytes(filter(lambda number: number not in (BOS_ID, EOS_ID), _numbers(ids)))


def decode(ids: Iterable[SupportsIndex]) -> str:
    return str(decode_bytes(ids), "utf-8")


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    numbers = _numbers(ids)
    try:
        return numbers[: numbers.index(EOS_ID)]
    except ValueError:
        return numbers


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    numbers = _numbers(ids)
    return numbers[: len(numbers) - 1], numbers[1:]


def pad_batch(
    documents: Iterable[Iterable[SupportsIndex]], length: int
) -> tuple[list[list[int]], list[list[int]]]:
    inputs = []
    targets = []
    for document in documents:
        numbers = _numbers(document)
        if len(numbers) < 2 or numbers[0] != BOS_ID or numbers[-1] != EOS_ID:
            raise ValueError("no whole document")
        if len(numbers) > length + 1:
            raise ValueError("too long")
        row, following = [EOS_ID] * length, [IGNORE_INDEX] * length
        row[: len(numbers) - 1], following[: len(numbers) - 1] = shift(numbers)
        inputs.append(row)
        targets.append(following)
    return inputs, targets


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    numbers = _numbers(generated_ids)
    data = decode_bytes(numbers)
    try:
        return Generation(tuple(numbers), data.decode("utf-8", "strict"), True, False)
    except UnicodeError:
        return Generation(tuple(numbers), data.decode("utf-8", "replace"), False, True)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    samples = [generation.valid_utf8 for generation in generations]
    if not (samples and protocol):
        raise ValueError("samples and a protocol are needed")
    n, k, z = len(samples), samples.count(False), 1.96
    root = z * math.sqrt(z * z + 4 * k * (n - k) / n)
    return Rate(k, n, (2 * k + z * z - root) / (2 * (n + z * z)), (2 * k + z * z + root) / (2 * (n + z * z)))


def allowed_next(prefix: bytes) -> frozenset[int]:
    allowed = {byte for byte in range(256) if _can_become_text(prefix + bytes([byte]))}
    try:
        str(prefix, "utf-8")
        allowed.add(EOS_ID)
    except UnicodeDecodeError:
        if not allowed:
            raise
    return frozenset(allowed)


def _can_become_text(data: bytes) -> bool:
    for ending in (b"", b"\x80", b"\x80\x80", b"\xa0\x80", b"\x80\x80\x80", b"\x90\x80\x80"):
        try:
            str(data + ending, "utf-8")
        except UnicodeDecodeError:
            continue
        return True
    return False


class StreamDecoder:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token_id: SupportsIndex) -> str:
        return self._decoder.decode(decode_bytes([token_id]))

    def flush(self) -> str:
        text = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return text


def ledger(text: str) -> Ledger:
    raw = text.encode("utf-8")
    return Ledger(len(text), len(raw), len(raw), len(raw) + 1)


def uniform_nll(targets: int, classes: int = 258) -> float:
    return sum([math.log(classes)] * targets)


def perplexity(total_nll: float, targets: int) -> float:
    try:
        return math.e ** (total_nll / targets)
    except ZeroDivisionError as error:
        raise ValueError("no targets") from error


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    if raw_bytes == 0:
        raise ValueError("no bytes")
    return total_nll / raw_bytes / math.log(2)


def digest() -> str:
    rule = f'{{"bos":{BOS_ID},"eos":{EOS_ID},"rule":"utf-8","version":1,"vocab":{VOCAB_SIZE}}}'
    return hashlib.new("sha256", rule.encode("ascii")).hexdigest()
