"""The published files of a byte-level BPE, read into plain data and written from it; nothing here encodes text.

Four formats: OpenAI's `encoder.json` and `vocab.bpe` (GPT-2), tiktoken's rank files, and Hugging Face's
`tokenizer.json`. A token is written in GPT-2's 256-character alphabet wherever it is a str.

Whatever a file says wrongly is a ValueError that names the file, the line or key, and the value. Files are read
as bytes: neither the locale nor universal newlines decide what stands in them.
"""

import base64
import binascii
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias

import regex

from tinyllm.tok.bytes_unicode import bytes_to_unicode

PathLike: TypeAlias = str | os.PathLike[str]
Pair: TypeAlias = tuple[str, str]

GPT2_SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""What ByteLevel cuts by where its `use_regex` is true."""


@dataclass(frozen=True, slots=True)
class Split:
    """A step of pre-tokenization: cut each piece by a pattern of the `regex` package."""

    pattern: str
    keep: Literal["matches", "gaps", "both"]
    """Which parts go on; what is not kept is lost. Empty parts never go on."""


@dataclass(frozen=True, slots=True)
class PrefixSpace:
    """A step of pre-tokenization: put a space before each piece that does not begin with one."""


Step: TypeAlias = Split | PrefixSpace
GPT2_CUT: Step = Split(GPT2_SPLIT, "both")
GPT2_STEPS = (GPT2_CUT,)


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A text with an id of its own, which no merge makes."""

    text: str
    id: int
    special: bool
    """Matched only where the caller allows it; the others match always."""
    normalized: bool = False
    """Looked for only in what the tokens that are not `normalized` leave over, as Hugging Face does."""


@dataclass(frozen=True, slots=True)
class TokenizerData:
    """Everything that makes a byte-level BPE tokenizer, as data."""

    vocabulary: dict[str, int]
    """Token to id; tokens that are added may be among them, as their text."""
    merges: list[Pair]
    """In order of rank."""
    added: tuple[AddedToken, ...] = ()
    steps: tuple[Step, ...] = GPT2_STEPS
    """How text is cut, one step after another; none leave it whole."""
    trim_offsets: bool = False
    """Whether spans leave out the spaces at either end of a token."""
    vocabulary_from: str = "encoder"
    """What errors call the place of the vocabulary: an argument, or a file and a key in it."""
    added_from: str = "special_tokens"
    """What they call the place of the added tokens."""


# --- OpenAI's two files -------------------------------------------------------------------------------------


def read_vocabulary(path: PathLike) -> dict[str, int]:
    """Read an `encoder.json`, an object from token to id: ids at least 0, gaps allowed, shared ones not looked for."""
    document = _read_json(path)
    if not isinstance(document, dict):
        message = f"{path}: expected an object from token to id, found {_brief(document)}"
        raise ValueError(message)
    return _checked_vocabulary(document, where=str(path))


def read_merges(path: PathLike, vocabulary: Mapping[str, int]) -> list[Pair]:
    """Read a `vocab.bpe`: two tokens a line with one space between, in order of rank.

    A first line that begins with `#version` is no merge; any other that begins with `#` is. Lines end in LF or
    CRLF, the last one perhaps in neither. Both tokens and what they make must be in `vocabulary`.
    """
    merges: dict[Pair, int] = {}
    for number, line in enumerate(_lines(_read_text(path)), start=1):
        if number == 1 and line.startswith("#version"):
            continue
        where = f"{path}, line {number}"
        pair = _pair(line, where)
        _check_merge(pair, vocabulary, where)
        if (first := merges.setdefault(pair, number)) != number:
            message = f"{where}: merge {line!r} stands already on line {first}"
            raise ValueError(message)
    return list(merges)


def _pair(line: str, where: str) -> Pair:
    # Only the space parts: str.split without it, and str.splitlines, also cut at characters of other alphabets.
    tokens = line.split(" ")
    if len(tokens) != 2 or "" in tokens:
        message = f"{where}: expected two tokens with one space between, found {line!r}"
        raise ValueError(message)
    left, right = tokens
    return left, right


def _check_merge(pair: Pair, vocabulary: Mapping[str, int], where: str) -> None:
    for token in (*pair, "".join(pair)):
        if token not in vocabulary:
            message = f"{where}: {token!r} of the merge {pair} is not in the vocabulary"
            raise ValueError(message)


def _checked_vocabulary(document: Mapping[str, Any], where: str) -> dict[str, int]:
    for token, number in document.items():
        check_id(number, f"{where}, key {token!r}")
    return dict(document)


