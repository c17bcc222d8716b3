"""Compares the reference's GPT-2 with tiktoken's: every token, joins of two, and real text from files.

    PYTHONPATH=reference python benchmarks/bpe_equality.py [--joins N] [FOLDER ...]

Text is read from the files below the folders (for example /usr/share/doc, or an unpacked corpus), in pieces of a few
thousand characters, up to `--megabytes`. Prints how many texts were compared and the first that differs; exit status 1
where one does.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.bytelevel.oracles import tiktoken_gpt2
from harness.bytelevel.vocab import gpt2_files
from tinyllm.tok.bpe import get_encoder

PIECE_CHARACTERS = 4_000


def joins(tokens: list[bytes], count: int) -> Iterator[str]:
    """Two tokens side by side; bytes that are no text are replaced."""
    chance = random.Random(20190214)
    for _ in range(count):
        yield b"".join(chance.choices(tokens, k=2)).decode("utf-8", "replace")


def real_text(folders: Iterable[Path], most_bytes: int) -> Iterator[str]:
    """Pieces of the files that are UTF-8, in the order of their names, `most_bytes` in all."""
    left = most_bytes
    for path in (path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()):
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for start in range(0, len(text), PIECE_CHARACTERS):
            piece = text[start : start + PIECE_CHARACTERS]
            left -= len(piece.encode())
            if left < 0:
                return
            yield piece


def main() -> int:
    """Compare, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--joins", type=int, default=100_000)
    parser.add_argument("--megabytes", type=float, default=5.0)
    options = parser.parse_args()
    oracle, reference = tiktoken_gpt2(), get_encoder(gpt2_files().vocab_bpe.parent)
    tokens = list(oracle.token_bytes().values())
    different = False
    for name, texts in (
        ("single tokens", (token.decode("utf-8", "replace") for token in tokens)),
        ("joins of two tokens", joins(tokens, options.joins)),
        ("pieces of real text", real_text(options.folders, int(options.megabytes * 1e6))),
    ):
        compared = size = 0
        first = ""
        for text in texts:
            compared, size = compared + 1, size + len(text.encode())
            if not first and reference.encode(text) != oracle.encode(text):
                first = text
        shown = f"first difference: {first[:200]!r}" if first else "no difference"
        sys.stdout.write(f"{name}: {compared:,} compared, {size:,} bytes, {shown}\n")
        different = different or bool(first)
    return int(different)


if __name__ == "__main__":
    raise SystemExit(main())
