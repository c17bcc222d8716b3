"""Cases as data: faults that people reported of other tokenizers, and files that loaders must read or refuse.

Each line of `cases.jsonl` is one case, in fields of ours: `name`, which says the rule; `call`, a function, with
`argument` (or `repeat`, a text and how often); `gives`, the right answer (`runs` of an id and a count where it is long;
`error` where it is one, which `mentions` something); `only`, the encodings that it holds for; `source`, where it was
reported; `mutant`, the one of L1.2 that it is made for. A case over an encoding is checked against the oracle before it
is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.bytelevel.conformance import truth
from harness.bytelevel.conformance.outcomes import Outcome, Raised, Tokenizer, shown
from harness.bytelevel.conformance.suite import Clock
from harness.bytelevel.encodings import Encoding
from harness.bytelevel.oracles import OracleRejected

_FILE = Path(__file__).with_name("cases.jsonl")


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its answer."""

    name: str
    call: str
    argument: Any
    gives: Any
    error: str
    mentions: str
    """What the message of that error says, such as the name of the file at fault."""
    only: tuple[str, ...]
    source: str
    mutant: str


@lru_cache
def read_cases() -> tuple[Case, ...]:
    """All cases, in the file's order."""
    return tuple(_case(json.loads(line)) for line in _FILE.read_text(encoding="utf-8").splitlines())


def _case(fields: dict[str, Any]) -> Case:
    argument = fields["repeat"][0] * fields["repeat"][1] if "repeat" in fields else _value(fields.get("argument"))
    gives = _value(
        [one for one, count in fields["runs"] for _ in range(count)] if "runs" in fields else fields.get("gives")
    )
    return Case(
        fields["name"],
        fields["call"],
        argument,
        gives,
        fields.get("error", ""),
        fields.get("mentions", ""),
        tuple(fields.get("only", ())),
        fields.get("source", ""),
        fields.get("mutant", ""),
    )


def _value(tree: Any) -> Any:
    """A value of the file: bytes are written ``{"hex": "ff"}``."""
    if type(tree) is list:
        return [_value(one) for one in tree]
    if type(tree) is dict:
        return bytes.fromhex(tree["hex"]) if tree.keys() == {"hex"} else {key: _value(one) for key, one in tree.items()}
    return tree


def judge_cases(tokenizer: Tokenizer, encoding: Encoding, clock: Clock) -> Iterator[tuple[Case, str | None, Outcome]]:
    """Ask every case that the tokenizer offers: the case, what was right where it was not answered, and the answer."""
    for case in read_cases():
        if case.call not in tokenizer.offers or (case.only and encoding.name not in case.only):
            continue
        _check(case, encoding, clock)
        got = tokenizer.one(case.call, *(() if case.call == "n_vocab" else (case.argument,)))
        if case.error:
            is_right = isinstance(got, Raised) and case.error in got.bases and case.mentions in got.message
            yield case, None if is_right else case.error + (case.mentions and f" that names {case.mentions}"), got
        else:
            is_right = truth.agrees(tokenizer.shape, case.call, got, case.gives)
            yield case, None if is_right else shown(case.gives), got


def _check(case: Case, encoding: Encoding, clock: Clock) -> None:
    """OracleRejected where a case and the oracle tell different stories: one is wrong, and nobody knows which."""
    if case.error or case.call not in truth.FUNCTIONS:
        return
    with clock.oracle():
        right = truth.expected(encoding, case.call, case.argument)
    if right != case.gives:
        raise OracleRejected(encoding.oracle.name, f"the case {case.name!r}", case.gives, right)
