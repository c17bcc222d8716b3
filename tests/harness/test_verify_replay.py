"""The command that asks again: a shell takes it for the words that were meant, and a person can read it."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from harness.verify.replay import MOST_TYPED, Replay, shell_word

# No NUL, which no word of a command line can hold, and no lone surrogate, which `subprocess` cannot pass on.
words = st.text(st.sampled_from("a '\"\\$`!{}*\n") | st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("encode('a b')", "\"encode('a b')\""),
        ('encode("it\'s")', "'encode(\"it'\"'\"'s\")'"),
        ("encode('\\u00e9')", "\"encode('\\u00e9')\""),
        ("encode('$HOME')", "'encode('\"'\"'$HOME'\"'\"')'"),
        ("scalars", "scalars"),
        ("", "''"),
    ],
)
def test_a_question_stays_readable_where_the_shell_lets_it(text: str, word: str) -> None:
    assert shell_word(text) == word


@given(words)
@example("'\\")
@example("'\\\\n")
@example("'\\\n")
@example("'`id`$(id)${HOME}!!")
def test_a_word_is_one_word_again(text: str) -> None:
    assert shlex.split(shell_word(text)) == [text]


def test_a_shell_reads_every_word_as_it_was_meant() -> None:
    meant = ["encode('a b')", "'\\", "'\\\\n", "'\\\n", "'`id`$(id)${HOME}!!", "'\\u00e9'", "\"'", "it's *", "{}", "é'"]
    script = "printf '%s\\0' " + " ".join(map(shell_word, meant))
    ran = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert ran.stdout.decode().split("\0")[:-1] == meant


def test_the_question_stands_before_the_program() -> None:
    replay = Replay(("ol", "verify", "--profile", "strict"), ("--", "node", "-e", "f({})"))
    asked = replay.asking("--try", "encode(' a')")
    assert asked == "ol verify --profile strict --try \"encode(' a')\" -- node -e 'f({})'"


def test_what_nobody_can_type_is_asked_again_with_its_whole_part() -> None:
    replay = Replay(("ol", "verify", "x"))
    longest = "a" * MOST_TYPED
    assert replay.question(longest, part="texts") == f"ol verify x --try {longest}"
    assert replay.question(longest + "a", part="texts") == "ol verify x --only texts"
    assert replay.question("load('a.json')", part="cases", can_be_asked=False) == "ol verify x --only cases"
