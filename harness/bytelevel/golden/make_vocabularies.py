"""Makes the two small vocabularies that the tests of L1.2 use, and the manifest that vouches for them.

Run as ``python -m harness.bytelevel.golden.make_vocabularies``; with ``--check`` nothing is written, and the exit
status is 1 where the files are not what this script makes.

* ``gpt2_slice.json``: part of GPT-2's own vocabulary, with GPT-2's ids: the 256 bytes, the merges of lowest rank,
  and those on the way to tokens at which faults show. It loads in a hundredth of the time.
* ``smol_tokenizer.json``: a synthetic ``tokenizer.json`` with the pipeline that SmolLM2 declares (single digits, then
  ByteLevel), its missing bytes and its control tokens in front; the merges are trained on the text below.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import regex

from harness.bytelevel.golden import FOLDER, MANIFEST, read_golden
from harness.bytelevel.oracles import gpt2_byte_map
from harness.bytelevel.vocab import gpt2_files, gpt2_vocabulary
from harness.errors import ExitCode

HERE = FOLDER / "vocabularies"
COMMAND = "python -m harness.bytelevel.golden.make_vocabularies"

SLICE_RANKS = 900
"""How many merges are taken from the top of the table."""

TELLING_WORDS = (
    *("'s", "'t", "'re", "'ve", "'m", "'ll", "'d", " '", "''", ' "', '."', ").", "();", " =", "==", "...", " ..."),
    *("hello", " world", "Hello", " Hello", " the", "toString", "SS", " #", "##"),
    *("000", " 000", "2019", " 2019", "1234"),
    *("    ", "        ", "\n\n", "\t\t", "\xa0", "\u3000", "\u200b", "\ufeff", "\u2028", " \xa0"),
    *("\xe9", " \xe9", "\u2019", "\u201c", " \u2014", "\u2026", "\u041f\u0440\u0438", "\u0432\u0435\u0442"),
    *("\u0939", "\u093f", "\u3053", "\u4e00", "\u7684", "\U0001f600", "\ufffd", "\u0301", "\xad", "\xb2"),
    *(" gazed", " informants", "<|", "|>", "endoftext", "SolidGoldMagikarp", " Leilan"),
)
"""Texts whose tokens the slice holds; the last line has merges of the highest ranks."""

MISSING_BYTES = frozenset({0x04, 0x06, 0x13, 0x14, 0x16, 0x1D, 0xC0, 0xC1, 0xF1, 0xF2, *range(0xF5, 0x100)})
"""The 21 that SmolLM2's vocabulary lacks."""

CONTROL_TOKENS = ("<|endoftext|>", "<|start|>", "<|end|>", "<|start|><|end|>")
"""Special; the last begins with another."""

PLAIN_ADDED = ("|||EMAIL|||", "    ")
"""Added but not special, as in OLMo's files: they match in any text."""

MERGES = 200

TRAINING_TEXT = """
A tokenizer cuts text into pieces and the pieces into tokens. The tokenizer's table doesn't know words: it knows
which two neighbours were seen together most often, and it'll merge them wherever they're seen again. We've counted,
they counted, I'd have counted: the counts of 1990, 2000 and 2024 aren't the counts of 12,345 other texts.

def merge(pairs, ranks):
    for left, right in pairs:
        if (left, right) in ranks and ranks[left, right] < 10:
            return left + right
    return ""

Die Straße führt über Köln; où est l'été, là-bas? \u4e2d\u6587\u7684\u6587\u5b57, \u65e5\u672c\u8a9e\u306e\u6587\u5b57,
\u0440\u0443\u0441\u0441\u043a\u0438\u0435 \u0441\u043b\u043e\u0432\u0430, \u0939\u093f\u0928\u094d\u0926\u0940.
The end of the text is not the end of the tokens, and the tokens of the end are the tokens of the text.
"""


