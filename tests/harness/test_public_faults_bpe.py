"""Faults that people met in real tokenizers and loaders: the reference gives the right value in each case.

The cases lie in `data/public_faults.jsonl` with their sources. What the project decided otherwise than a case says
is in DECIDED, and the reasons are in `docs/decisions.md`.
"""

import base64
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import pytest

from harness.bytelevel.oracles import PUBLISHED, gpt2_byte_map, published_encoding
from harness.bytelevel.small_vocabularies import byte_ids
from harness.bytelevel.vocab import MissingData, gpt2_files, locate
from tinyllm.tok.bpe import (
    Encoder,
    StreamDecoder,
    get_encoder,
    load_gpt2,
    load_tiktoken,
    load_tokenizer_json,
    save_tokenizer_json,
)

DATA = Path(__file__).parent / "data" / "public_faults.jsonl"
CASES = [json.loads(line) for line in DATA.read_bytes().splitlines()]
OURS = {case["id"]: case for case in CASES if case["module"] in ("bpe", "loader")}

DECIDED = {
    "B61": {"ids": [27, 91, 437, 1659, 5239, 91, 29]},  # not allowed is ordinary text, no error
    "B99": {"ids": [259]},  # the loaders take no digest; without one CRLF is read
}

REFERENCE = Path(__file__).parents[2] / "reference"


@lru_cache
def gpt2():
    return get_encoder(gpt2_files().vocab_bpe.parent)


@lru_cache
def published(name):
    if name == "gpt2":
        return gpt2()
    try:
        path = locate(PUBLISHED[name])
    except MissingData as problem:
        pytest.skip(str(problem))
    encoding = published_encoding(name)
    # tiktoken's own pattern, read by regex; its possessive marks mean the same there.
    return load_tiktoken(path, encoding._pat_str, encoding._special_tokens)


def spelled(data):
    table = gpt2_byte_map()
    return "".join(table[byte] for byte in data)


def toy(given, folder):
    """An encoder over the 256 bytes, numbered by their value, and what a case adds."""
    path = folder / "toy.tiktoken"
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {bytes.fromhex(token): number for token, number in given.get("ranks", [])}
    for place, (left, right) in enumerate(given.get("merges", [])):
        ranks[bytes.fromhex(left + right)] = 256 + place
    lines = [base64.b64encode(token) + b" %d\n" % number for token, number in ranks.items()]
    path.write_bytes(b"".join(lines))
    if given.get("pattern") == "gpt2":
        vocabulary = {spelled(token): number for token, number in ranks.items()}
        return Encoder(vocabulary, [], special_tokens=given.get("special"))
    return load_tiktoken(path, r"(?s:.+)", given.get("special", {}))


def encoder_of(given, folder):
    return toy(given, folder) if "base" in given else published(given["encoding"])


def text_of(given):
    return given["text"] if "text" in given else given["text_repeat"][0] * given["text_repeat"][1]


def encode(given, folder):
    return encoder_of(given, folder).encode(text_of(given), given.get("allowed_special", ()))


def encode_mutate_encode(given, folder):
    encoder = encoder_of(given, folder)
    encoder.encode(given["text"]).append(0)
    return encoder.encode(given["text"])


def encode_threads(given, folder):
    encoder = encoder_of(given, folder)
    with ThreadPoolExecutor(given["threads"]) as pool:
        found = set(pool.map(lambda _: tuple(encoder.encode(given["text"])), range(8 * given["repeats"])))
    assert len(found) == 1
    return list(found.pop())


def encode_offsets(given, folder):
    encoder = gpt2()
    if given.get("add_prefix_space"):
        path = folder / "prefixed.json"
        save_tokenizer_json(encoder, path)
        document = json.loads(path.read_bytes())
        level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": given["trim_offsets"]}
        path.write_text(json.dumps({**document, "pre_tokenizer": level, "post_processor": level}))
        encoder = load_tokenizer_json(path)
    return [[start, end] for _, start, end in encoder.encode_with_offsets(given["text"])]


