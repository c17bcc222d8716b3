"""The small scope of L1.1: every code point, and short sequences of one byte for each class of UTF-8 with special ids.

Legality is decided by at most four bytes and by nothing but their classes, so sequences of four are enough for that;
a fault that counts further is not excluded.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from harness.mutation.scope import Observation, observe
from tinyllm.tok import byte_codec as subject
from tinyllm.tok import protocol

CLASSES = bytes.fromhex("00 41 80 90 A0 C0 C2 E0 E1 ED F0 F1 F4 F5")
IDS = (0, 0x41, 0x80, 0xC2, 0xE6, 0xFF, 256, 257)
NO_IDS = (-258, -3, -2, -1, 258, 259, 511, 512, True, False, 1.0, "1", None, b"a")
CHARACTERS = (
    "\x00",
    " ",
    "\r",
    "\n",
    "A",
    "E",
    "O",
    "S",
    "\x7f",
    "\x80",
    "\u0301",
    "\ufeff",
    "\ufffd",
    "\U0001f642",
    "\ud800",
)


def up_to(size: int, items: Sequence[object]) -> Iterator[tuple[object, ...]]:
    for length in range(size + 1):
        yield from product(items, repeat=length)


def scope_constants() -> Iterator[object]:
    """the constants and the digest"""
    yield subject.BOS_ID, subject.EOS_ID, subject.VOCAB_SIZE, subject.IGNORE_INDEX
    yield observe(subject.digest)


def scope_code_points() -> Iterator[object]:
    """all numbers from -256 to 0x1100FF as code points, the ends of longer forms, and values that are no integers"""
    for first in range(-0x100, 0x110100, 0x100):
        yield first, "|".join(map(fate, range(first, first + 0x100)))
    for other in (0x1FFFFF, 0x200000, 0x3FFFFFF, 0x7FFFFFFF, 1 << 40, *NO_IDS):
        yield observe(subject.utf8_encode, other)


def fate(number: int) -> str:
    """What `observe` would say, in one word: a million observations would cost more than the calls."""
    try:
        return repr(subject.utf8_encode(number))
    except Exception as error:
        return type(error).__name__


def scope_texts() -> Iterator[Observation]:
    """all texts of up to three of fifteen telling characters, encoded and counted, and values that are no text"""
    tokenizer = protocol.ByteTokenizer()
    for characters in up_to(3, CHARACTERS):
        text = "".join(map(str, characters))
        index = [text.index("\ud800")] if "\ud800" in text else []
        for call in (subject.encode, subject.encode_document, subject.ledger, tokenizer.encode):
            yield observe(call, text, naming=index)
    for text in ("<bos>", "<eos>", "EOSEOS"):
        yield observe(subject.encode, text)
        yield observe(tokenizer.encode, text)
    for stranger in (b"", b"a", None, 7, ["a"]):
        for call in (subject.encode, subject.encode_document, subject.ledger):
            yield observe(call, stranger)


def scope_raw_bytes() -> Iterator[Observation]:
    """all bytes alone and together, and values that are no bytes"""
    for data in (b"", *(bytes([byte]) for byte in range(256)), bytes(range(256)), bytearray(b"a")):
        yield observe(subject.encode_raw, data)
    for stranger in ("", "a", None, 7, [7], (7,), 1.5, True):
        yield observe(subject.encode_raw, stranger)


def scope_ids() -> Iterator[Observation]:
    """all sequences of up to four of eight ids, and up to two of them around each of fourteen values that are no ids"""
    tokenizer = protocol.ByteTokenizer()
    calls = (subject.decode_bytes, subject.decode, subject.until_eos, subject.shift, subject.render, tokenizer.decode)
    for ids in up_to(4, IDS):
        for call in calls:
            yield observe(call, list(ids))
    for before, stranger, behind in product(up_to(2, IDS), NO_IDS, up_to(1, IDS)):
        named = [stranger, f"position {len(before)}"] if type(stranger) is int else []
        for call in calls:
            yield observe(call, [*before, stranger, *behind], naming=named)


def scope_byte_classes() -> Iterator[object]:
    """all sequences of up to four bytes, one of each class of UTF-8, decoded, shown, and gone on with"""
    for sequence in up_to(4, CLASSES):
        data = bytes(sequence)  # type: ignore[arg-type]
        start = []
        try:
            data.decode()
        except UnicodeDecodeError as error:
            start = [f"offset {error.start} "]
        yield observe(subject.decode, data, naming=start)
        yield observe(subject.render, data)
        yield observe(lambda data=data: sorted(subject.allowed_next(data)))


def scope_streams() -> Iterator[Observation]:
    """all streams of up to four ids, one of each class of UTF-8 and EOS, flushed twice"""
    for ids in up_to(4, (*CLASSES, 257)):
        yield observe(streamed, ids)
    for stranger in NO_IDS:
        yield observe(subject.StreamDecoder().push, stranger)


def streamed(ids: Sequence[object]) -> list[str]:
    """What is shown at each push, by another decoder meanwhile, and at two ends."""
    decoder, other = subject.StreamDecoder(), subject.StreamDecoder()
    return [*map(decoder.push, ids), other.flush(), decoder.flush(), decoder.flush()]


def scope_batches() -> Iterator[Observation]:
    """all batches of up to two of eleven sequences, whole documents or not, in rows of up to four"""
    pieces = ([], [256], [257], [65], [256, 257], [256, 65], [65, 257], [257, 256])
    documents = (*pieces, [256, 0, 257], [256, 257, 257], [256, 256, 65, 257], [256, True, 257], [256, 258, 257])
    for batch in up_to(2, documents):
        for length in range(5):
            yield observe(subject.pad_batch, [list(document) for document in batch], length)


def scope_rates() -> Iterator[Observation]:
    """all counts of up to six generations, legal and not, under a named and an unnamed protocol"""
    for legal, illegal in product(range(7), repeat=2):
        samples = [subject.render([65])] * legal + [subject.render([255])] * illegal
        for name in ("greedy", ""):
            yield observe(lambda samples=samples, name=name: subject.illegal_rate(samples, protocol=name))


def scope_measures() -> Iterator[Observation]:
    """the three measures for totals of up to three nats, up to four targets or bytes, and a few numbers of classes"""
    for count in range(-1, 5):
        yield observe(subject.uniform_nll, count)
        for classes in (1, 2, 256, 258):
            yield observe(subject.uniform_nll, count, classes)
        for total in (0.0, 0.5, 1.0, 3.0):
            yield observe(subject.perplexity, total, count)
            yield observe(subject.bits_per_byte, total, count)


def scope_tokens() -> Iterator[object]:
    """all ids from -300 to 600 and all strings of one character up to U+0200, with a few longer ones"""
    tokenizer = protocol.ByteTokenizer()
    yield tokenizer.vocab_size, sorted(tokenizer.special_ids.items())
    yield isinstance(tokenizer, protocol.Tokenizer), isinstance("", protocol.Tokenizer)
    for token_id in (*range(-300, 600), *NO_IDS):
        yield observe(tokenizer.id_to_token, token_id)
    for token in ("", *map(chr, range(0x200)), "ab", "<bos>", "<eos>", "<eos> ", "EOS", "\ud800"):
        yield observe(tokenizer.token_to_id, token)
