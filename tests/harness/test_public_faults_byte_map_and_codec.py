"""Faults that people reported of real tokenizers, run on the reference: those of the byte map and of the byte codec.

`data/public_faults.jsonl` has each with its source, the smallest input that shows it, and the right value. Which part
of a case a module answers for, where it is not all of it, stands in docs/decisions.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.bytelevel.vocab import gpt2_vocabulary
from tinyllm.tok.byte_codec import BOS_ID, EOS_ID, decode, encode, encode_document, encode_raw, render
from tinyllm.tok.bytes_unicode import decode_chars, encode_bytes

CASES_FILE = Path(__file__).parent / "data" / "public_faults.jsonl"
CASES = {case["id"]: case for case in map(json.loads, CASES_FILE.read_text(encoding="utf-8").splitlines())}
JUDGED = {case_id for case_id, case in CASES.items() if case["module"] in ("byte_map", "byte_codec")}

Case = dict[str, Any]


def gpt2_strings(ids: list[int]) -> str:
    """The strings that encoder.json has for `ids`, joined."""
    strings = {token_id: token for token, token_id in gpt2_vocabulary().items()}
    return "".join(strings[token_id] for token_id in ids)


def chars_to_bytes(given: Case, right: Case) -> None:
    assert decode_chars(given["text"]).hex() == right["bytes"]


def decode_gpt2_bytes(given: Case, right: Case) -> None:
    assert decode_chars(gpt2_strings(given["ids"])).hex() == right["bytes"]


def encode_gpt2(given: Case, right: Case) -> None:
    """The byte map's share: the strings of the right ids spell the bytes of the text."""
    assert encode_bytes(given["text"].encode()) == gpt2_strings(right["ids"])


def decode_added_token(given: Case, right: Case) -> None:
    """The byte map's share: an added token is text, and what is not in the alphabet is refused and not dropped."""
    (text,) = given["added_tokens"]
    assert text == right["text"]
    with pytest.raises(ValueError, match="' '"):
        decode_chars(text)


def byte_decode(given: Case, right: Case) -> None:
    lenient = given.get("errors") == "replace"
    text = render(given["ids"]).text if lenient else decode(given["ids"])
    assert text == right["text"]


def byte_encode(given: Case, right: Case) -> None:
    before, behind = [BOS_ID] * given["bos"], [EOS_ID] * given["eos"]
    assert [*before, *encode_raw(bytes.fromhex(given["bytes"])), *behind] == right["ids"]


def byte_encode_chunks(given: Case, right: Case) -> None:
    """Chunks are bodies: put together between one BOS and one EOS they are the document of the joined text."""
    bodies = [token_id for chunk in given["chunks"] for token_id in encode(chunk)]
    assert [BOS_ID, *bodies, EOS_ID] == right["ids"]
    assert encode_document("".join(given["chunks"])) == right["ids"]


OPERATIONS: dict[str, Callable[[Case, Case], None]] = {
    "chars_to_bytes": chars_to_bytes,
    "decode_bytes": decode_gpt2_bytes,
    "encode": encode_gpt2,
    "decode": decode_added_token,
    "byte_decode": byte_decode,
    "byte_encode": byte_encode,
    "byte_encode_chunks": byte_encode_chunks,
}


def test_every_case_of_the_two_modules_is_known() -> None:
    assert sorted(JUDGED) == ["B01", "B03", "B04", "B07", "B09", "B10", "B12", "B14", "B16", "B18"]


@pytest.mark.parametrize("case_id", sorted(JUDGED))
def test_the_reference_gives_the_right_value(case_id: str) -> None:
    case = CASES[case_id]
    given = case["input"]
    if given["op"].startswith("byte_"):
        assert (given["bos_id"], given["eos_id"]) == (BOS_ID, EOS_ID)
    else:
        assert given.get("encoding", "gpt2") == "gpt2"
    OPERATIONS[given["op"]](given, case["expect"])


def test_what_the_notes_say_of_illegal_bytes_holds_too() -> None:
    """B12: FF is shown as one U+FFFD. B04: byte 80 has length 1, not the 3 of its replacement."""
    assert render([0xFF]).text == "\ufffd"
    assert len(decode_chars(gpt2_strings([222]))) == 1
