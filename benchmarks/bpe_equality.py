"""Compares the reference's GPT-2 with tiktoken's: every token, joins of two, what the strategies draw, real text.

    PYTHONPATH=reference python benchmarks/bpe_equality.py [--joins N] [--seeds N] [FOLDER ...]

Text is read from the files below the folders (for example /usr/share/doc, or an unpacked corpus), in pieces of a few
thousand characters, up to `--megabytes`. Prints how many texts were compared and the first that differs; exit status 1
where one does. A text of a strategy is set aside, and counted, where it holds a character that `regex` and tiktoken
class differently since they follow different versions of Unicode.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from hypothesis import Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from harness.bytelevel import bpe_strategies as bpe
from harness.bytelevel.oracles import tiktoken_gpt2
from harness.bytelevel.unicode_versions import disagreements, scalar_values
from harness.bytelevel.vocab import gpt2_files
from tinyllm.tok.bpe import get_encoder

PIECE_CHARACTERS = 4_000
TEXTS_PER_SEED = 100
SPECIAL = ("<|endoftext|>", "<|fim_prefix|>")
STRATEGIES: Mapping[str, Callable[[], SearchStrategy[str]]] = {
    "characters in context": bpe.characters_in_context,
    "runs of blanks": bpe.blank_runs,
    "contractions": bpe.contractions,
    "mixed alphabets": bpe.mixed_alphabets,
    "texts of tokens": bpe.texts_of_tokens,
    "runs of one piece": bpe.runs_of_one_piece,
    "texts with special tokens": partial(bpe.texts_with_specials, SPECIAL),
}


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


def drawn(strategy: SearchStrategy[str], seeds: int) -> Iterator[str]:
    """What the strategy draws in each of the seeds."""
    for number in range(seeds):
        yield from drawn_once(strategy, number)


def drawn_once(strategy: SearchStrategy[str], number: int) -> list[str]:
    """What it draws in one seed."""
    texts: list[str] = []

    @seed(number)
    @settings(max_examples=TEXTS_PER_SEED, phases=[Phase.generate], database=None, deadline=None)
    @given(text=strategy)
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    return texts


def main() -> int:
    """Compare, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--joins", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, default=20, help="of each strategy, a hundred texts a seed")
    parser.add_argument("--megabytes", type=float, default=5.0)
    options = parser.parse_args()
    oracle, reference = tiktoken_gpt2(), get_encoder(gpt2_files().vocab_bpe.parent)
    tokens = list(oracle.token_bytes().values())
    disputed = frozenset[str]().union(*disagreements(scalar_values()).values())
    different = False
    for name, texts in (
        ("single tokens", (token.decode("utf-8", "replace") for token in tokens)),
        ("joins of two tokens", joins(tokens, options.joins)),
        *((name, drawn(strategy(), options.seeds)) for name, strategy in STRATEGIES.items()),
        ("pieces of real text", real_text(options.folders, int(options.megabytes * 1e6))),
    ):
        compared = size = aside = 0
        first = ""
        for text in texts:
            if name in STRATEGIES and not disputed.isdisjoint(text):
                aside += 1
                continue
            compared, size = compared + 1, size + len(text.encode())
            if not first and reference.encode(text) != oracle.encode(text):
                first = text
        shown = f"first difference: {first[:200]!r}" if first else "no difference"
        more = f", {aside:,} set aside for their Unicode version" if aside else ""
        sys.stdout.write(f"{name}: {compared:,} compared, {size:,} bytes{more}, {shown}\n")
        different = different or bool(first)
    return int(different)


if __name__ == "__main__":
    raise SystemExit(main())
