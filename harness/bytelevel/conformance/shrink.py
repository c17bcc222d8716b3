"""A difference made as small as it gets, by Hypothesis, on the difference itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample

QUIET = settings(
    database=None,
    deadline=None,
    derandomize=False,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
"""For search and shrinking outside of tests: no limit of time, no memory of earlier runs."""

_KEY = b"difference"
_GAP = 0xE000 - 0xD800


def smallest_text(text: str, differs: Callable[[str], bool], *, most_calls: int = 1500, most_found: int = 1500) -> str:
    """The smallest text, fewest characters first, on which `differs` still holds; `text` where none is smaller.

    Hypothesis starts from `text` itself, so that what it shrinks is this difference and not another. After `most_calls`
    questions, or `most_found` smaller texts on which it holds, the smallest so far stands.
    """
    best = text
    answers = {text: True}  # Hypothesis asks again for what it has found, and must hear the same

    def still_differs(candidate: str) -> bool:
        nonlocal best
        if candidate not in answers:
            if len(answers) > most_calls or sum(answers.values()) > most_found:
                return False
            answers[candidate] = differs(candidate)
        if answers[candidate] and (len(candidate), candidate) < (len(best), best):
            best = candidate
        return answers[candidate]

    for character in dict.fromkeys(text if len(text) > 1 else ""):
        if still_differs(character):
            text = character
            break
    memory = InMemoryExampleDatabase()
    # Hypothesis takes what lies under the secondary key for an example that nobody has shrunk yet.
    memory.save(_KEY + b".secondary", choices_to_bytes((text,)))
    quiet = settings(QUIET, database=memory, phases=[Phase.reuse, Phase.shrink], max_examples=most_calls)
    with suppress(NoSuchExample):
        find(st.text(), still_differs, settings=quiet, database_key=_KEY)
    return best


def smallest_ids(ids: list[int], differs: Callable[[list[int]], bool], *, most_found: int = 1500) -> list[int]:
    """The same for a list of ids below the number of scalar values, each of which stands for one character."""
    text = "".join(map(_character, ids))
    found = smallest_text(text, lambda candidate: differs(list(map(_number, candidate))), most_found=most_found)
    return list(map(_number, found))


def _character(number: int) -> str:
    return chr(number if number < 0xD800 else number + _GAP)


def _number(character: str) -> int:
    code = ord(character)
    return code if code < 0xD800 else code - _GAP
