"""The parts of `ol verify` that need no process: shrinking, suspects, ages, known differences, bad input, reports."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from harness.bytelevel.adapters import NoAdapter, adapt, ids_of
from harness.bytelevel.conformance import domain, truth
from harness.bytelevel.conformance.ages import age_of
from harness.bytelevel.conformance.bad_input import Bad, Probe, Profile, judged, kind_of, probes
from harness.bytelevel.conformance.cases import read_cases
from harness.bytelevel.conformance.domain import Effort, scalars
from harness.bytelevel.conformance.groups import Grouping, parting
from harness.bytelevel.conformance.known import read_known
from harness.bytelevel.conformance.outcomes import Gone, Outcome, Raised, all_same, same
from harness.bytelevel.conformance.shrink import smallest_ids, smallest_text
from harness.bytelevel.conformance.suite import Observation
from harness.bytelevel.conformance.suspects import Suspects
from harness.bytelevel.encodings import ENCODINGS, Encoding
from harness.bytelevel.oracles import OracleAbsent
from harness.bytelevel.vocab import MissingData
from harness.errors import UsageError
from harness.records import ConformanceReport, Difference, TriedPart
from harness.reports.verify_report import badge_json, verify_json, verify_text
from harness.verify.question import parse


@lru_cache
def gpt2() -> Encoding:
    try:
        return ENCODINGS["gpt2"]()
    except (MissingData, OracleAbsent) as problem:
        pytest.skip(str(problem))


@lru_cache
def suspects() -> Suspects:
    return Suspects(gpt2())


# --- comparing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("got", "expected", "equal"),
    [
        ([1, 2], [1, 2], True),
        ((1, 2), [1, 2], True),
        ([1.0], [1], False),
        ([True], [1], False),
        ([[1, 0, 1]], [[1, 0, 1]], True),
        ([[1, 0, True]], [[1, 0, 1]], False),
        ("a", "a", True),
        (b"a", "a", False),
        (None, [], False),
        ([], [], True),
    ],
)
def test_values_are_the_same_only_with_their_kinds(got: object, expected: object, *, equal: bool) -> None:
    assert same(got, expected) is equal


def test_many_answers_are_compared_with_their_kinds_too() -> None:
    assert all_same([[1], [2, 3]], [[1], [2, 3]])
    assert not all_same([[1], [2, True]], [[1], [2, 1]])
    assert not all_same([[1], None], [[1], [2]])


def test_where_two_lists_part() -> None:
    assert parting([1, 2, 3], [1, 9, 3]) == 1
    assert parting([1, 2], [1, 2, 3]) == 2


# --- shrinking ----------------------------------------------------------------------------------------------------


def test_a_text_is_shrunk_to_the_fewest_characters_on_which_it_differs() -> None:
    assert smallest_text("some words\u3000and 'more' of them", lambda text: "\u3000" in text and "'" in text) in (
        "'\u3000",
        "\u3000'",
    )


def test_shrinking_keeps_what_it_started_from_where_nothing_smaller_differs() -> None:
    assert smallest_text("xyz", lambda text: text == "xyz") == "xyz"


def test_shrinking_stops_after_as_many_deaths_as_are_allowed() -> None:
    deaths = []

    def differs(text: str) -> bool:
        if text.count("a") < 2:
            return False
        deaths.append(text)
        return True

    assert smallest_text("a" * 200 + "b" * 200, differs, most_found=5).count("a") >= 2
    assert len(deaths) <= 6


def test_ids_are_shrunk_as_texts_are() -> None:
    assert smallest_ids([50256, 7, 55296, 9], lambda ids: 55296 in ids) == [55296]


# --- what is right ------------------------------------------------------------------------------------------------


def test_offsets_of_tokens_that_share_a_character() -> None:
    assert gpt2().with_offsets("i \u2b62 j") == [[72, 0, 1], [2343, 1, 3], [255, 2, 3], [95, 2, 3], [474, 3, 5]]


def test_special_tokens_are_recognised_or_not() -> None:
    assert gpt2().encode("a<|endoftext|>b") == [64, 27, 91, 437, 1659, 5239, 91, 29, 65]
    assert gpt2().encode_special("a<|endoftext|>b") == [64, 50256, 65]


def test_every_case_over_an_encoding_is_what_its_oracle_says() -> None:
    asked = 0
    for case in read_cases():
        if case.call in truth.FUNCTIONS and not case.error and "gpt2" in (case.only or ("gpt2",)):
            assert truth.expected(gpt2(), case.call, case.argument) == case.gives, case.name
            asked += 1
    assert asked > 20


def test_cases_have_names_of_their_own() -> None:
    names = [case.name for case in read_cases()]
    assert len(set(names)) == len(names)


# --- suspects -----------------------------------------------------------------------------------------------------


class Liar:
    """A tokenizer in this process, faulty as a function has it."""

    offers = frozenset({"encode", "decode"})
    shape = "plain"

    def __init__(self, encode: Any) -> None:
        self._encode = encode

    def one(self, name: str, *arguments: Any) -> Outcome:
        return self._encode(*arguments) if name == "encode" else gpt2().decode(*arguments)

    def many(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Outcome]]:
        yield [self.one(name, argument) for argument in arguments]


PROBES = [
    "a",
    " a",
    "a  b",
    "don't",
    "DON'T",
    " 12",
    "\u3000a",
    "\u3000!",
    "e\u0301",
    "\xb2 1",
    "Hello, world",
    " gazed",
]


def grouped(encode: Any, texts: Sequence[str], *, shrinks: bool = True) -> list[Any]:
    liar = Liar(encode)
    seen = [Observation("texts", "encode", text, gpt2().encode(text), encode(text)) for text in texts]
    wrong = [one for one in seen if one.got != one.expected]
    return list(Grouping(liar, gpt2(), suspects(), None, {"encode": PROBES}, shrinks=shrinks).groups(wrong))


def test_each_suspect_of_encoding_differs_from_gpt2_and_is_found_by_its_own_answers() -> None:
    texts = [
        *domain.probes(gpt2())["encode"],
        "#" * 7,
        " gazed",
        "I'll",
        "#### ##",
        "hello",
        "a" * 7,
        " " * 7 + "x",
        "=" * 9,
    ]
    silent = []
    for suspect in suspects().of("encode"):
        groups = grouped(suspect.model, texts, shrinks=False)
        if not groups:
            silent.append(suspect.says)
        else:
            assert groups[0].suspect is not None, suspect.says
    assert silent == [], "no text tells them from GPT-2"


def test_a_tokenizer_that_is_right_where_a_suspect_is_wrong_clears_it() -> None:
    def wrong_once(text: str) -> list[int]:
        return suspects().encode_by(r"\S+|\s+", text) if text == "a  b c" else gpt2().encode(text)

    (group,) = grouped(wrong_once, ["a  b c", *PROBES])
    assert group.argument == "a  b c"
    assert group.suspect is None


def test_two_faults_make_two_groups() -> None:
    def encode(text: str) -> list[int]:
        return gpt2().encode(text.replace("\r\n", "\n").lower())

    groups = grouped(encode, ["A", "b C", "x\r\ny", "\r\n"])
    assert {group.suspect.says for group in groups} == {"lower-cases text", "turns CRLF into LF"}


# --- ages ---------------------------------------------------------------------------------------------------------


def by_stand_in(stand_ins: dict[str, str]) -> list[Observation]:
    found = []
    for character, stand_in in stand_ins.items():
        text = character + "'s"
        got = suspects().encode_as(stand_in + "'s", text)
        found.append(Observation("", "encode", text, gpt2().encode(text), got))
    return found


def test_a_table_that_lacks_a_settled_letter_is_no_older_table() -> None:
    assert age_of(by_stand_in({"\U00010400": "\uffff"}), suspects(), scalars(Effort.FULL)) is None


def test_a_table_that_lacks_some_letters_and_not_the_later_ones_is_no_older_table() -> None:
    assert age_of(by_stand_in({"\u08a0": "\uffff"}), suspects(), scalars(Effort.FULL)) is None


def test_a_table_that_lacks_all_letters_after_some_version_is_an_older_table() -> None:
    newer = {character: "\uffff" for character in scalars(Effort.QUICK) if unicodedata.category(character) == "Cn"}
    wrong = [one for one in by_stand_in(newer) if one.got != one.expected]
    age = age_of(wrong, suspects(), scalars(Effort.QUICK))
    assert age is not None
    assert age.fewer == len(wrong) > 0
    assert age.answer(suspects(), wrong[0].argument) == wrong[0].got
    assert "letters and numbers fewer" in age.says


def test_a_table_that_takes_a_mark_for_a_letter_is_no_newer_table() -> None:
    assert age_of(by_stand_in({"\u0301": "\u4e2d"}), suspects(), scalars(Effort.FULL)) is None


# --- known differences --------------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "known.toml"
    path.write_text(text)
    return path


def test_our_own_known_differences_are_read() -> None:
    assert {known.name for known in read_known()} >= {"special-tokens-in-text", "stream-waits"}


def test_an_entry_of_the_user_covers_what_it_says_and_nothing_else(tmp_path: Path) -> None:
    entry = "[[known]]\nname = 'x'\nwhy = 'y'\ncall = 'encode'\ninput = \"encode..a.*\"\ngot = '.1.'\n"
    known = read_known([written(tmp_path, entry)])[-1]
    asked = {"call": "encode", "shape": "plain", "diagnosis": "", "shown_input": "encode('ab')", "shown_got": "[1]"}
    assert known.covers(**asked)
    assert not known.covers(**{**asked, "shown_got": "[2]"})
    assert not known.covers(**{**asked, "call": "decode"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[known]]\nname = 'x'\nwhy = 'y'\ncall = 'encode'\n", "whatever differs"),
        ("[[known]]\nname = 'x'\nwhy = 'y'\ncall = 'encode'\ninput = 'a'\n", "whatever differs"),
        ("[[known]]\nname = 'x'\ncall = 'encode'\nsuspect = 's'\n", "'why' is missing"),
        ("[[known]]\nname = 'x'\nwhy = 'y'\ncall = 'e'\nsuspect = 's'\nmost = 3\n", "unknown key 'most'"),
        ("[[known]]\nname = 'x'\nwhy = 'y'\ncall = 'e'\ninput = '('\ngot = 'a'\n", "no regular expression"),
        ("tolerance = 3\n", "tolerance"),
        ("[[known]\n", "no TOML"),
    ],
)
def test_a_known_difference_is_never_a_tolerance(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_known([written(tmp_path, text)])


# --- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "probe", "got", "allowed"),
    [
        (Profile.STRICT, Probe(Bad.UNKNOWN_ID, "decode", [50257]), Raised("BadId", ("ValueError",), ""), True),
        (Profile.STRICT, Probe(Bad.UNKNOWN_ID, "decode", [50257]), Raised("KeyError", ("KeyError",), ""), False),
        (Profile.TIKTOKEN, Probe(Bad.UNKNOWN_ID, "decode", [50257]), Raised("KeyError", ("KeyError",), ""), True),
        (Profile.TIKTOKEN, Probe(Bad.UNKNOWN_ID, "decode", [50257]), "", False),
        (Profile.HUGGINGFACE, Probe(Bad.UNKNOWN_ID, "decode", [50257]), "", True),
        (Profile.HUGGINGFACE, Probe(Bad.UNKNOWN_ID, "decode", [50257]), "!", False),
        (Profile.TIKTOKEN, Probe(Bad.SURROGATE, "encode", "\ud800"), [4210], True),
        (Profile.TIKTOKEN, Probe(Bad.SURROGATE, "encode", "\ud800"), [30], False),
        (Profile.TIKTOKEN, Probe(Bad.BOOL_ID, "decode", [True]), '"', True),
        (Profile.TIKTOKEN, Probe(Bad.NEGATIVE_ID, "decode", [-1]), "<|endoftext|>", False),
        (Profile.HUGGINGFACE, Probe(Bad.NO_TEXT, "encode", ["a"]), Gone("died", "signal 11"), False),
    ],
)
def test_a_profile_says_what_bad_input_may_come_to(
    profile: Profile, probe: Probe, got: Outcome, *, allowed: bool
) -> None:
    assert judged(probe, got, gpt2(), profile).is_allowed is allowed


def test_every_probe_is_known_for_what_it_is() -> None:
    for probe in probes(gpt2()):
        assert kind_of(gpt2(), probe.name, probe.argument) is not None, probe


# --- adapters -----------------------------------------------------------------------------------------------------


class WithIds:
    def __init__(self, ids: list[int]) -> None:
        self.ids = ids


@pytest.mark.parametrize(
    "result",
    [[1, 2], (1, 2), iter([1, 2]), WithIds([1, 2]), {"input_ids": [1, 2]}, {"input_ids": WithIds([1, 2])}],
)
def test_ids_are_found_in_whatever_an_encode_returns(result: object) -> None:
    assert ids_of(result) == [1, 2]


class LazyModule:
    """What `import transformers` gives: an object of a class of that package, and no tokenizer."""

    __module__ = "transformers.utils"


@pytest.mark.parametrize("found", [object(), json, LazyModule(), LazyModule])
def test_what_has_no_encode_is_no_tokenizer(found: object) -> None:
    with pytest.raises(NoAdapter, match="has no encode: name what makes the tokenizer"):
        adapt(found, "", {})


def test_a_plain_object_gets_what_needs_no_more_than_encode() -> None:
    class Plain:
        def encode(self, text: str) -> tuple[int, ...]:
            return tuple(map(ord, text))

    adapted = adapt(Plain(), "", {})
    assert adapted.shape == "plain"
    assert adapted.functions["encode"]("ab") == [97, 98]
    assert adapted.functions["encode_many"](["a", None]) == [[97], None]
    assert adapted.functions["encode_changed"]("a") == [97]
    assert adapted.functions["encode_threads"](["a"]) == [[[97]]] * 8
    assert "decode" not in adapted.functions


# --- questions and reports ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("encode('a\\u3000')", ("encode", "a\u3000")),
        ("encode('ab' * 3)", ("encode", "ababab")),
        ("decode([1, -1])", ("decode", [1, -1])),
        ("token_bytes(5)", ("token_bytes", 5)),
    ],
)
def test_questions_are_read(text: str, question: tuple[str, Any]) -> None:
    assert parse(text) == question


@pytest.mark.parametrize(
    "text",
    ["", "encode", "encode()", "encode(x)", "os.system('x')", "encode('a' * 10**9)", "encode('a', 'b')", "f('a')"],
)
def test_what_is_no_question_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no question"):
        parse(text)


FAULT = Difference(
    part="texts",
    call="encode('\\u3000a')",
    expected="[1, 2]",
    got="[3]",
    count=12,
    rule="the rule",
    parts_at="token 0 of 2 expected and 1 got",
    aligned=(("0", "1 'a'", "3 'b'"), ("1", "2 'c'", "")),
    diagnosis="does this",
    mutant="s10",
    replay="ol verify x --try 'y'",
)
KNOWN = Difference(part="texts", call="stream([1])", expected="a", got="b", count=1, known="a-name", why_known="why")


def report(*differences: Difference, stopped: str = "") -> ConformanceReport:
    return ConformanceReport(
        subject="python:x",
        shape="plain",
        encoding="gpt2",
        title="GPT-2",
        tokens=50257,
        oracle="tiktoken 1",
        profile="tiktoken",
        effort="full",
        parts=(TriedPart("texts", "texts", 1000, len(differences), whole=False, stopped=stopped),),
        differences=differences,
        texts=1000,
        versions={"tokproof": "1.2"},
    )


def test_a_report_shows_faults_and_known_differences_apart() -> None:
    text = verify_text(report(FAULT, KNOWN))
    assert text.index("DIFFERS  texts, 12 questions") < text.index("KNOWN  a-name")
    for part in ("behaves", "like a build that does this (mutant s10)", "2 'c'", "ol verify x --try 'y'"):
        assert part in text or part == "behaves"
    assert "DIFFERS from GPT-2 in 1 way, apart from 1 known difference" in text


def test_a_run_is_equal_with_known_differences_and_not_with_a_part_that_stopped() -> None:
    assert report(KNOWN).is_equal
    assert not report(FAULT).is_equal
    assert not report(stopped="it died").is_equal
    assert "it died" in verify_text(report(stopped="it died"))


def test_the_document_keeps_faults_and_known_differences_apart() -> None:
    document = json.loads(verify_json(report(FAULT, KNOWN)))
    assert [one["call"] for one in document["differences"]] == ["encode('\\u3000a')"]
    assert [one["known"] for one in document["known"]] == ["a-name"]
    assert document["verdict"] == "differs"


def test_the_badge_says_what_the_report_says() -> None:
    assert json.loads(badge_json(report()))["message"] == "equals GPT-2: 50,257 tokens, 1,000 texts, tokproof 1.2"
    assert json.loads(badge_json(report(FAULT)))["color"] == "red"
