"""Ten thousand hostile or damaged frames in both directions: nobody falls over, and every end has a name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from harness.subject import wire
from harness.subject.channel import Channel, End, SubjectGone
from harness.subject.failures import FromSubject
from harness.subject.link import Link
from harness.subject.objects import RemoteObject
from harness.subject.remote import build_module
from harness.subject.standins import CONTAINERS, Foreign
from harness.subject.worker import Server

pytestmark = pytest.mark.sandbox


def fuzz(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


MODULE = "fuzzed"
GREETING: dict[str, Any] = {
    "protocol": wire.PROTOCOL,
    "offers": {
        MODULE: [
            "f",
            {"name": "Box", "kind": "class", "methods": ["push"], "statics": ["of"]},
            {"name": "Pair", "kind": "record", "fields": ["left", "right"]},
            {"name": "Bad", "kind": "error", "bases": ["KeyError", "ValueError"]},
            {"name": "TABLE", "kind": "value", "value": {"map": [[1, "a"]], "ref": 1}},
        ]
    },
}
TAGS = [*wire._READERS, "type", "fields", "file", "files", "nonsense"]
KEYS = ["id", "ok", "error", "batch", "args", "changed", "wrote", "bases", "message", "protocol", "offers", "more"]
WORDS = [
    *("", "ff", "0f0", "-", "-0", "0x1p4", "0x1p99999", "nan", "inf", "1e5", "ValueError", "SystemExit", "Foreign"),
    *("UnicodeDecodeError", "__class__", "Box", "Pair", "Bad", "class", "record", "value", "\ud800", "a" * 300),
]


def leaves() -> SearchStrategy[Any]:
    numbers = st.sampled_from([0, 1, 2, -1, 2**53 + 1, 10**30, 1.5, 1e400, float("nan"), True, False, None])
    return numbers | st.sampled_from(WORDS) | st.text(max_size=3)


def trees() -> SearchStrategy[Any]:
    """Values in good order, objects that are nearly values, and JSON of no meaning."""
    refs = st.integers(1, 3)
    simple = st.sampled_from(
        [
            *({"bytes": "00ff"}, {"text": [55296]}, {"int": "-fffffffffffffffff"}, {"float": "-0x0.0p+0"}),
            *({"ref": 1}, {"ref": 2}, {"foreign": "X"}, {"bytearray": "61", "ref": 2}, {"index": 1}, {"path": "0/a"}),
            *({"object": "Box", "ref": 1}, {"object": "Box", "ref": 3}, {"object": "Other", "ref": 2}),
        ]
    )
    return st.recursive(
        leaves() | simple,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.fixed_dictionaries({"list": st.lists(inner, max_size=2), "ref": refs})
            | st.fixed_dictionaries({"set": st.lists(inner, max_size=2), "ref": refs})
            | st.fixed_dictionaries({"map": st.lists(st.tuples(inner, inner), max_size=2), "ref": refs})
            | st.builds(lambda one, two: {"record": "Pair", "fields": [["left", one], ["right", two]]}, inner, inner)
            | st.dictionaries(st.sampled_from(TAGS), inner, max_size=3)
            | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
        ),
        max_leaves=6,
    )


def errors() -> SearchStrategy[Any]:
    bases = st.lists(st.sampled_from([*WORDS, "OSError", "KeyError", "ExceptionGroup", "StopIteration"]), max_size=3)
    return st.fixed_dictionaries(
        {"type": st.sampled_from(WORDS) | trees(), "bases": bases | trees()},
        optional={"message": trees(), "args": st.lists(trees(), max_size=5) | trees(), "fields": trees()},
    )


def answers(number: int) -> SearchStrategy[dict[str, Any]]:
    """Objects that are nearly answers to request `number`."""
    pairs = st.lists(st.lists(trees(), min_size=2, max_size=2), max_size=2)
    return st.fixed_dictionaries(
        {"id": st.just(number) | leaves()},
        optional={
            "ok": trees(),
            "error": errors(),
            "args": st.lists(trees(), max_size=2) | trees(),
            "changed": pairs | trees(),
            "wrote": pairs | trees(),
            "batch": st.lists(trees(), max_size=2),
        },
    )


@st.composite
def damaged(draw: st.DrawFn, frames: SearchStrategy[Any]) -> bytes:
    """A frame as it is, cut, with bytes flipped, doubled or put in, or no frame at all."""
    line = bytearray(json.dumps(draw(frames)).encode())
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 3]))):
        at = draw(st.integers(0, len(line)))
        match draw(st.sampled_from(["cut", "flip", "put in", "double", "nest"])):
            case "cut":
                del line[at : at + draw(st.integers(1, 9))]
            case "flip" if at < len(line):
                line[at] ^= 1 << draw(st.integers(0, 7))
            case "put in":
                line[at:at] = draw(st.binary(max_size=4))
            case "double":
                line[at:at] = line[: draw(st.integers(0, 30))]
            case "nest":
                line[at:at] = b"[" * draw(st.sampled_from([1, 70, 5_000]))
    return bytes(line).replace(b"\n", b" ")


class Scripted(Channel):
    """A subject that answers with lines that were written beforehand."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines

    def exchange(self, frame: bytes, limit_s: float) -> bytes:
        del frame, limit_s
        return self.lines.pop(0)

    def abandon(self) -> None:
        self.lines = []