def gpt2_slice() -> dict[str, object]:
    """The slice: token to GPT-2's id, and merges in order of rank."""
    vocabulary = gpt2_vocabulary()
    lines = gpt2_files().vocab_bpe.read_text(encoding="utf-8").split("\n")[1:-1]
    parts = {line.replace(" ", ""): line for line in lines}
    kept = set(lines[:SLICE_RANKS])
    waiting = [token for word in TELLING_WORDS for token in _tokens_inside(_spelled(word), vocabulary)]
    while waiting:
        line = parts.get(waiting.pop())
        if line is not None and line not in kept:
            kept.add(line)
            waiting += line.split(" ")
    merges = [line for line in lines if line in kept]
    tokens = {token for token in vocabulary if len(token) == 1} | {line.replace(" ", "") for line in merges}
    ids = {token: number for token, number in vocabulary.items() if token in tokens or token == "<|endoftext|>"}
    return {"vocabulary": ids, "merges": merges}


def _spelled(text: str) -> str:
    table = gpt2_byte_map()
    return "".join(table[byte] for byte in text.encode())


def _tokens_inside(spelled: str, vocabulary: Mapping[str, int]) -> list[str]:
    """Every token of two characters or more that is part of `spelled`, wherever a merge may end up."""
    spans = ((start, end) for start in range(len(spelled)) for end in range(start + 2, len(spelled) + 1))
    return [spelled[start:end] for start, end in spans if spelled[start:end] in vocabulary]


def smol_tokenizer() -> dict[str, object]:
    """The synthetic file, with the keys of a real one in their order."""
    merges = _train(TRAINING_TEXT, MERGES)
    table = gpt2_byte_map()
    tokens = [*CONTROL_TOKENS]
    tokens += sorted(table[byte] for byte in table if byte not in MISSING_BYTES)
    tokens += [left + right for left, right in merges]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    added = [_added(text, vocabulary[text], special=True) for text in CONTROL_TOKENS]
    added += [_added(text, len(vocabulary) + place, special=False) for place, text in enumerate(PLAIN_ADDED)]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level],
        },
        "post_processor": None,
        "decoder": {**byte_level, "add_prefix_space": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": [f"{left} {right}" for left, right in merges],
        },
    }


def _added(text: str, number: int, *, special: bool) -> dict[str, object]:
    return {
        "id": number,
        "content": text,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": not special,
        "special": special,
    }


def _train(text: str, count: int) -> list[tuple[str, str]]:
    """The `count` most frequent pairs, one after another; of equals the one that sorts first."""
    pieces = regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
    words = Counter(tuple(_spelled(piece)) for piece in pieces)
    merges: list[tuple[str, str]] = []
    for _ in range(count):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, times in words.items():
            for pair in pairwise(word):
                pairs[pair] += times
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        words = Counter({_joined(word, best): times for word, times in words.items()})
    return merges


def _joined(word: Sequence[str], pair: tuple[str, str]) -> tuple[str, ...]:
    joined: list[str] = []
    for symbol in word:
        if joined and (joined[-1], symbol) == pair:
            joined[-1] += symbol
        else:
            joined.append(symbol)
    return tuple(joined)


def render() -> dict[str, bytes]:
    """Every file by name, the manifest last."""
    documents = {"gpt2_slice.json": gpt2_slice(), "smol_tokenizer.json": smol_tokenizer()}
    origins = {
        "gpt2_slice.json": "OpenAI's encoder.json and vocab.bpe (gpt-2 release, modified MIT licence)",
        "smol_tokenizer.json": "synthetic: trained by this script on the text that stands in it",
    }
    files = {name: (json.dumps(one, indent=0) + "\n").encode("ascii") for name, one in documents.items()}
    entries = {
        name: {
            "origin": origins[name],
            "command": COMMAND,
            "size_bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for name, content in files.items()
    }
    return files | {MANIFEST: (json.dumps({"files": entries}, indent=1) + "\n").encode("ascii")}


def main(arguments: Sequence[str] | None = None, *, folder: Path = HERE) -> int:
    """Write the files into `folder`, or compare those that are there; return the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Make the small vocabularies, or check them.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing; exit 1 on a difference")
    check_only: bool = parser.parse_args(arguments).check
    for name, content in render().items():
        path = folder / name
        if not check_only:
            path.write_bytes(content)
            sys.stdout.write(f"wrote {path}\n")
        elif name != MANIFEST and read_golden(name, folder=folder) != content:
            sys.stderr.write(f"{path} is sound, but this script makes another file\n")
            return ExitCode.FAIL
    return ExitCode.PASS


if __name__ == "__main__":
    raise SystemExit(main())
