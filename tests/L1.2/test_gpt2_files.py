"""OpenAI's two files: encoder.json and vocab.bpe."""

import atexit
import json
import os
import re
import tempfile
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import example, given

from harness.bytelevel.bpe_strategies import damaged_merges
from harness.bytelevel.small_vocabularies import byte_ids
from harness.bytelevel.vocab import gpt2_files
from tinyllm.tok.bpe import Encoder, get_encoder, load_gpt2

TOKENS = {"he": 256, "ll": 257, "hell": 258, "hello": 259, "\u0120t": 260, "#": 2, "##": 261, "#.": 262}
LINES = ["h e", "l l", "he ll", "hell o", "\u0120 t", "# #", "# ."]
VERSION = "#version: 0.2"


def load(folder: Path, merges: bytes, vocabulary: dict[str, int] | None = None, name: str = "vocab.bpe") -> Encoder:
    """Write both files into `folder` and load them."""
    tokens = byte_ids() | TOKENS if vocabulary is None else vocabulary
    (folder / "encoder.json").write_bytes(json.dumps(tokens, ensure_ascii=False).encode())
    (folder / name).write_bytes(merges)
    return load_gpt2(folder / "encoder.json", folder / name)


def lines(*parts: str, end: str = "\n") -> bytes:
    """The lines of a file, each with its end."""
    return "".join(part + end for part in parts).encode()


def test_gpt2_itself() -> None:
    """The published files load, from their folder, to the tokenizer that was published.

    KIND: golden
    CHECKS: get_encoder on OpenAI's own two files: size, the special token, and the ids of texts of many kinds
    WHY: this is the vocabulary of GPT-2, GPT-3 and of half of what is called a tokenizer
    CATCHES: s01 s09 s35
    """
    encoder = get_encoder(gpt2_files().vocab_bpe.parent)
    assert (encoder.vocab_size, encoder.special_ids) == (50257, {"<|endoftext|>": 50256})
    for text, ids in (
        ("  Hello World.", [220, 18435, 2159, 13]),
        ("hello\nworld", [31373, 198, 6894]),
        ("\u2029 \ua3e4", [447, 102, 220, 166, 237, 97]),
        ("\u041f\u0440\u0438\u0432\u0435\u0442", [140, 253, 21169, 18849, 38857, 16843, 20375]),
        ("'ll", [1183]),
        ("123 fdsafsfa ~_! ./", [10163, 277, 9310, 1878, 82, 13331, 5299, 62, 0, 24457]),
        ("^" * 1000, [39397] * 250),
        (" gazed", [50255]),
    ):
        assert encoder.encode(text) == ids
    assert encoder.encode("Hi<|endoftext|>x", allowed_special="all") == [17250, 50256, 87]
    assert encoder.decode([88, 318, 5633]) == "y is ?"


def test_every_way_to_end_a_line(tmp_path: Path) -> None:
    """Files that version control or an editor has been through load all the same.

    KIND: boundary
    CHECKS: LF and CRLF, with and without a newline at the end, with and without the version line: "hello" is one token
    WHY: a merge that is lost or spoilt changes ids without an error
    CATCHES: s04 s05 s34 s67 m13
    """
    for end in ("\n", "\r\n"):
        for version in ([VERSION], []):
            whole = lines(*version, *LINES[:4], end=end)
            for data in (whole, whole.removesuffix(end.encode())):
                assert load(tmp_path, data).encode("hello") == [259]


def test_merges_of_the_number_sign(tmp_path: Path) -> None:
    """A line that begins with "#" is a merge like any other, unless it is the version line.

    KIND: boundary
    CHECKS: "##" and "#." are tokens, with their merges first, last, and behind a version line
    WHY: comments are a habit of other files; GPT-2's table has dozens of such merges
    CATCHES: s06
    """
    for data in (lines(VERSION, *LINES), lines("# #", "# ."), lines("# .", "# #")):
        encoder = load(tmp_path, data)
        assert (encoder.encode("##"), encoder.encode("#.")) == ([261], [262])


def test_the_space_symbol_is_read_as_utf8(tmp_path: Path) -> None:
    """Both files are UTF-8, whatever the machine's own encoding.

    KIND: boundary
    CHECKS: the merge of U+0120 and "t" makes " t" one token
    WHY: on a machine of another encoding U+0120 becomes two characters
    CATCHES: s35
    """
    assert load(tmp_path, lines(VERSION, *LINES)).encode(" t") == [260]


def test_a_byte_order_mark_is_refused(tmp_path: Path) -> None:
    """A file that an editor has marked says so, instead of losing its first line.

    KIND: boundary
    CHECKS: ValueError for EF BB BF before either file, whose message names the file and the mark
    WHY: with it the version line is no version line, and the first key another key
    CATCHES: s44
    """
    for name in ("encoder.json", "vocab.bpe"):
        load(tmp_path, lines(VERSION, *LINES))
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
        with pytest.raises(ValueError) as caught:
            get_encoder(tmp_path)
        said = str(caught.value).replace(str(tmp_path), "").casefold()
        marks = [mark for mark in ("byte order mark", "bom", "feff", "ef bb bf") if mark in said]
        assert (name in said, marks != []) == (True, True)


