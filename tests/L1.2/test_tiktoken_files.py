"""tiktoken's files of ranks."""

import base64
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given

from harness.bytelevel.bpe_strategies import fields_that_are_no_base64, texts_of_tokens
from harness.bytelevel.oracles import gpt2_pattern, tiktoken_slice
from harness.bytelevel.small_vocabularies import gpt2_slice
from tinyllm.tok.bpe import Encoder, load_tiktoken, save_tiktoken

EVERYTHING = r"(?s:.+)"
"""A pattern that cuts nothing."""

CL100K = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def line(token: bytes, rank: int) -> bytes:
    """One line of a file of ranks."""
    return base64.b64encode(token) + b" %d\n" % rank


BASE = b"".join(line(bytes([byte]), byte) for byte in range(256))


def load(folder: Path, more: bytes = b"", pattern: str = EVERYTHING, special: dict[str, int] | None = None) -> Encoder:
    """Load the 256 bytes, ranked by their value, and what `more` adds."""
    path = folder / "toy.tiktoken"
    path.write_bytes(BASE + more)
    return load_tiktoken(path, pattern, {} if special is None else special)


def test_hand_example_ranks(tmp_path: Path) -> None:
    """The merges come out of the ranks, as on paper.

    KIND: unit
    CHECKS: "ab" at 256 and "abc" at 257: "abc" is one token; "aa" alone: "aaa" is two; special tokens as given
    WHY: the file has no merges: what made a token is what the ranks before it leave of its bytes
    CATCHES: s03
    """
    for ranks, text, ids in (
        (line(b"ab", 256) + line(b"abc", 257), "abc", [257]),
        (line(b"ab", 256) + line(b"abc", 257), "<s>ab", [300, 256]),
        (line(b"aa", 256), "aaa", [256, 97]),
        # "abcd" is made of "ab" and "cd", which no cut after its first byte shows.
        (line(b"ab", 256) + line(b"cd", 257) + line(b"abcd", 258) + line(b"bcd", 259), "abcd", [258]),
    ):
        assert load(tmp_path, ranks, special={"<s>": 300}).encode(text, allowed_special="all") == ids


def test_a_token_that_no_pair_makes_stays_in_pieces(tmp_path: Path) -> None:
    """A token of which earlier ranks leave more than two parts has no merge, and spoils no other.

    KIND: boundary
    CHECKS: "abc" at 256 without "ab" or "bc": "abc" is three tokens, "abcd" at 257 is no more; "ad" at 258 is one
    WHY: merges are pairs, and such tokens stand in published files
    CATCHES: -
    """
    encoder = load(tmp_path, line(b"abc", 256) + line(b"abcd", 257) + line(b"ad", 258))
    assert encoder.encode("abc") == [97, 98, 99]
    assert encoder.encode("abcdad") == [97, 98, 99, 100, 258]


def test_a_byte_without_a_rank_can_be_left_out(tmp_path: Path) -> None:
    """With missing="drop" a byte that has no rank leaves nothing behind.

    KIND: unit
    CHECKS: two bytes and their pair have ranks: "axb" is the pair; without the argument it is an error
    WHY: a vocabulary that was trained on text lacks the bytes that no text has
    CATCHES: s38
    """
    path = tmp_path / "few.tiktoken"
    path.write_bytes(line(b"a", 0) + line(b"b", 1) + line(b"ab", 2))
    assert load_tiktoken(path, EVERYTHING, {}, missing="drop").encode("axb") == [2]
    with pytest.raises(ValueError):
        load_tiktoken(path, EVERYTHING, {}).encode("axb")


def test_the_pattern_is_the_callers(tmp_path: Path) -> None:
    """Text is cut by the pattern that is given.

    KIND: unit
    CHECKS: the same ranks under three patterns; what the pattern does not match is left out, as in tiktoken
    WHY: the file does not say its pattern, and the wrong one gives other ids on some texts only
    CATCHES: -
    """
    more = line(b"12", 256) + line(b" 1", 257) + line(b".a", 258)
    for pattern, ids in (
        (gpt2_pattern(), [120, 32, 256, 46, 97]),
        (CL100K, [120, 32, 256, 258]),
        (r"\d+", [256]),
    ):
        assert load(tmp_path, more, pattern).encode("x 12.a") == ids


