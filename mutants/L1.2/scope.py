"""The small scope of L1.2: short texts of telling characters, small tables of merges, files with one thing changed.

A fault that needs a longer text, a fourth merge or two things wrong in one file is not excluded by it.
"""

import base64
import copy
import json
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.bytelevel.small_vocabularies import byte_ids
from harness.mutation.scope import Observation, observe
from tinyllm.tok import bpe as subject

NOT_FOR_WORDING = ("scope_pieces", "scope_merges", "scope_texts", "scope_added_tokens")

TELLING = ("a", "s", "'", "1", "\xb2", "!", " ", "\n", "\xa0", "\u0301", "\u017f", "\U0001f642")
"""Letters, digits, signs, blanks, a mark, a look-alike of s, and a character of four bytes."""
SPACE, NEWLINE = "\u0120", "\u010a"
MERGES = (("a", "s"), ("'", "s"), (SPACE, "a"), ("1", "1"), (SPACE, SPACE), ("\xf0", "\u0141"), (SPACE, "as"))
NO_IDS = (-1, 400, 1 << 31, (1 << 32) + 65, True, False, 1.0, "1", None)
NO_TEXTS = (b"a", None, 7, ["a"], bytearray(b"a"))
SPECIAL = {"<s>": 300, "<s>s": 301, "</s>": 302}


@contextmanager
def empty_folder() -> Iterator[None]:
    """Makes an empty folder the current one: paths in messages are then the same each time."""
    with TemporaryDirectory() as name, chdir(name):
        yield


def up_to(size: int, items: Sequence[str]) -> Iterator[str]:
    for length in range(size + 1):
        yield from map("".join, product(items, repeat=length))


def tables(tokens: tuple[str, ...], size: int) -> Iterator[tuple[tuple[str, str], ...]]:
    """All tables of up to `size` merges in which every token is made before it is merged, and once."""
    yield ()
    if not size:
        return
    for pair in product(tokens, repeat=2):
        if "".join(pair) not in tokens:
            for rest in tables((*tokens, "".join(pair)), size - 1):
                yield (pair, *rest)


def vocabulary(merges: Sequence[tuple[str, str]] = MERGES) -> dict[str, int]:
    return byte_ids() | {"".join(pair): 256 + rank for rank, pair in enumerate(merges)}


def scope_pieces() -> Iterator[object]:
    """all texts of up to four of twelve telling characters, cut by GPT-2's pattern, and the pairs of short words"""
    for text in up_to(4, TELLING):
        yield subject.pretokenize(text)
    for word in up_to(4, "ab"):
        for spelling in (word, tuple(word), list(word)):
            yield observe(lambda spelling=spelling: sorted(subject.get_pairs(spelling)))


def scope_merges() -> Iterator[object]:
    """all tables in order of up to three merges over two letters, on all words of up to six"""
    words = list(up_to(6, "ab"))
    for table in tables(("a", "b"), 3):
        encoder = subject.Encoder(vocabulary(table), table)
        yield [encoder.bpe(word) for word in words]


def scope_texts() -> Iterator[Observation]:
    """all texts of up to three of twelve telling characters and a lone surrogate, twice: ids, spans, and back"""
    encoder = subject.Encoder(vocabulary(), MERGES)
    for text in up_to(3, (*TELLING, "\ud800")):
        index = [text.index("\ud800")] if "\ud800" in text else []
        first = observe(encoder.encode, text, naming=[*index, *(["D800"] if index else [])])
        yield first
        yield observe(encoder.encode_with_offsets, text, naming=index)
        if not index:
            yield observe(lambda text=text: encoder.decode(encoder.encode(text)))
            again = encoder.encode(text)
            again.append(0)
            yield observe(encoder.encode, text)
    for length in (63, 64, 65, 300):
        yield observe(encoder.encode, "as" * length)
        yield observe(encoder.encode, "as" * length)
    for stranger in NO_TEXTS:
        yield observe(encoder.encode, stranger)
        yield observe(encoder.encode_with_offsets, stranger)


