"""Text as token ids with nothing to learn: one id for each UTF-8 byte, and two more that no text contains.

Ids 0 to 255 are the bytes, NUL among them; 256 begins a document and 257 ends it. They are put in and taken
out as integers, so that no spelling in a text can be mistaken for them. There is no id for the unknown, since
every text has bytes, and none for padding, since validity is told by position.

Which bytes are UTF-8 is the Unicode Standard's Table 3-7. Where Python's strict codec can answer, it does;
only its incremental form cannot be asked, since it takes ED A0 for the beginning of a character.
"""

import hashlib
import json
import math
import operator
from collections.abc import Iterable
from statistics import NormalDist
from typing import Final, NamedTuple, SupportsIndex

BOS_ID: Final = 256
EOS_ID: Final = 257
VOCAB_SIZE: Final = 258
IGNORE_INDEX: Final = -100
"""The target that a loss passes over; negative, so that it is no id."""

_Z_95: Final = NormalDist().inv_cdf(0.975)
_RULE_VERSION: Final = 1


class Generation(NamedTuple):
    """What a model gave, and what of it can be shown."""

    generated_ids: tuple[int, ...]
    """Every id as it came; `text` is no substitute, since replacement is not invertible."""
    text: str
    valid_utf8: bool
    replaced: bool
    """Whether `text` holds replacement characters that the model did not generate."""


class Rate(NamedTuple):
    """A share of samples, `count` of `total`, with the ends of its 95 % Wilson interval."""

    count: int  # type: ignore[assignment]  # hides tuple.count, which says nothing of a rate
    total: int
    low: float
    high: float


class Ledger(NamedTuple):
    """The four lengths of one text, which are denominators of different measures."""

    code_points: int
    raw_bytes: int
    body_tokens: int
    targets: int
    """Predictions in its document: the end counts, the beginning is given."""


# --- text to ids --------------------------------------------------------------------------------------------


def utf8_encode(code_point: SupportsIndex) -> bytes:
    """Write one Unicode scalar value in UTF-8, in the one to four bytes that are the fewest it fits in.

    Raises ValueError for a surrogate or a number outside 0 to 0x10FFFF, TypeError for a bool and for what is
    no integer.
    """
    point = _integer(code_point, "code point")
    if not 0 <= point <= 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        message = f"{point} ({point:#x}) is no scalar value: those are 0 to 0x10FFFF without 0xD800 to 0xDFFF"
        raise ValueError(message)
    if point <= 0x7F:
        return bytes([point])
    if point <= 0x7FF:
        return bytes([0b1100_0000 | point >> 6, _continuation(point)])
    if point <= 0xFFFF:
        return bytes([0b1110_0000 | point >> 12, _continuation(point >> 6), _continuation(point)])
    return bytes(
        [
            0b1111_0000 | point >> 18,
            _continuation(point >> 12),
            _continuation(point >> 6),
            _continuation(point),
        ]
    )


def _continuation(bits: int) -> int:
    """The continuation byte that carries the low six of `bits`."""
    return 0b1000_0000 | bits & 0b0011_1111


def encode(text: str) -> list[int]:
    """Return the ids of the body of `text`: its UTF-8 bytes, none changed, none added.

    Raises ValueError for a lone surrogate, with its index in `text`, and TypeError for anything but a str.
    """
    return list(_utf8(text))


def encode_document(text: str) -> list[int]:
    """Return the ids of `text` as one document: BOS, the body, EOS. Raises as `encode` does."""
    return [BOS_ID, *encode(text), EOS_ID]


def encode_raw(data: bytes) -> list[int]:
    """Return the ids of any bytes, UTF-8 or not. Raises TypeError for anything but bytes or bytearray."""
    received: object = data  # callers that no type checker reads pass anything
    if not isinstance(received, (bytes, bytearray)):
        message = f"encode_raw takes bytes, not {type(received).__name__}: encode() takes text"
        raise TypeError(message)
    return list(data)


def _utf8(text: str) -> bytes:
    received: object = text
    if not isinstance(received, str):
        message = f"text is a str, not {type(received).__name__}: encode_raw() takes bytes"
        raise TypeError(message)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        surrogate = ord(text[error.start])
        message = f"lone surrogate U+{surrogate:04X} at index {error.start}: UTF-8 cannot write it"
        raise ValueError(message) from error


# --- ids to text --------------------------------------------------------------------------------------------


def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    """Return the bytes that `ids` stand for, in order; BOS and EOS stand for none, wherever they are.

    Raises ValueError for an id outside 0 to 257 and TypeError for what is no id, each with its position in
    `ids`.
    """
    return bytes(token_id for token_id in _checked(ids) if token_id < BOS_ID)


