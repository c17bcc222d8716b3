"""The command that asks a tokenizer one question again."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

MOST_TYPED = 2_000
"""Characters of a question that a person may be asked to paste."""

_LIVE_IN_DOUBLE_QUOTES = re.compile(r'["$`!]|\\(?=[\\\n]|$)')
"""What a shell does not leave as it is between double quotes; ``!`` in the interactive ones alone."""


@dataclass(frozen=True)
class Replay:
    """The words of a command line that judges the same tokenizer, around what it is to be asked."""

    before: tuple[str, ...] = ("ol", "verify")
    after: tuple[str, ...] = ()

    def asking(self, option: str, value: str) -> str:
        """The line with one option more, ready to be pasted into a shell."""
        return " ".join(map(shell_word, (*self.before, option, value, *self.after)))

    def question(self, call: str, *, part: str, can_be_asked: bool = True) -> str:
        """The line that asks this one question, or its whole part where it is too long or cannot be asked by itself."""
        if can_be_asked and len(call) <= MOST_TYPED:
            return self.asking("--try", call)
        return self.asking("--only", part)


def shell_word(text: str) -> str:
    """One word of a POSIX shell: in double quotes where these keep apostrophes readable, else as `shlex.quote` does."""
    if "'" in text and not _LIVE_IN_DOUBLE_QUOTES.search(text):
        return f'"{text}"'
    return shlex.quote(text)