def scope_missing_bytes() -> Iterator[Observation]:
    """all texts of up to four of five characters where a vocabulary lacks a byte, with and without dropping"""
    document = sound_json()
    del document["model"]["vocab"]["s"]
    document["model"]["vocab"]["aa"] = document["model"]["vocab"].pop("as")
    document["model"]["vocab"].pop("'s")
    document["model"]["vocab"].pop(SPACE + "as")
    document["model"]["merges"] = ["a a", f"{SPACE} a"]
    document["model"]["vocab"].pop("\x9f".encode().decode("latin-1"), None)
    with empty_folder():
        path = Path("tokenizer.json")
        path.write_bytes(json.dumps(document).encode())
        for keywords in ({}, {"missing": "error"}, {"missing": "drop"}):
            encoder = subject.load_tokenizer_json(path, **keywords)
            for text in up_to(4, ("a", "s", " ", "\xe9", "\U0001f642")):
                naming = ["0x73"] if "s" in text else []
                yield observe(encoder.encode, text, naming=naming)
                yield observe(encoder.encode_with_offsets, text, naming=naming)


def scope_added_tokens() -> Iterator[Observation]:
    """all texts of up to four of six pieces with special tokens allowed: one, all, none and unknown ones"""
    encoder = subject.Encoder(vocabulary(), MERGES, special_tokens=SPECIAL)
    for text in up_to(4, ("<s>", "s", "<", "/s>", " ", "\xe9")):
        for allowed in ((), "all", ["<s>"], {"<s>", "<s>s"}, ("</s>",)):
            yield observe(encoder.encode, text, allowed)
        yield observe(encoder.encode_with_offsets, text, "all")
    for wrong in ("<s>", ["<x>"], ["<s>", "<x>"], "", [""]):
        yield observe(encoder.encode, "<s>", wrong, naming=["<x>"])
        yield observe(encoder.encode_with_offsets, "<s>", wrong, naming=["<x>"])
    document = sound_json()
    document["added_tokens"] = [
        added("<s>", 300),
        added("sa", 301, special=False),
        added("aa", 302, special=False, normalized=True),
        added("aas", 303, special=False, normalized=True),
    ]
    encoder = loaded(document)
    for text in up_to(4, ("a", "s", "<s>", " ")):
        yield observe(encoder.encode, text)
        yield observe(encoder.encode_with_offsets, text, "all")


def scope_ids() -> Iterator[Observation]:
    """all lists of up to three of ten ids in five modes of errors, and each id that is none after up to two of them"""
    special = {"<s>": 300}
    encoder = subject.Encoder(vocabulary(), MERGES, special_tokens=special)
    strict = subject.Encoder(vocabulary(), MERGES, "strict", special)
    ids = (64, 256, 260, 300, 220, 0, *(vocabulary()[byte] for byte in ("\xf0", "\u0141", "\u013b", "\xc3")))
    for length in range(4):
        for chosen in product(ids, repeat=length):
            yield observe(encoder.decode_bytes, chosen)
            yield observe(encoder.decode, list(chosen))
            yield observe(strict.decode, iter(chosen))
            yield observe(strict.decode, chosen, "ignore")
            yield observe(encoder.decode, chosen, "strict")
            yield observe(lambda chosen=chosen: streamed(encoder, chosen))
            yield observe(lambda chosen=chosen: streamed(strict, chosen))
    for before in range(3):
        for stranger in NO_IDS:
            naming = [stranger, before] if type(stranger) is int else []
            for call in (encoder.decode_bytes, encoder.decode):
                yield observe(call, [64] * before + [stranger, 64], naming=naming)
            if not before:
                yield observe(encoder.id_to_token, stranger, naming=naming[:1])
                yield observe(subject.StreamDecoder(encoder).push, stranger, naming=naming[:1])
    for number in (*range(310), *vocabulary().values()):
        yield observe(encoder.id_to_token, number, naming=[number])
        yield observe(encoder.decode_bytes, [number], naming=[number])
    for token in ("", "a", "as", SPACE + "as", " as", "<s>", "<x>", "\U0001f642", "a as"):
        yield observe(encoder.token_to_id, token)