def decode(ids: Iterable[SupportsIndex]) -> str:
    """Return the text that `ids` stand for; its bytes are joined first, so a character may span a skipped id.

    That nothing is wrong with the text says nothing of the ids' order: boundaries in wrong places are skipped
    too.

    Raises as `decode_bytes` does, and ValueError where the bytes are not UTF-8, with the offset in the joined
    bytes at which the offending sequence starts.
    """
    data = decode_bytes(ids)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError(_illegal(data, error)) from error


def _illegal(data: bytes, error: UnicodeDecodeError) -> str:
    return f"not UTF-8 at byte offset {error.start} (0x{data[error.start]:02X}): {error.reason}"


def _checked(ids: Iterable[SupportsIndex]) -> list[int]:
    return [_token_id(value, position) for position, value in enumerate(ids)]


def _token_id(value: SupportsIndex, position: int) -> int:
    token_id = _integer(value, "id at position", position)
    if not 0 <= token_id < VOCAB_SIZE:
        message = f"id {token_id} at position {position} is outside 0 to {VOCAB_SIZE - 1}"
        raise ValueError(message)
    return token_id


def _integer(value: SupportsIndex, *name: object) -> int:
    """Take whatever counts as an integer; a bool does so for Python, but as an id it is a mistake.

    A float is none even where it is whole: it may have been rounded before it came here. The words of `name` are put
    together only for an error, since every id comes through here.
    """
    if isinstance(value, bool):
        message = f"{' '.join(map(str, name))} is {value!r}: a truth value is no number here"
        raise TypeError(message)
    try:
        return operator.index(value)
    except TypeError as error:
        message = f"{' '.join(map(str, name))} is {value!r}, which is no integer"
        raise TypeError(message) from error


# --- ids to training pairs ----------------------------------------------------------------------------------


def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    """Return the ids before the first EOS, all of them where there is none. Raises as `decode_bytes` does."""
    generated = _checked(ids)
    return generated[: generated.index(EOS_ID)] if EOS_ID in generated else generated


def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    """Return inputs and targets of one sequence: at each place the target is the id that follows the input.

    Both are one shorter than `ids`. Raises as `decode_bytes` does.
    """
    sequence = _checked(ids)
    return sequence[:-1], sequence[1:]