def greet(first: bytes, *rest: bytes) -> tuple[Link, dict[str, Any]]:
    link = Link([MODULE])
    offers = link.open(Scripted([first, *rest]))
    return link, offers


def is_data(value: object, depth: int = 0) -> bool:
    """Whether a value is made of builtins and stand-ins alone."""
    if isinstance(value, Foreign | RemoteObject) or value is None:
        return True
    if type(value) in (str, int, bool, float, bytes, bytearray):
        return True
    if type(value) in (list, set, frozenset) or isinstance(value, (tuple, *CONTAINERS)):
        inside = [*value, *value.values()] if isinstance(value, dict) else list(value)  # type: ignore[call-overload]
        return all(is_data(one, depth + 1) for one in inside)
    return type(value) is dict and all(is_data(one, depth + 1) for pair in value.items() for one in pair)


@fuzz(2_500)  # of two frames each
@given(lines=st.tuples(damaged(answers(2)), damaged(answers(3))))
def test_no_answer_brings_the_judge_down(lines: tuple[bytes, ...]) -> None:
    """Each call gives data, an error of the subject's, or a subject that is gone with a reason."""
    link, offers = greet(json.dumps({"id": 1, "ok": GREETING}).encode(), *lines)
    module = build_module(link, MODULE, offers[MODULE])
    argument: list[object] = [1, {"a": [2]}]
    for _ in lines:
        try:
            assert is_data(module.f(argument))
        except SubjectGone as gone:
            assert gone.end is End.BROKEN
            assert gone.detail
            break
        except Exception as error:
            assert isinstance(error, FromSubject), repr(error)
            assert isinstance(str(error), str)
    assert is_data(argument)


@fuzz(1_500)
@given(
    line=damaged(
        st.fixed_dictionaries(
            {"id": st.just(1)},
            optional={
                "ok": st.fixed_dictionaries(
                    {"protocol": st.just(1) | trees()},
                    optional={
                        "offers": trees()
                        | st.lists(st.sampled_from(["f", "class", "a b", "__class__"]) | trees())
                        | st.dictionaries(st.just(MODULE), st.lists(st.just("f") | trees()))
                    },
                ),
                "error": errors(),
            },
        )
    )
)
def test_no_greeting_brings_the_judge_down(line: bytes) -> None:
    try:
        link, offers = greet(line)
    except SubjectGone as gone:
        assert gone.end in (End.BROKEN, End.REFUSED)
        assert gone.detail
    else:
        assert vars(build_module(link, MODULE, offers[MODULE]))


def requests() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"id": st.just(1) | leaves()},
        optional={
            "call": st.sampled_from(["same", "nothing"]) | trees(),
            "get": trees(),
            "set": trees(),
            "is": trees(),
            "put": trees(),
            "on": leaves(),
            "module": leaves(),
            "args": st.lists(trees(), max_size=3) | trees(),
            "kwargs": st.dictionaries(st.sampled_from(["x", "y"]), trees(), max_size=2) | trees(),
            "drop": st.lists(leaves(), max_size=3) | trees(),
            "batch": st.lists(trees(), max_size=2),
        },
    )


@fuzz(3_500)
@given(line=damaged(requests()))
def test_a_worker_answers_or_says_that_it_was_no_request(line: bytes) -> None:
    """Whoever speaks to it is trusted; this is about a frame that was damaged on the way."""
    server = Server(Path("/nonexistent"))
    server._offers.modules = {MODULE: __import__("copy")}
    try:
        answer = server.answer(wire.parse(line))
    except wire.WireError as error:
        assert str(error)
    else:
        assert set(wire.parse(answer.encode())) <= {"id", "ok", "error", "batch", "args", "changed", "wrote"}