def streamed(encoder: object, ids: Sequence[int]) -> list[object]:
    """What is shown at each push, by another decoder meanwhile, at two ends, and after the first of them."""
    decoder, other = subject.StreamDecoder(encoder), subject.StreamDecoder(encoder)
    shown = [observe(decoder.push, number) for number in ids]
    return [*shown, other.flush(), observe(decoder.flush), observe(decoder.push, 64), decoder.flush()]


def scope_encoders() -> Iterator[object]:
    """what an encoder says of itself, apart from its caller's dicts, and each way in which one is not to be made"""
    given, merges, special = vocabulary(), list(MERGES), dict(SPECIAL)
    encoder = subject.Encoder(given, iter(merges), special_tokens=special)
    given["x"] = 999
    special["<x>"] = 998
    encoder.special_ids["<y>"] = 997
    for one in (
        encoder,
        subject.Encoder({}, []),
        subject.Encoder({"a": 5}, []),
        subject.Encoder({}, [], "ignore", SPECIAL),
    ):
        yield sorted(one.encoder.items()), sorted(one.decoder.items()), sorted(one.bpe_ranks.items()), one.vocab_size
        yield (
            sorted(one.byte_encoder.items()),
            sorted(one.byte_decoder.items()),
            one.errors,
            sorted(one.special_ids.items()),
        )
        for text in ("", "a", "as<s>", "\xe9"):
            yield observe(one.encode, text, naming=["0xC3", "0x61"])
    whole = vocabulary()
    for ids, pairs, extra, naming in (
        (whole | {"x": 1}, [], {}, [1, "x"]),
        (whole, [("a", "s"), ("a", "s")], {}, ["a", "s"]),
        (whole, [("a", "s", "a")], {}, []),
        (whole, [("a",)], {}, []),
        (whole, [], {"": 300}, [300]),
        (whole, [], {"<s>": 300, "<t>": 300}, [300, "<s>", "<t>"]),
        (whole, [], {"<s>": 64}, [64, "<s>"]),
        (whole, [], {"a": 300}, [300, "a"]),
        (whole, [], {"a": 64}, []),
        (whole | {"<s>": 300}, [], {"<s>": 300}, []),
        (whole | {"<s>": 300}, [], {"<s>": 301}, [300, 301]),
        (whole | {"a b": 300}, [], {}, ["a b"]),
        (whole | {"\U0001f642": 300}, [], {}, ["\U0001f642"]),
        (whole | {"a b": 300}, [], {"a b": 300}, []),
        (whole | {"a b": 300, "a c": 301}, [], {"a b": 300}, ["a c"]),
    ):
        yield observe(lambda ids=ids, pairs=pairs, extra=extra: made(ids, pairs, extra), naming=naming)


def made(ids: dict[str, int], pairs: Sequence[Sequence[str]], extra: dict[str, int]) -> object:
    encoder = subject.Encoder(ids, pairs, special_tokens=extra)  # type: ignore[arg-type]
    return encoder.encode("as<s>", list(extra)), encoder.vocab_size


# --- files ----------------------------------------------------------------------------------------------------