def check_id(number: object, where: str) -> None:
    """ValueError unless `number` can be the id of a token."""
    if type(number) is not int or number < 0:
        message = f"{where}: an id is an integer from 0 up, not {_brief(number)}"
        raise ValueError(message)


# --- tiktoken -----------------------------------------------------------------------------------------------


def read_ranks(path: PathLike) -> dict[bytes, int]:
    """Read a tiktoken file: a token in base64, a space and its rank on each line; ranks distinct, gaps allowed."""
    ranks: dict[bytes, int] = {}
    lines_of_rank: dict[int, int] = {}
    for number, line in enumerate(_lines(_read_text(path)), start=1):
        where = f"{path}, line {number}"
        field, space, digits = line.partition(" ")
        if not (space and digits.isascii() and digits.isdigit()):
            message = f"{where}: expected base64, a space and a rank, found {line!r}"
            raise ValueError(message)
        token, rank = _from_base64(field, where), int(digits)
        if token in ranks:
            message = f"{where}: token {field} has a rank already, {ranks[token]}"
            raise ValueError(message)
        if (first := lines_of_rank.setdefault(rank, number)) != number:
            message = f"{where}: rank {rank} stands already on line {first}"
            raise ValueError(message)
        ranks[token] = rank
    return ranks


def _from_base64(field: str, where: str) -> bytes:
    """Decode the one spelling that an encoder writes: no other alphabet, padding or spare bits, never empty."""
    try:
        token = binascii.a2b_base64(field, strict_mode=True)
    except ValueError as error:  # binascii.Error is one; so is what characters past ASCII raise
        message = f"{where}: {field!r} is not base64 ({error})"
        raise ValueError(message) from error
    if not token or base64.b64encode(token).decode("ascii") != field:
        message = f"{where}: {field!r} is not the base64 of any token"
        raise ValueError(message)
    return token


def merges_of_ranks(ranks: Mapping[bytes, int]) -> list[Pair]:
    """Recover the merges of a rank file, in order of rank.

    The merge that made a token is what the earlier ranks leave of its bytes, where that is two tokens. A token
    of which they leave more is reached by no pair, and so has no merge.
    """
    merges: list[Pair] = []
    table = bytes_to_unicode()
    for token in sorted(ranks, key=ranks.__getitem__):
        parts = _merged_below(token, ranks)
        if len(parts) == 2:
            merges.append((spell(parts[0], table), spell(parts[1], table)))
    return merges


def spell(token: bytes, table: Mapping[int, str]) -> str:
    """Write bytes in the alphabet of `table`, a byte map: `encode_bytes` for callers with many tokens."""
    return token.decode("latin-1").translate(table)