def test_a_saved_file_loads_to_the_same_ids(tmp_path: Path) -> None:
    """Saving and loading a vocabulary changes nothing.

    KIND: unit
    CHECKS: the slice of GPT-2 saved, loaded and asked; the file has a line for each token but the special one
    WHY: a tokenizer is handed from one program to another in this form
    CATCHES: s60
    """
    ids = gpt2_slice().ids
    encoder = Encoder(ids, gpt2_slice().merges, special_tokens={"<|endoftext|>": 50256})
    path = tmp_path / "slice.tiktoken"
    save_tiktoken(encoder, path)
    assert path.read_bytes().count(b"\n") == len(ids) - 1
    loaded = load_tiktoken(path, gpt2_pattern(), {"<|endoftext|>": 50256})
    for text in ("hello world's 2019", "SolidGoldMagikarp  Leilan", "\u0939\u093f \U0001f600\n\n", ""):
        assert loaded.encode(text) == tiktoken_slice().encode(text)
    assert loaded.encode("<|endoftext|>", allowed_special="all") == [50256]


@given(text=texts_of_tokens())
@example(text="informants hello  2019")
def test_merges_from_ranks_give_the_same_ids(text: str) -> None:
    """What is recovered from ranks encodes as the merges that were written down.

    KIND: property
    CHECKS: encode(text) equals tiktoken's, which reads the ranks its own way
    WHY: two readings of one file must not be two tokenizers
    CATCHES: s64
    """
    assert slice_from_ranks().encode(text) == tiktoken_slice().encode(text)


def slice_from_ranks(known: list[Encoder] = []) -> Encoder:  # noqa: B006  made once, when the first example asks
    """The slice of GPT-2, loaded from a file of ranks."""
    if not known:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "slice.tiktoken"
            ranks = tiktoken_slice().token_bytes()
            path.write_bytes(b"".join(line(ranks[rank], rank) for rank in ranks if rank != 50256))
            known.append(load_tiktoken(path, gpt2_pattern(), {}))
    return known[0]


def test_tables_that_ranks_cannot_say_are_refused(tmp_path: Path) -> None:
    """Ids that are not in the order of the merges cannot be written as ranks.

    KIND: boundary
    CHECKS: ValueError where a token of higher rank has the lower id; nothing is lost in silence
    WHY: a reader would merge in the order of the ids
    CATCHES: s75
    """
    encoder = Encoder({"a": 0, "b": 1, "c": 2, "ab": 4, "bc": 3}, [("a", "b"), ("b", "c")])
    with pytest.raises(ValueError):
        save_tiktoken(encoder, tmp_path / "no.tiktoken")


def test_every_way_to_end_a_rank(tmp_path: Path) -> None:
    """LF and CRLF, with a newline at the end and without one, are one file.

    KIND: boundary
    CHECKS: the same ids from all four
    WHY: version control changes line ends, and editors the last one
    CATCHES: s04 s34
    """
    path = tmp_path / "toy.tiktoken"
    whole = BASE + line(b"ab", 256)
    for data in (whole, whole.replace(b"\n", b"\r\n")):
        for written in (data, data.rstrip(b"\r\n")):
            path.write_bytes(written)
            assert load_tiktoken(path, EVERYTHING, {}).encode("ab") == [256]


def test_lines_that_are_no_rank_are_refused(tmp_path: Path) -> None:
    """A line is base64, a space and a rank that is new, or an error that says where.

    KIND: boundary
    CHECKS: ValueError naming file and line 257: no rank, two spaces, a sign, a fraction; a rank or token there already
    WHY: two tokens of one rank decode to one of them
    CATCHES: s76 m14
    """
    for bad in (
        b"YWI=",
        b"YWI= ",
        b"YWI=  256",
        b"YWI= +256",
        b"YWI= -1",
        b"YWI= 2.5",
        b"YWI= 255",
        b"YQ== 256",
        b"",
        b"YWI= x",
    ):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, bad + b"\n")
        said = str(caught.value).replace(str(tmp_path), "")
        assert [word for word in ("toy.tiktoken", "257") if word not in said] == []


@given(field=fields_that_are_no_base64())
@example(field="!!!")
@example(field="-_-_")
@example(field="=")
@example(field="YWI")
@example(field="YR==")
@example(field="")
def test_base64_is_read_strictly(field: str) -> None:
    """What is not base64 is an error, and no token.

    KIND: boundary
    CHECKS: ValueError naming file and line for other alphabets, padding lost, early or too much, spare bits that are
        not 0, and nothing
    WHY: read leniently, "!!!" is the empty token, which matches everywhere
    CATCHES: s33
    """
    with tempfile.NamedTemporaryFile(suffix=".tiktoken") as file:
        file.write(b"YQ== 0\nYg== 1\n" + field.encode() + b" 2\n")
        file.flush()
        with pytest.raises(ValueError) as caught:
            load_tiktoken(Path(file.name), EVERYTHING, {})
    said = str(caught.value)
    line_named = re.search(r"\b3\b", said.replace(file.name, "")) is not None
    assert (Path(file.name).name in said, line_named) == (True, True)