def test_a_line_that_is_no_merge_is_refused(tmp_path: Path) -> None:
    """Two tokens with one ASCII space between, or an error that says where.

    KIND: boundary
    CHECKS: ValueError naming file and line: no space, two, another blank, one at either end, three tokens, an empty
        line
    WHY: a line passed over is a merge lost
    CATCHES: s07 s45
    """
    for bad in ("ll", "l  l", "l\tl", "l\xa0l", "\xa0 l", "l\u3000l", " l l", "l l ", "l l l", "", " ", "l\x85l"):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, lines(VERSION, "h e", bad, "he ll"))
        said = str(caught.value).replace(str(tmp_path), "")  # folders have numbers of their own
        assert [word for word in ("vocab.bpe", "3") if word not in said] == []


@given(data=damaged_merges(LINES))
@example(data=b"#version: 0.2\nh e\nll\nhe ll\n")
@example(data=b"#version: 0.2\nh e\nl\xc2\xa0l\n")
def test_damaged_merges_are_refused(data: bytes) -> None:
    """One damaged line among good ones is found, wherever it stands.

    KIND: boundary
    CHECKS: ValueError for a line that has lost its space, has one too many, another blank or an unknown token
    WHY: damage in transit is seldom where one looks
    CATCHES: s45
    """
    merges = sound_folder(os.getpid()) / "damaged.bpe"
    merges.write_bytes(data)
    with pytest.raises(ValueError):
        load_gpt2(merges.with_name("encoder.json"), merges)


@lru_cache
def sound_folder(process: int) -> Path:
    """A folder with both files in order, which goes with the process and is for no other, a forked one for example."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    load(Path(folder.name), lines(VERSION, *LINES))
    return Path(folder.name)


def test_a_merge_of_unknown_tokens_is_refused(tmp_path: Path) -> None:
    """The two files must belong together.

    KIND: boundary
    CHECKS: ValueError naming the line and the token: an unknown left, right, and product; a merge that stands twice
    WHY: with another model's merges ids come out that mean other tokens
    CATCHES: s73
    """
    for bad, token in (("ex h", "ex"), ("h ex", "ex"), ("h h", "hh"), ("h e", "e")):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, lines(VERSION, "h e", bad))
        said = str(caught.value).replace(str(tmp_path), "")  # folders have numbers of their own
        assert [word for word in (token, "3") if word not in said] == []
    for tokens in ({"x": 0, "xy": 1}, {"y": 0, "xy": 1}):
        with pytest.raises(ValueError):
            load(tmp_path, lines("x y"), tokens)


def test_a_vocabulary_that_is_none_is_refused(tmp_path: Path) -> None:
    """The vocabulary is an object from token to id, and each of both is there once.

    KIND: boundary
    CHECKS: ValueError naming the file for no JSON, a list, ids that are no integers, a shared id, a key that
        stands twice; the key or the line is named where there is one
    WHY: of two equal keys Python keeps the last, and says nothing
    CATCHES: s42 s74
    """
    merges = tmp_path / "vocab.bpe"
    merges.write_bytes(lines(VERSION))
    for document, named in (
        ("\n\n{x", r"\b3\b"),
        ("[]", ""),
        ('{"qu": "1"}', "qu"),
        ('{"qu": 1.0}', "qu"),
        ('{"qu": true}', "qu"),
        ('{"qu": null}', "qu"),
        ('{"qu": -1}', "qu"),
        ('{"qu": 17, "xy": 17}', r"\b17\b"),
        ('{"qu": 1, "qu": 2}', "qu"),
        ("", ""),
    ):
        path = tmp_path / "encoder.json"
        path.write_text(document, encoding="utf-8")
        with pytest.raises(ValueError) as caught:
            load_gpt2(path, merges)
        said = str(caught.value).replace(str(tmp_path), "")
        assert "encoder.json" in said
        assert re.search(named, said.replace("encoder.json", ""))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """What is not UTF-8 is an error that says where.

    KIND: boundary
    CHECKS: ValueError naming file and line: the byte 0xFF alone on line 8, and half of U+0120 at the end of line 9
    WHY: read with replacement characters, the merges are others
    CATCHES: -
    """
    good = lines(VERSION, *LINES[:6])
    for bad, line in ((b"\xff \xff\n", 8), (b"# .\n\xc4", 9)):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, good + bad)
        assert re.search(rf"vocab\.bpe.*\b{line}\b", str(caught.value))


def test_a_missing_byte_can_be_left_out(tmp_path: Path) -> None:
    """With missing="drop" a byte that has no token leaves nothing behind.

    KIND: unit
    CHECKS: "he", with and without a byte between that the vocabulary lacks; the error without the argument
    WHY: most published vocabularies lack bytes that no UTF-8 has
    CATCHES: s38
    """
    load(tmp_path, lines("h e"), {"h": 0, "e": 1, "he": 2})
    files = tmp_path / "encoder.json", tmp_path / "vocab.bpe"
    assert load_gpt2(*files, missing="drop").encode("hxex") == [2]
    with pytest.raises(ValueError):
        load_gpt2(*files).encode("hxex")


def test_ids_need_not_follow_one_another(tmp_path: Path) -> None:
    """A vocabulary may have gaps, and its ids any order.

    KIND: boundary
    CHECKS: ids 1000, 7 and 400; the size is 1001; <|endoftext|> is special wherever its id is
    WHY: ids are looked up, never computed
    CATCHES: s32
    """
    encoder = load(tmp_path, lines("a b"), {"a": 1000, "b": 7, "ab": 400, "<|endoftext|>": 0})
    assert encoder.encode("abba<|endoftext|>", allowed_special="all") == [400, 7, 1000, 0]
    assert (encoder.vocab_size, encoder.special_ids) == (1001, {"<|endoftext|>": 0})
    assert load(tmp_path, lines("a b"), {"a": 1, "b": 7, "ab": 4}).special_ids == {}