def scope_gpt2_files() -> Iterator[Observation]:
    """both files of OpenAI's release with one thing changed: line ends, versions, every line and key"""
    ids = json.dumps(vocabulary(), ensure_ascii=False).encode()
    lines = [" ".join(pair) for pair in MERGES]
    end = "<|endoftext|>"
    with_end = json.dumps(vocabulary() | {end: 390}).encode()
    text = "\n".join(lines).encode()
    sound = [text, text + b"\n", text.replace(b"\n", b"\r\n"), text.replace(b"\n", b"\r\n") + b"\r\n", b"", b"\n"]
    sound += [b"#version: 0.2\n" + text, b"#version: 0.2\r\n" + text, b"#version: 0.2", text + b"\n#version: 0.2"]
    hashes = json.dumps(vocabulary() | {"##": 388, "#a": 389}).encode()
    for place in range(len(lines) + 1):
        for spoilt in (
            "",
            "a",
            "a s s",
            " a",
            "a ",
            "a  s",
            "a\ts",
            "a s ",
            "a s",
            "a x",
            "x a",
            "\xff a",
            "a\r s",
            "\u2028 a",
        ):
            sound.append("\n".join([*lines[:place], spoilt, *lines[place:]]).encode())
    sound += [b"\xef\xbb\xbf" + text, text + b"\n\xff \xfe", text + b"\na\xc3 s"]
    for merges in sound:
        yield gpt2(ids, merges)
    for merges in (b"# #\n# a\n" + text, b"#version: 0.2\n# #\n# a", b"# #", b"#v #"):
        yield gpt2(hashes, merges)
    for allowed in (b"#version: 0.2\n", b""):
        yield gpt2(with_end, allowed, allowed=[end])
    for document in (
        b"",
        b"[]",
        b"{",
        b"{}",
        b"null",
        b'{"a": 1',
        b"\xef\xbb\xbf{}",
        b'{"a": 1, "a": 2}',
        b'{"\xff": 1}',
        b"\n\n{x",
    ):
        yield gpt2(document, b"")
    for value in (-1, 0, 1, 64, 256, 1.0, 1.5, "1", None, True, False, [1], 1 << 40):
        yield gpt2(json.dumps(vocabulary() | {"zz": value}).encode(), text)
    yield gpt2(json.dumps({"s": 1, "a": 0}).encode(), b"", missing="drop")
    yield gpt2(json.dumps({"s": 1, "a": 0}).encode(), b"", missing="error")
    yield observe(subject.get_encoder, "no such folder")


def gpt2(ids: bytes, merges: bytes, allowed: Sequence[str] = (), **keywords: str) -> Observation:
    names = ["encoder.json", "vocab.bpe", *(f"line {number}" for number in range(1, 11)), "'zz'", "id 64"]
    with empty_folder():
        Path("encoder.json").write_bytes(ids)
        Path("vocab.bpe").write_bytes(merges)

        def encoded() -> object:
            encoder = subject.load_gpt2(Path("encoder.json"), "vocab.bpe", **keywords)
            told = encoder.special_ids, encoder.vocab_size, sorted(encoder.bpe_ranks.items())
            text = "as <|endoftext|>##a's \U0001f642" if len(encoder.encoder) > 200 else "axs"
            same = keywords or encoder.encode(text) == subject.get_encoder(".").encode(text)
            return *told, encoder.encode(text, allowed), same

        return observe(encoded, naming=names)


def scope_tiktoken_files() -> Iterator[Observation]:
    """files of ranks with one line spoilt, line ends, patterns and special tokens, and what is saved of small tables"""
    ranks = {bytes([byte]): byte for byte in range(256)}
    ranks |= {
        token: 256 + place
        for place, token in enumerate((b"as", b"'s", b" a", b" as", b"\xf0\x9f", b"aaaa", b"s's", b"ass"))
    }
    lines = [base64.b64encode(token).decode() + f" {rank}" for token, rank in ranks.items()]
    text = "\n".join(lines).encode()
    for data in (
        text,
        text + b"\n",
        text.replace(b"\n", b"\r\n") + b"\r\n",
        b"",
        b"\n",
        b"\xef\xbb\xbf" + text,
        text + b"\n\xff 1",
    ):
        yield tiktoken(data)
    spoilt = (
        "YWI= -1",
        "YWI= x",
        "YWI=",
        "YWI= ",
        " 400",
        "YWI=  400",
        "YWI 400",
        "YWI=\t400",
        "YWI=Y 400",
        "YWJ= 400",
        "YW_= 400",
    )
    spoilt += (
        "=YWI 400",
        "Y=I= 400",
        "YWI= 1.0",
        "YWI= 1 1",
        "YWI= \u0664",
        "YWI= 97",
        "YXM= 400",
        "\xe9WI= 400",
        "==== 400",
        "YWI= 400",
        "YWI= \xb2",
    )
    for line in spoilt:
        for place in (0, 3, 260, len(lines)):
            yield tiktoken("\n".join([*lines[:place], line, *lines[place:]]).encode())
    for pattern in (r"\S+", r"\s+|\S+", r".", r"a|s", r"(a)(s)?", r"", r"\p{L}+|\s"):
        for special in ({}, {"<s>": 400}, {"as": 256}, {"a": 97}, {"<s>": 97}, {"": 400}, {"as": 400}):
            yield tiktoken(text, pattern, special)
    few = b"YQ== 0\ncw== 1\nYXM= 7"
    for keywords in ({}, {"missing": "drop"}, {"missing": "error"}):
        yield tiktoken(few, **keywords)
    for merges in tables(("a", "b"), 3):
        yield observe(saved, merges, subject.save_tiktoken)
        yield observe(saved, merges[::-1], subject.save_tiktoken)


