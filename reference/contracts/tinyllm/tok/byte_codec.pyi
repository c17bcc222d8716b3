"""A tokenizer without training: text as UTF-8 bytes as ids, back again, and what is measured on the way.

Ids 0 to 255 are the bytes (0 is one of them), 256 is BOS, 257 is EOS; there is no unknown and no padding id.
An id is an int or whatever else has __index__, but no bool. All functions that take ids raise TypeError for
what is no id; positions and offsets count from 0. No function changes its arguments.

Text is never normalised, stripped, or changed at its line ends: those are other bytes.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, SupportsIndex

BOS_ID: Final = 256
EOS_ID: Final = 257
VOCAB_SIZE: Final = 258
IGNORE_INDEX: Final = -100

class Generation(NamedTuple):
    """What a model generated, and what of it can be shown.

    generated_ids: the ids as they were given, all of them.
    text: the text to show.
    valid_utf8: whether the bytes of the ids are UTF-8.
    replaced: whether text shows U+FFFD in the place of bytes that are not.
    """

    generated_ids: tuple[int, ...]
    text: str
    valid_utf8: bool
    replaced: bool

class Rate(NamedTuple):
    """count of total samples, and the ends of the 95 % Wilson interval of that share (0 to 1)."""

    count: int  # type: ignore[assignment]
    total: int
    low: float
    high: float

class Ledger(NamedTuple):
    """The lengths of a text.

    code_points: of the text.
    raw_bytes: of its UTF-8.
    body_tokens: ids without BOS and EOS.
    targets: what a model predicts of its document, EOS included.
    """

    code_points: int
    raw_bytes: int
    body_tokens: int
    targets: int

def utf8_encode(code_point: SupportsIndex) -> bytes:
    """Write one code point in UTF-8. Do it by the rule of the text, with shifts and masks.

    code_point: an int or whatever else has __index__, but no bool.
    Returns 1 to 4 bytes.
    Raises ValueError for a surrogate (0xD800 to 0xDFFF), a negative number, and one past 0x10FFFF; TypeError
    for a bool and for what is no integer.
    """

def encode(text: str) -> list[int]:
    """Return the ids of text, without BOS and EOS.

    text: any str, possibly empty; what looks like the name of a special id is text.
    Raises ValueError for a lone surrogate, with its index in text in the message; TypeError for anything but
    a str.
    """

def encode_document(text: str) -> list[int]:
    """Return BOS, the ids of text, EOS. Raises as encode does."""

def encode_raw(data: bytes) -> list[int]:
    """Return the ids of data.

    data: any bytes, UTF-8 or not, possibly empty.
    Raises TypeError for a str and other things that are no bytes.
    """

def decode_bytes(ids: Iterable[SupportsIndex]) -> bytes:
    """Return the bytes of ids, in order. BOS and EOS are skipped, wherever they stand.

    ids: any ids; their bytes need not be UTF-8.
    Raises ValueError for an id outside 0 to 257: the message contains the id and its position in ids.
    """

def decode(ids: Iterable[SupportsIndex]) -> str:
    """Return the text of ids. BOS and EOS are skipped, wherever they stand, also inside a character.

    Raises ValueError as decode_bytes does, and where the bytes are not UTF-8 as the Unicode Standard has it
    (wrong first bytes, characters cut short, overlong forms, surrogates, code points past U+10FFFF): the
    message then contains the offset, in the bytes of ids, at which the first offending sequence starts.
    """

def until_eos(ids: Iterable[SupportsIndex]) -> list[int]:
    """Return the ids before the first EOS; all ids where there is no EOS. Nothing else is left out."""

def shift(ids: Iterable[SupportsIndex]) -> tuple[list[int], list[int]]:
    """Return (inputs, targets) of one sequence, each one shorter than ids: targets[i] follows inputs[i]."""

def pad_batch(documents: Iterable[Iterable[SupportsIndex]], length: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return (inputs, targets): a row for each document, in order, shifted by itself and padded on the right.

    documents: whole id sequences, each beginning with BOS and ending with EOS. What stands between is the
        caller's, and may be EOS too; it is scored like any other id.
    length: the width of every row.
    Padding is EOS in inputs and IGNORE_INDEX in targets.
    Raises ValueError for a document that does not begin with BOS and end with EOS, or has more than length
    targets.
    """

def render(generated_ids: Iterable[SupportsIndex]) -> Generation:
    """Return what a model generated with the text to show for it.

    Where the bytes are UTF-8, the text is that of decode. Where they are not, U+FFFD stands for each maximal
    subpart of an ill-formed sequence, as bytes.decode(errors="replace") has it, and replaced is true.
    Raises ValueError for an id outside 0 to 257.
    """

def illegal_rate(generations: Iterable[Generation], *, protocol: str) -> Rate:
    """Return how many generations are not UTF-8, and the 95 % Wilson score interval of that share.

    The interval is the one without continuity correction.

    protocol: the name of the way the samples were drawn.
    Raises ValueError where there is no generation, and where protocol is empty.
    """

def allowed_next(prefix: bytes) -> frozenset[int]:
    """Return the ids that may follow prefix where the whole is to be UTF-8.

    prefix: the bytes generated so far, possibly empty, possibly ending inside a character.
    Returns every byte after which prefix can still be continued to UTF-8, and EOS where prefix is UTF-8 as it
    stands. Never BOS, never nothing.
    Raises ValueError where prefix cannot be continued to UTF-8.
    """

class StreamDecoder:
    """Shows text while the ids come.

    All that push and flush return, joined, is the text of render for the same ids. A character is returned by
    the push of its last byte. Bytes that are no character do not hold up what follows: once an ASCII byte was
    pushed, all before it and the byte itself have been returned. BOS and EOS are skipped, also inside a
    character.
    """

    def __init__(self) -> None: ...
    def push(self, token_id: SupportsIndex) -> str:
        """Take the next id; return the text that can now be shown, possibly "".

        Raises ValueError for an id outside 0 to 257, TypeError for what is no id.
        """

    def flush(self) -> str:
        """End the text; return what was held back, possibly "", with U+FFFD for a character cut short.

        The next push begins a new text.
        """

def ledger(text: str) -> Ledger:
    """Return the lengths of text. Raises as encode does."""

def uniform_nll(targets: int, classes: int = VOCAB_SIZE) -> float:
    """Return the total negative log-likelihood, in nats, where every prediction gives all classes equal weight.

    targets: the number of predictions.
    """

def perplexity(total_nll: float, targets: int) -> float:
    """Return exp of the mean of total_nll (nats) over targets. Raises ValueError where targets is 0."""

def bits_per_byte(total_nll: float, raw_bytes: int) -> float:
    """Return total_nll (nats) in bits, for each of raw_bytes.

    raw_bytes: the bytes of the body, whatever the tokens are. Raises ValueError where that is 0.
    """

def digest() -> str:
    """Return a SHA-256, in lower-case hex: that of the following ASCII bytes.

        {"bos":256,"eos":257,"rule":"utf-8","version":1,"vocab":258}

    They are made from the constants above, so that a change of one of them shows.
    """