def _merged_below(token: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Return the bytes of `token` merged by every rank below its own."""
    limit = ranks[token]
    parts = [token[place : place + 1] for place in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(left + right, limit) for left, right in pairwise(parts)]
        lowest = min(joined)
        if lowest == limit:
            break
        place = joined.index(lowest)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts


def write_ranks(path: PathLike, ranks: Mapping[bytes, int]) -> None:
    """Write a tiktoken file, in order of rank."""
    in_order = sorted(ranks, key=ranks.__getitem__)
    Path(path).write_bytes(b"".join(base64.b64encode(token) + b" %d\n" % ranks[token] for token in in_order))


# --- tokenizer.json -----------------------------------------------------------------------------------------


def read_tokenizer_json(path: PathLike) -> TokenizerData:
    """Read a byte-level BPE from a `tokenizer.json`; what lies outside the subset is refused by its name."""
    document = _object(_read_json(path), f"{path}")
    for key in ("truncation", "padding", "normalizer"):
        _refuse_unless(document.get(key) is None, document.get(key), f"{path}, key {key!r}")
    cutting, where = document.get("pre_tokenizer"), f"{path}, key 'pre_tokenizer'"
    steps, byte_levels = _read_steps(cutting, where)
    _refuse_unless(byte_levels == 1, cutting, f"{where}, which needs one ByteLevel")
    for key in ("decoder", "post_processor"):
        if (part := document.get(key)) is not None:
            where = f"{path}, key {key!r}"
            entry = _object(part, where)
            _refuse_unless(entry.get("type") == "ByteLevel", entry.get("type"), f"{where}, key 'type'")
    vocabulary, merges = _read_model(document.get("model"), f"{path}, key 'model'")
    added = tuple(
        _read_added(one, f"{path}, key 'added_tokens', entry {place}")
        for place, one in enumerate(_list(document.get("added_tokens"), f"{path}, key 'added_tokens'"))
    )
    trims = _flag(document.get("post_processor") or {}, "trim_offsets", f"{path}, key 'post_processor'")
    return TokenizerData(
        vocabulary,
        merges,
        added,
        steps,
        trims,
        vocabulary_from=f"{path}, key 'model', key 'vocab'",
        added_from=f"{path}, key 'added_tokens'",
    )


_REFUSED = (
    "dropout",
    "unk_token",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "fuse_unk",
    "byte_fallback",
    "ignore_merges",
)
"""What a model may ask for beyond merging: none of it is done here."""


def _read_model(part: object, where: str) -> tuple[dict[str, int], list[Pair]]:
    model = _object(part, where)
    _refuse_unless(model.get("type") in (None, "BPE"), model.get("type"), f"{where}, key 'type'")
    for key in _REFUSED:
        _refuse_unless(not model.get(key), model.get(key), f"{where}, key {key!r}")
    at = f"{where}, key 'vocab'"
    vocabulary = _checked_vocabulary(_object(model.get("vocab"), at), at)
    merges: dict[Pair, int] = {}
    for place, one in enumerate(_list(model.get("merges"), f"{where}, key 'merges'")):
        at = f"{where}, key 'merges', entry {place}"
        pair = _pair(one, at) if isinstance(one, str) else _pair_of_list(one, at)
        _check_merge(pair, vocabulary, at)
        if (first := merges.setdefault(pair, place)) != place:
            message = f"{at}: merge {pair} stands already in entry {first}"
            raise ValueError(message)
    return vocabulary, list(merges)


def _pair_of_list(one: object, where: str) -> Pair:
    if isinstance(one, list) and len(one) == 2 and all(isinstance(token, str) and token for token in one):
        return one[0], one[1]
    message = f"{where}: expected two tokens, found {_brief(one)}"
    raise ValueError(message)


def _read_added(one: object, where: str) -> AddedToken:
    entry = _object(one, where)
    for key in ("single_word", "lstrip", "rstrip"):
        _refuse_unless(not entry.get(key), entry.get(key), f"{where}, key {key!r}")
    text = entry.get("content")
    if not isinstance(text, str) or not text:
        message = f"{where}, key 'content': expected a text, found {_brief(text)}"
        raise ValueError(message)
    check_id(entry.get("id"), f"{where}, key 'id'")
    return AddedToken(text, entry["id"], _flag(entry, "special", where), _flag(entry, "normalized", where))


def _read_steps(part: object, where: str) -> tuple[tuple[Step, ...], int]:
    """Return the steps of a pre-tokenizer, and how many times bytes become characters on the way."""
    if part is None:
        return (), 0
    entry = _object(part, where)
    kind = entry.get("type")
    if kind == "Sequence":
        where += ", key 'pretokenizers'"
        each = enumerate(_list(entry.get("pretokenizers"), where))
        parts = [_read_steps(one, f"{where}, entry {place}") for place, one in each]
        # What ByteLevel has written in its alphabet no later step would cut as text.
        for place, (_, count) in enumerate(parts[:-1]):
            _refuse_unless(count == 0, "ByteLevel before another step", f"{where}, entry {place}")
        return tuple(step for steps, _ in parts for step in steps), sum(count for _, count in parts)
    if kind == "ByteLevel":
        prefix: tuple[Step, ...] = (PrefixSpace(),) if _flag(entry, "add_prefix_space", where) else ()
        split = GPT2_STEPS if _flag(entry, "use_regex", where, absent=True) else ()
        return prefix + split, 1
    if kind == "Digits":
        alone = _flag(entry, "individual_digits", where)
        return (Split(r"\p{N}" if alone else r"\p{N}+", "both"),), 0
    _refuse_unless(kind == "Split", kind, f"{where}, key 'type'")
    return (_read_split(entry, where),), 0


def _read_split(entry: Mapping[str, Any], where: str) -> Split:
    pattern = _object(entry.get("pattern"), f"{where}, key 'pattern'")
    behavior, inverted = entry.get("behavior"), _flag(entry, "invert", where)
    _refuse_unless(behavior in ("Isolated", "Removed"), behavior, f"{where}, key 'behavior'")
    if isinstance(pattern.get("String"), str):
        source = regex.escape(pattern["String"])
    elif isinstance(pattern.get("Regex"), str):
        source = pattern["Regex"]
        check_dialect(source, f"{where}, key 'pattern'")
    else:
        message = f"{where}, key 'pattern': expected a Regex or a String, found {_brief(pattern)}"
        raise ValueError(message)
    return Split(source, "both" if behavior == "Isolated" else "matches" if inverted else "gaps")


_DIALECT = {
    r"\{[\d,]+\}\+": "a counted repetition followed by +: repeated there, possessive here",
    r"&&": "&&: an intersection of sets there, two characters here",
    r"\\[hHRXOK]": "an escape of another meaning",
    r"\[\[:": "a bracket expression of POSIX",
}
"""What Oniguruma, by which Hugging Face reads patterns, and `regex` take for different things."""


def check_dialect(pattern: str, where: str) -> None:
    """ValueError unless `pattern` compiles and means the same to Oniguruma and to `regex`."""
    for sign, meaning in _DIALECT.items():
        if regex.search(sign, pattern):
            message = f"{where}: {pattern!r} holds {meaning}"
            raise ValueError(message)
    try:
        regex.compile(pattern)
    except regex.error as error:
        message = f"{where}: {pattern!r} is no pattern of regex ({error})"
        raise ValueError(message) from error


def write_tokenizer_json(path: PathLike, data: TokenizerData) -> None:
    """Write `data` so that Hugging Face gives the same ids.

    Added tokens stand in the vocabulary as well: Hugging Face numbers one that does not by its own count.
    Raises ValueError for steps that the format cannot say.
    """
    steps = list(data.steps)
    byte_level: dict[str, Any] = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": data.trim_offsets,
        "use_regex": False,
    }
    # One ByteLevel can cut by GPT-2's pattern, and before that put a space in front: said so wherever it can be.
    for key, step in (("use_regex", GPT2_CUT), ("add_prefix_space", PrefixSpace())):
        if steps[-1:] == [step]:
            steps.pop()
            byte_level[key] = True
    document = {
        "version": "1.0",
        "added_tokens": [_added_as_json(token) for token in data.added],
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*map(_split_as_json, steps), byte_level]},
        "post_processor": byte_level if data.trim_offsets else None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "vocab": data.vocabulary | {token.text: token.id for token in data.added},
            "merges": [f"{left} {right}" for left, right in data.merges],
        },
    }
    Path(path).write_bytes(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8") + b"\n")


def _added_as_json(token: AddedToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "content": token.text,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": token.normalized,
        "special": token.special,
    }


def _split_as_json(step: Step) -> dict[str, Any]:
    if isinstance(step, PrefixSpace):
        message = "a prefix space before another split has no place in a tokenizer.json"
        raise ValueError(message)
    check_dialect(step.pattern, "a tokenizer.json cannot say this split")
    return {
        "type": "Split",
        "pattern": {"Regex": step.pattern},
        "behavior": "Isolated" if step.keep == "both" else "Removed",
        "invert": step.keep == "matches",
    }


# --- what the formats share ---------------------------------------------------------------------------------


def _read_text(path: PathLike) -> str:
    data = Path(path).read_bytes()
    if data.startswith(b"\xef\xbb\xbf"):
        message = f"{path}: begins with a byte order mark, EF BB BF: save it as UTF-8 without one"
        raise ValueError(message)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{path}, line {line}: byte 0x{data[error.start]:02X} at offset {error.start} is not UTF-8"
        raise ValueError(message) from error


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _read_json(path: PathLike) -> object:
    def without_repetition(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in entries:
            if key in found:
                message = f"{path}, key {key!r}: stands there twice"
                raise ValueError(message)
            found[key] = value
        return found

    text = _read_text(path)
    try:
        return json.loads(text, object_pairs_hook=without_repetition)
    except json.JSONDecodeError as error:
        message = f"{path}, line {error.lineno}: no JSON ({error.msg})"
        raise ValueError(message) from error


def _object(part: object, where: str) -> dict[str, Any]:
    if not isinstance(part, dict):
        message = f"{where}: expected an object, found {_brief(part)}"
        raise ValueError(message)
    return part


def _list(part: object, where: str) -> list[Any]:
    """Return the entries of a list; none where it is null or not there."""
    if part is None:
        return []
    if not isinstance(part, list):
        message = f"{where}: expected a list, found {_brief(part)}"
        raise ValueError(message)
    return part


def _flag(entry: Mapping[str, Any], key: str, where: str, *, absent: bool = False) -> bool:
    """Return what stands at `key`: true or false, `absent` where it is null or not there."""
    value = entry.get(key)
    if value is None:
        return absent
    if not isinstance(value, bool):
        message = f"{where}, key {key!r}: expected true or false, found {_brief(value)}"
        raise ValueError(message)
    return value


def _refuse_unless(supported: bool, value: object, where: str) -> None:
    if not supported:
        message = f"{where}: {_brief(value)} is not supported"
        raise ValueError(message)


def _brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