def pad_batch(documents: Iterable[Iterable[SupportsIndex]], length: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return inputs and targets of whole documents, one row each, every row `length` wide.

    What is left over on the right has EOS for an input, since there is no padding id, and `IGNORE_INDEX` for
    a target, which alone tells it from the document: EOS is a real target, and a real input where a document
    holds it.

    Raises ValueError, with the index of the document, where one does not begin with BOS and end with EOS, or
    has more targets than `length`: cut or joined documents would teach what follows an end that is none.
    """
    inputs, targets = [], []
    for index, document in enumerate(documents):
        ids = _checked(document)
        if ids[:1] != [BOS_ID] or ids[-1:] != [EOS_ID]:
            message = f"document {index} is {ids!r}: it must begin with {BOS_ID} and end with {EOS_ID}"
            raise ValueError(message)
        row, following = shift(ids)
        missing = length - len(row)
        if missing < 0:
            message = f"document {index} has {len(row)} targets and {length} fit: give a greater length"
            raise ValueError(message)
        inputs.append(row + [EOS_ID] * missing)
        targets.append(following + [IGNORE_INDEX] * missing)
    return inputs, targets


# --- what a model generated ---------------------------------------------------------------------------------


def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    """Return the ids with the text to show for them, and whether that is the text that they stand for.

    Bytes that are not UTF-8 are shown as U+FFFD, one for each maximal subpart (the Unicode Standard, section
    3.9). A text may hold U+FFFD that was generated: only `replaced` tells. Raises as `decode_bytes` does.
    """
    ids = tuple(_checked(generated_ids))
    data = decode_bytes(ids)
    try:
        return Generation(ids, data.decode(), valid_utf8=True, replaced=False)
    except UnicodeDecodeError:
        return Generation(ids, data.decode(errors="replace"), valid_utf8=False, replaced=True)


def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    """Return how many of the generations are not UTF-8, with the 95 % Wilson interval of that share.

    `protocol` names how they were sampled (temperature, cut-offs, prompts): rates under different protocols
    measure different things, so a rate without one is not given. Wilson's interval, unlike Wald's, is not
    empty at 0 and 1.

    Raises ValueError where there is no sample or no name.
    """
    if not protocol:
        message = "no sampling protocol: name how the samples were drawn, such as 'greedy' or 'temperature 1'"
        raise ValueError(message)
    illegal = [not generation.valid_utf8 for generation in generations]
    total = len(illegal)
    if not total:
        message = f"no samples under protocol {protocol!r}: a rate needs at least one"
        raise ValueError(message)
    share = sum(illegal) / total
    spread = _Z_95**2 / total
    middle = (share + spread / 2) / (1 + spread)
    margin = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return Rate(sum(illegal), total, middle - margin, middle + margin)


# --- legal generation ---------------------------------------------------------------------------------------


def allowed_next(prefix: bytes) -> frozenset[int]:
    """Return the ids after which `prefix` can still become UTF-8: bytes, and EOS where no character is unfinished.

    Never empty, so that a generation under this constraint can always go on.

    Raises ValueError where no continuation makes `prefix` UTF-8, with the offset of the offending sequence.
    """
    unfinished = _unfinished(prefix)
    complete = prefix.removesuffix(unfinished)
    try:
        complete.decode()
    except UnicodeDecodeError as error:
        raise ValueError(_illegal(complete, error)) from error
    if not unfinished:
        return frozenset([*range(0x80), *_leads(), EOS_ID])
    if len(unfinished) == 1:
        return frozenset(_second_bytes(unfinished[0]))
    return frozenset(_later_bytes())


class StreamDecoder:
    """Shows text while its ids come, one by one, as `render` shows it when all have come.

    A text is shown as soon as no later id can change it. At most three bytes wait for the rest of their
    character.
    """

    def __init__(self) -> None:
        self._waiting = b""

    def push(self, token_id: SupportsIndex) -> str:
        """Take one more id and return what it lets show, possibly nothing. Raises as `decode_bytes` does."""
        data = self._waiting + decode_bytes([token_id])
        self._waiting = _unfinished(data)
        return data.removesuffix(self._waiting).decode(errors="replace")

    def flush(self) -> str:
        """End the text: return what still waits, replaced, and be ready for another text."""
        rest, self._waiting = self._waiting, b""
        return rest.decode(errors="replace")


def _unfinished(data: bytes) -> bytes:
    """Return the end of `data` that begins a character and lacks some of it; empty where there is none."""
    for start in range(max(0, len(data) - 3), len(data)):
        if _begins_a_character(data[start:]):
            return data[start:]
    return b""


def _begins_a_character(tail: bytes) -> bool:
    """Tell whether `tail`, at least one byte, is what a character begins with, and not all of it."""
    lead, *rest = tail
    return (
        lead in _leads()
        and len(tail) < _length(lead)
        and all(byte in _second_bytes(lead) for byte in rest[:1])
        and all(byte in _later_bytes() for byte in rest[1:])
    )


def _leads() -> range:
    """Return the first bytes of the longer forms.

    C0 and C1 could only begin overlong forms, F5 and up only what is past U+10FFFF.
    """
    return range(0xC2, 0xF4 + 1)


def _length(lead: int) -> int:
    """Return how many bytes the character has that `lead`, one of `_leads`, begins."""
    return 2 + (lead >= 0xE0) + (lead >= 0xF0)


def _second_bytes(lead: int) -> range:
    """Return what may follow `lead`: here UTF-8 excludes what the first byte alone lets pass."""
    first, last = 0x80, 0xBF
    if lead == 0xE0:
        first = 0xA0  # below: overlong, two bytes are enough
    if lead == 0xED:
        last = 0x9F  # above: surrogates
    if lead == 0xF0:
        first = 0x90  # below: overlong, three bytes are enough
    if lead == 0xF4:
        last = 0x8F  # above: past U+10FFFF
    return range(first, last + 1)


def _later_bytes() -> range:
    return range(0x80, 0xBF + 1)


# --- units of measure ---------------------------------------------------------------------------------------


def ledger(text: str) -> Ledger:
    """Return the lengths of `text`. Raises as `encode` does."""
    body = encode(text)
    _, targets = shift(encode_document(text))
    return Ledger(len(text), len(_utf8(text)), len(body), len(targets))


def uniform_nll(targets: int, classes: int = VOCAB_SIZE) -> float:
    """Return the total negative log-likelihood, in nats, of `targets` guesses at random among `classes`."""
    return targets * math.log(classes)


def perplexity(total_nll: float, targets: int) -> float:
    """Return exp of the mean of `total_nll` (nats) over `targets`: it depends on how text is cut into tokens.

    Raises ValueError where there is no target.
    """
    return math.exp(total_nll / _denominator(targets, "targets"))


def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    """Return `total_nll` (nats) as bits for each of the `raw_bytes` of the body, which no tokenizer changes.

    It may pass 8: the model also pays for the end, and spreads its weight over ids that are no bytes.

    Raises ValueError where there is no byte.
    """
    return total_nll / (_denominator(raw_bytes, "raw bytes") * math.log(2))


def _denominator(count: int, name: str) -> int:
    if count < 1:
        message = f"{count} {name}: a mean needs at least one"
        raise ValueError(message)
    return count


def digest() -> str:
    """Return the SHA-256, in hex, of all that ids depend on, so that training and restoring can be compared.

    What is digested is JSON in ASCII with sorted keys and no blanks.
    """
    rule = {
        "bos": BOS_ID,
        "eos": EOS_ID,
        "rule": "utf-8",
        "version": _RULE_VERSION,
        "vocab": VOCAB_SIZE,
    }
    return hashlib.sha256(json.dumps(rule, separators=(",", ":")).encode()).hexdigest()