def tiktoken(
    data: bytes, pattern: str = r"\s+|\S+", special: dict[str, int] | None = None, **keywords: str
) -> Observation:
    with empty_folder():
        path = Path("toy.tiktoken")
        path.write_bytes(data)

        def encoded() -> object:
            encoder = subject.load_tiktoken(path, pattern, special or {}, **keywords)
            found = [
                encoder.encode(text, list(special or ()))
                for text in ("aass as", "asa<s>", "aaaaa s's\U0001f642")[: 3 if len(encoder.encoder) > 200 else 0]
            ]
            return (
                found,
                encoder.vocab_size,
                sorted(encoder.bpe_ranks.items()),
                observe(encoder.encode, "asxas", naming=["0x78"]),
            )

        return observe(
            encoded,
            naming=["toy.tiktoken", *(f"line {number}" for number in (1, 4, 5, 261, 262, 265, 266)), "rank 97", "YWI"],
        )


def saved(merges: Sequence[tuple[str, str]], save: object) -> object:
    """What stands in a saved file; a special token and a gap are in the vocabulary."""
    encoder = subject.Encoder(vocabulary(merges) | {"<s>": 380}, merges, special_tokens={"<s>": 380, "<t>": 400})
    with empty_folder():
        path = Path("saved")
        save(encoder, path)  # type: ignore[operator]
        return path.read_bytes()


def sound_json() -> dict[str, object]:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added("<s>", 300)],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, level]},
        "post_processor": dict(level),
        "decoder": dict(level),
        "model": {"type": "BPE", "vocab": vocabulary(), "merges": [" ".join(pair) for pair in MERGES]},
    }


def added(text: object, number: object, **changes: object) -> dict[str, object]:
    entry = {"id": number, "content": text, "single_word": False, "lstrip": False, "rstrip": False}
    return {**entry, "normalized": False, "special": True, **changes}


def loaded(document: object) -> subject.Encoder:
    with empty_folder():
        path = Path("tokenizer.json")
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return subject.load_tokenizer_json(path)


VALUES = (
    None,
    False,
    True,
    0,
    1,
    -1,
    0.0,
    0.5,
    "",
    "x",
    "BPE",
    "ByteLevel",
    "Isolated",
    "Removed",
    [],
    ["a"],
    ["a", "s"],
    {},
    {"type": "x"},
)