def ids_of(given):
    if given.get("ids_type") == "numpy.int64 array":
        return [Index(number) for number in given["ids"]]
    return given["ids"]


class Index:
    """What numpy's integers are to whoever does not import numpy: no int, but an index."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def stream_decode(given, folder):
    stream = StreamDecoder(published(given["encoding"]))
    return "".join([*(stream.push(number) for number in given["ids"]), stream.flush()])


def load_gpt2_files(given, folder):
    (folder / "encoder.json").write_text(json.dumps(byte_ids() | given["encoder_extra"]))
    (folder / "vocab.bpe").write_bytes(bytes.fromhex(given["vocab_bpe_hex"]))
    if "locale" in given:
        return ids_under_another_locale(folder, given["text"])
    return load_gpt2(folder / "encoder.json", folder / "vocab.bpe").encode(given["text"])


def ids_under_another_locale(folder, text):
    """A process whose own encoding is ASCII: the C locale, without Python's coercion and UTF-8 mode."""
    program = (
        "import locale, sys; from tinyllm.tok.bpe import get_encoder;"
        "print(locale.getpreferredencoding(False), file=sys.stderr);"
        f"print(get_encoder({str(folder)!r}).encode({text!r}))"
    )
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONPATH": str(REFERENCE)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | plain, capture_output=True, text=True, check=True
    )
    assert "utf" not in run.stderr.lower()
    return json.loads(run.stdout)


def load_ranks(given, folder):
    lines = b"".join(base64.b64encode(bytes([byte])) + b" %d\n" % byte for byte in range(256))
    (folder / "toy.tiktoken").write_bytes(lines + bytes.fromhex(given["extra_lines_hex"]))
    return load_tiktoken(folder / "toy.tiktoken", r"(?s:.+)", {})


def load_json(given, folder):
    table = gpt2_byte_map()
    absent = {table[int(byte, 16)] for byte in given.get("base_without", [])}
    vocabulary = {token: number for token, number in byte_ids().items() if token not in absent} | given["vocab_extra"]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": vocabulary, "merges": given["merges"]}
    document = {"added_tokens": given.get("added_tokens", []), "pre_tokenizer": level, "decoder": level, "model": model}
    (folder / "tokenizer.json").write_text(json.dumps(document))
    return load_tokenizer_json(folder / "tokenizer.json").encode(given["text"])


OPERATIONS = {
    "encode": encode,
    "encode_mutate_encode": encode_mutate_encode,
    "encode_threads": encode_threads,
    "encode_offsets": encode_offsets,
    "construct": lambda given, folder: toy(given, folder),
    "n_vocab": lambda given, folder: published(given["encoding"]).vocab_size,
    "decode": lambda given, folder: published(given["encoding"]).decode(ids_of(given)),
    "roundtrip": lambda given, folder: published(given["encoding"]).decode(encode(given, folder)),
    "token_bytes": lambda given, folder: [
        published(given["encoding"]).decode_bytes([number]).hex() for number in given["ids"]
    ],
    "stream_decode": stream_decode,
    "load_gpt2_files": load_gpt2_files,
    "load_tiktoken": load_ranks,
    "load_tokenizer_json": load_json,
}


def in_runs(ids):
    runs = []
    for number in ids:
        if runs and runs[-1][0] == number:
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs


def test_every_case_of_these_modules_is_tried():
    assert len(OURS) == 49
    assert {case["input"]["op"] for case in OURS.values()} == set(OPERATIONS)


@pytest.mark.parametrize("case", OURS.values(), ids=OURS)
def test_the_reference_is_right_on_a_public_fault(case, tmp_path):
    expected = DECIDED.get(case["id"], case["expect"])
    run = OPERATIONS[case["input"]["op"]]
    if expected in ("ValueError", "TypeError"):
        with pytest.raises({"ValueError": ValueError, "TypeError": TypeError}[expected]):
            run(case["input"], tmp_path)
        return
    got = run(case["input"], tmp_path)
    if "ids_rle" in expected:
        assert in_runs(got) == expected["ids_rle"]
    else:
        (value,) = expected.values()
        assert got == value
