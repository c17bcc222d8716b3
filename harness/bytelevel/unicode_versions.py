"""Where two regular expression engines disagree on a character, because they know different versions of Unicode.

GPT-2's pattern asks three things of a character: is it a letter, a number, white space? `regex` answers by its version
of Unicode, tiktoken by that of the engine compiled into it. A character on which they part says nothing about a
tokenizer, so verdicts leave it out. Which ones these are is computed from the two installed engines, never listed by
hand.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import lru_cache

import regex

from harness.bytelevel.oracles.asking import library

CLASSES = (r"\p{L}", r"\p{N}", r"\s")
"""What GPT-2's pattern asks."""


def scalar_values(*, step: int = 1) -> str:
    """Every character that UTF-8 can write, or every `step`-th of them."""
    return "".join(chr(code) for code in range(0, sys.maxunicode + 1, step) if not 0xD800 <= code < 0xE000)


@lru_cache(maxsize=8)
def disagreements(characters: str) -> dict[str, frozenset[str]]:
    """The characters, of those given, that `regex` and tiktoken class differently, by the class they part on."""
    return {one: frozenset(_by_regex(one, characters) ^ _by_tiktoken(one, characters)) for one in CLASSES}


def agreed(characters: str) -> str:
    """The characters on which both engines say the same of every class, in their order."""
    disputed = frozenset[str]().union(*disagreements(characters).values())
    return "".join(character for character in characters if character not in disputed)


def describe(characters: frozenset[str]) -> list[str]:
    """One line a run of neighbours: code points, how many, and the name of the first where Python knows one."""
    runs: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return [
        f"U+{first:04X}..U+{last:04X} ({last - first + 1}) {unicodedata.name(chr(first), 'no name in Python')}"
        for first, last in runs
    ]


def _by_regex(pattern: str, characters: str) -> set[str]:
    return set(regex.findall(pattern, characters))


def _by_tiktoken(pattern: str, characters: str) -> set[str]:
    """A vocabulary of the 256 bytes encodes what the pattern matches and leaves out the rest."""
    module = library("tiktoken", "tiktoken")
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoding = module.Encoding("class", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return set(bytes(encoding.encode_ordinary(characters)).decode("utf-8"))


def main() -> int:
    """Print every character on which the two installed engines part, by class; return the exit status."""
    for pattern, characters in disagreements(scalar_values()).items():
        sys.stdout.write(f"{pattern}: {len(characters)} characters\n")
        sys.stdout.writelines(f"  {line}\n" for line in describe(characters))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