def places(part: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The way to every value of a document, the vocabulary's ids and merges apart."""
    yield path
    if path and path[-1] in ("vocab", "merges"):
        return
    entries = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in entries:
        yield from places(value, (*path, key))


def scope_tokenizer_json() -> Iterator[object]:
    """a tokenizer.json with each of its values replaced by nineteen others or left out, and other ways to cut"""
    sound = sound_json()
    yield from shown_of(sound)
    for path in places(sound):
        for value in (*VALUES, shown_of):
            if not path:
                document = {} if value is shown_of else value
            else:
                document = copy.deepcopy(sound)
                *before, last = path
                part = document
                for key in before:
                    part = part[key]  # type: ignore[index]
                if value is shown_of:
                    del part[last]  # type: ignore[attr-defined]
                else:
                    part[last] = value  # type: ignore[index]
            yield from shown_of(document)
    for key in (
        "dropout",
        "unk_token",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "fuse_unk",
        "byte_fallback",
        "ignore_merges",
    ):
        for value in VALUES:
            yield from shown_of({**sound, "model": {**sound["model"], key: value}})  # type: ignore[dict-item]
    for merges in (
        ["a s"],
        [["a", "s"]],
        ["a  s"],
        ["a s s"],
        [" as"],
        ["as "],
        [["a", ""]],
        [["a", "s", "a"]],
        [["as"]],
        ["a s", ["a", "s"]],
        [7],
        [["a", 7]],
        ["a x"],
        ["x a"],
        None,
    ):
        yield from shown_of({**sound, "model": {**sound["model"], "merges": merges}})  # type: ignore[dict-item]
    for ids in (
        vocabulary() | {"zz": 64},
        vocabulary() | {"zz": -1},
        vocabulary() | {"zz": True},
        vocabulary() | {"zz": 1.0},
        vocabulary() | {"<s>": 299},
        vocabulary() | {"<s>": 300},
    ):
        yield from shown_of({**sound, "model": {**sound["model"], "vocab": ids}})  # type: ignore[dict-item]
    for cut in cuts():
        yield from shown_of({**sound, "pre_tokenizer": cut})
    for data in (
        b"",
        b"{",
        b"[]",
        b'{"a": 1, "a": 2}',
        b"\xef\xbb\xbf{}",
        b"\n\n \xff",
        b"\n\n{x",
        b'{"model": {"type": "BPE", "type": "BPE"}}',
        b'[1, "' + b"x" * 100 + b'"]',
    ):
        yield from shown_of(data)


def cuts() -> Iterator[object]:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    for first, second in product(({}, {"add_prefix_space": True}, {"use_regex": True}), repeat=2):
        yield level | first
        yield {"type": "Sequence", "pretokenizers": [level | first, level | second]}
        yield {"type": "Sequence", "pretokenizers": [{"type": "Sequence", "pretokenizers": [level | first]}]}
    for pattern in (
        {"Regex": "s"},
        {"Regex": "a+|1"},
        {"String": "."},
        {"String": "a"},
        {"Regex": "("},
        {"Regex": ""},
        {"Regex": r"\h"},
        {"Regex": "a{2}+"},
        {"Regex": "[a&&b]"},
        {"Regex": "[[:alpha:]]"},
        {"Regex": 7},
        {"String": 7},
        {},
        None,
        "a",
    ):
        for behavior in ("Isolated", "Removed", "MergedWithNext"):
            for invert in (False, True):
                split = {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}
                yield {"type": "Sequence", "pretokenizers": [split, level]}
        yield {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": pattern, "behavior": "Isolated"},
                level | {"add_prefix_space": True},
            ],
        }
    for digits in ({}, {"individual_digits": False}, {"individual_digits": True}):
        yield {"type": "Sequence", "pretokenizers": [{"type": "Digits", **digits}, level]}
    yield from (
        {"type": "Sequence"},
        {"type": "Sequence", "pretokenizers": None},
        {"type": "ByteLevel"},
        {"type": "Digits"},
        {},
    )


NAMES = ("tokenizer.json", "truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model")
NAMES += (
    "type",
    "vocab",
    "merges",
    "added_tokens",
    "single_word",
    "lstrip",
    "rstrip",
    "content",
    "pattern",
    "behavior",
)
NAMES += (
    "dropout",
    "unk_token",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "fuse_unk",
    "byte_fallback",
    "ignore_merges",
)
NAMES += ("entry 0", "entry 1", "line 3", "'zz'", "'x'", "'s s'", "'MergedWithNext'")


def shown_of(document: object) -> Iterator[Observation]:
    """What a document loads to: ids, spans, special tokens, and the document that is saved of it."""

    def shown() -> object:
        encoder = loaded(document)
        texts = ("as's <s> as12.a", "a", " as", "")
        spans = [observe(encoder.encode_with_offsets, text, list(encoder.special_ids)) for text in texts]
        return (
            [observe(encoder.encode, text) for text in texts],
            spans,
            encoder.special_ids,
            encoder.vocab_size,
            observe(resaved, encoder),
        )

    yield observe(shown, naming=NAMES)


def resaved(encoder: object) -> object:
    with empty_folder():
        path = Path("saved.json")
        subject.save_tokenizer_json(encoder, path)
        return sorted(json.loads(path.read_bytes()).items())


def scope_saved_json() -> Iterator[Observation]:
    """what is saved as tokenizer.json of all tables in order of up to two merges over two letters"""
    for merges in tables(("a", "b"), 2):
        yield observe(lambda merges=merges: json.loads(saved(merges, subject.save_tokenizer_json)))
