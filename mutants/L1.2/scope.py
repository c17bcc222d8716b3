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
NO_FLAGS = (0, 1, "", "yes", [], {})
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
    ids = {token: number for token, number in byte_ids().items() if token not in ("s", "\u0141")} | {"aa": 300}
    document = sound_json(model_vocab=ids | {SPACE + "a": 301}, model_merges=["a a", f"{SPACE} a"])
    with empty_folder():
        path = Path("tokenizer.json")
        path.write_bytes(as_json(document | {"added_tokens": []}))
        for keywords in ({}, {"missing": "error"}, {"missing": "drop"}):
            encoder = subject.load_tokenizer_json(path, **keywords)
            for text in up_to(4, ("a", "s", " ", "\xe9", "\U0001f642")):
                naming = ["0x73"] if "s" in text and "\U0001f642" not in text else []
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
            naming = [stranger] if type(stranger) is int else []
            for call in (encoder.decode_bytes, encoder.decode):
                yield observe(call, [64] * before + [stranger, 64], naming=naming)
            if not before:
                yield observe(encoder.id_to_token, stranger, naming=naming)
                yield observe(subject.StreamDecoder(encoder).push, stranger, naming=naming)
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
        (whole | {"x": 1}, [], {}, [1]),
        (whole, [], {"": 300}, []),
        (whole, [], {"<s>": 300, "<t>": 300}, [300]),
        (whole, [], {"<s>": 64}, [64]),
        (whole, [], {"a": 300}, []),
        (whole, [], {"a": 64}, []),
        (whole | {"<s>": 300}, [], {"<s>": 300}, []),
        (whole | {"<s>": 300}, [], {"<s>": 301}, []),
        (whole | {"a b": 300}, [], {"a b": 300}, []),
    ):
        yield observe(lambda ids=ids, pairs=pairs, extra=extra: made(ids, pairs, extra), naming=naming)


def made(ids: dict[str, int], pairs: Sequence[Sequence[str]], extra: dict[str, int]) -> object:
    encoder = subject.Encoder(ids, pairs, special_tokens=extra)  # type: ignore[arg-type]
    return encoder.encode("as<s>", list(extra)), encoder.vocab_size


# --- files ----------------------------------------------------------------------------------------------------


def few(merges: Sequence[tuple[str, str]] = MERGES[:4]) -> dict[str, int]:
    """A vocabulary that is quickly read: a dozen bytes with GPT-2's ids, and what `merges` make."""
    alone = {
        token: number
        for token, number in byte_ids().items()
        if token in "as'1x!\xf0\u0141\u013b\u0124" + SPACE + NEWLINE
    }
    return alone | {"".join(pair): 256 + rank for rank, pair in enumerate(merges)}


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def scope_gpt2_files() -> Iterator[Observation]:
    """both files of OpenAI's release with one thing changed: line ends, versions, every line and key"""
    ids = as_json(few())
    lines = [" ".join(pair) for pair in MERGES[:4]]
    text = "\n".join(lines).encode()
    crlf = text.replace(b"\n", b"\r\n")
    for merges in (
        text,
        text + b"\n",
        crlf,
        crlf + b"\r\n",
        b"",
        b"#version: 0.2\n" + text,
        b"#version: 0.2\r\n" + crlf,
        b"#version",
    ):
        yield gpt2(ids, merges)
    for place in range(5):
        for spoilt in (
            "",
            "a",
            "a s s",
            " a",
            "a ",
            "a  s",
            "a\ts",
            "a\xa0s",
            "a s ",
            "a x",
            "x a",
            "x x",
            "a\r s",
            "\u2028 a",
            "#",
        ):
            yield gpt2(
                ids, "\n".join([*lines[:place], spoilt, *lines[place:]]).encode(), ["vocab.bpe", f"line {place + 1}"]
            )
        yield gpt2(ids, "\n".join([*lines, lines[0]]).encode(), ["vocab.bpe", "line 5"])
        for damage in (b"\xff a", b"a \xc3"):
            yield gpt2(
                ids,
                "".join(line + "\n" for line in lines[:place]).encode() + damage,
                ["vocab.bpe", f"line {place + 1}"],
            )
    yield gpt2(ids, b"\xef\xbb\xbf" + text, ["vocab.bpe"])
    hashes = as_json(few() | {"#": 387, "##": 388, "#a": 389})
    for merges in (b"# #\n# a", b"#version: 0.2\n# #\n# a", b"a s\n# a"):
        yield gpt2(hashes, merges)
    with_end = as_json(few() | {"<|endoftext|>": 390})
    yield gpt2(with_end, text, allowed=["<|endoftext|>"])
    yield gpt2(with_end, text)
    for document, naming in (
        (b"", []),
        (b"[]", []),
        (b"null", []),
        (b'{"a": 1', ["line 1"]),
        (b"\n\n{x", ["line 3"]),
        (b"\xef\xbb\xbf{}", []),
        (b'{"aa": 1, "aa": 2}', ["'aa'"]),
        (b'\n{"\xff": 1}', ["line 2"]),
        (b"{}", []),
    ):
        yield gpt2(document, b"", ["encoder.json", *naming])
    for value in (-1, 64, 256, 1.0, 1.5, "1", None, True, False, [1]):
        yield gpt2(as_json(few() | {"zz": value}), text, ["encoder.json", str(value) if value in (64, 256) else "'zz'"])
    for value in (0, 5, 1 << 40):
        yield gpt2(as_json(few() | {"zz": value}), text)
    for keywords in ({"missing": "drop"}, {"missing": "error"}, {}):
        yield gpt2(as_json({"s": 1, "a": 0, "as": 7}), b"a s", **keywords)
    for tokens in ({"x": 0, "xy": 1}, {"y": 0, "xy": 1}, {"x": 0, "y": 1}):
        yield gpt2(as_json(tokens), b"x y", ["vocab.bpe", "line 1"])
    yield observe(subject.get_encoder, "no such folder")


def gpt2(
    ids: bytes, merges: bytes, naming: Sequence[str] = (), allowed: Sequence[str] = (), **keywords: str
) -> Observation:
    with empty_folder():
        Path("encoder.json").write_bytes(ids)
        Path("vocab.bpe").write_bytes(merges)

        def encoded() -> object:
            encoder = subject.load_gpt2(Path("encoder.json"), "vocab.bpe", **keywords)
            told = encoder.special_ids, encoder.vocab_size, sorted(encoder.bpe_ranks.items())
            same = keywords or observe(encoder.encode, "as") == observe(subject.get_encoder(".").encode, "as")
            texts = ("as", "a's 11", "##a", "a<|endoftext|>", "\U0001f642", "axs")
            return *told, [observe(encoder.encode, text, allowed) for text in texts], same

        return observe(encoded, naming=naming)


def scope_tiktoken_files() -> Iterator[Observation]:
    """files of ranks with one line spoilt, line ends, patterns and special tokens, and what is saved of small tables"""
    pieces = (b"as", b"'s", b" a", b" as", b"\xf0\x9f", b"aaaa", b"s's", b"ass", b"\xf0\x9f\x99\x82")
    ranks = {bytes([byte]): byte for byte in b"as' !1<>\xf0\x9f\x99\x82"}
    ranks |= {token: 256 + place for place, token in enumerate(pieces)}
    lines = [base64.b64encode(token).decode() + f" {rank}" for token, rank in ranks.items()]
    text = "\n".join(lines).encode()
    crlf = text.replace(b"\n", b"\r\n")
    for data in (text, text + b"\n", crlf, crlf + b"\r\n", b""):
        yield tiktoken(data)
    yield tiktoken(b"\xef\xbb\xbf" + text, ["toy"])
    spoilt = [
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
    ]
    spoilt += [
        "YW_= 400",
        "=YWI 400",
        "Y=I= 400",
        "YWI= 1.0",
        "YWI= 1 1",
        "YWI= \u0664",
        "YWI= \xb2",
        "\xe9WI= 400",
        "==== 400",
        "",
    ]
    for line in spoilt:
        for place in (0, 3, len(lines)):
            yield tiktoken("\n".join([*lines[:place], line, *lines[place:]]).encode(), [f"line {place + 1}"])
    for line in ("YWI= 97", "YXM= 400", "YWI= 400"):
        yield tiktoken("\n".join([*lines, line]).encode(), [f"line {len(lines) + 1}"])
    yield tiktoken(text + b"\n\xff 1", [f"line {len(lines) + 1}"])
    for pattern in (r"\S+", r"\s+|\S+", r".", r"a|s", r"(a)(s)?", r"\p{L}+|\s"):
        for special in ({}, {"<s>": 400}, {"as": 256}, {"a": 97}, {"<s>": 97}, {"": 400}, {"as": 400}):
            yield tiktoken(text, pattern=pattern, special=special)
    for keywords in ({}, {"missing": "drop"}, {"missing": "error"}):
        yield tiktoken(b"YQ== 0\ncw== 1\nYXM= 7", **keywords)
    for merges in tables(("a", "b"), 2):
        yield observe(lambda merges=merges: sorted(saved(merges, subject.save_tiktoken).splitlines()))
        yield observe(lambda merges=merges: sorted(saved(merges[::-1], subject.save_tiktoken).splitlines()))


def tiktoken(
    data: bytes,
    naming: Sequence[str] = (),
    *,
    pattern: str = r"\s+|\S+",
    special: dict[str, int] | None = None,
    **keywords: str,
) -> Observation:
    with empty_folder():
        path = Path("toy.tiktoken")
        path.write_bytes(data)

        def encoded() -> object:
            encoder = subject.load_tiktoken(path, pattern, special or {}, **keywords)
            texts = ("aass as", "asa<s>", "aaaaa s's\U0001f642", "asxas")
            found = [observe(encoder.encode, text, list(special or ()), naming=["0x78"]) for text in texts]
            return found, encoder.vocab_size, sorted(encoder.bpe_ranks.items())

        return observe(encoded, naming=["toy.tiktoken", *naming] if naming else [])


def saved(merges: Sequence[tuple[str, str]], save: object) -> bytes:
    """What stands in a saved file; a special token and a gap are in the vocabulary."""
    encoder = subject.Encoder(few(merges) | {"<s>": 380}, merges, special_tokens={"<s>": 380, "<t>": 400})
    with empty_folder():
        path = Path("saved")
        save(encoder, path)  # type: ignore[operator]
        return path.read_bytes()


LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
DIGITS = {"type": "Digits", "individual_digits": True}


def sequence(*steps: object) -> dict[str, object]:
    return {"type": "Sequence", "pretokenizers": list(steps)}


def sound_json(**changes: object) -> dict[str, object]:
    """A document of which `changes` replace keys, those of the model below `model_`."""
    whole: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added("<s>", 300)],
        "normalizer": None,
        "pre_tokenizer": sequence(DIGITS, LEVEL | {"use_regex": True}),
        "post_processor": None,
        "decoder": LEVEL,
        "model": {"type": "BPE", "vocab": few(), "merges": [" ".join(pair) for pair in MERGES[:4]]},
    }
    whole = copy.deepcopy(whole)
    for key, value in changes.items():
        part, name = (whole["model"], key[6:]) if key.startswith("model_") else (whole, key)
        if value is LEFT_OUT:
            del part[name]  # type: ignore[attr-defined]
        else:
            part[name] = value  # type: ignore[index]
    return whole


LEFT_OUT = object()


def added(text: object, number: object, **changes: object) -> dict[str, object]:
    entry = {"id": number, "content": text, "single_word": False, "lstrip": False, "rstrip": False}
    return {**entry, "normalized": False, "special": True, **changes}


def loaded(document: object) -> subject.Encoder:
    with empty_folder():
        path = Path("tokenizer.json")
        path.write_bytes(document if isinstance(document, bytes) else as_json(document))
        return subject.load_tokenizer_json(path)


def scope_tokenizer_json() -> Iterator[Observation]:
    """a tokenizer.json with one part at a time set to each value that it can have, left out, or spoilt"""
    yield shown_of(sound_json())
    for key in ("truncation", "padding", "normalizer", "post_processor", "decoder", "added_tokens"):
        yield shown_of(sound_json(**{key: LEFT_OUT}))
        yield shown_of(sound_json(**{key: {"type": "x"}}), key)
    for key in ("model", "pre_tokenizer", "decoder", "post_processor"):
        for value in (7, "x", [], {}):
            yield shown_of(sound_json(**{key: value}), key)
    yield shown_of(sound_json(pre_tokenizer=None), "pre_tokenizer")
    for trims in (True, False):
        yield shown_of(sound_json(post_processor=LEVEL | {"trim_offsets": trims}))
        yield shown_of(sound_json(decoder=LEVEL | {"trim_offsets": trims}))
    refused = (
        "dropout",
        "unk_token",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "fuse_unk",
        "byte_fallback",
        "ignore_merges",
    )
    for key in refused:
        yield shown_of(sound_json(**{f"model_{key}": None}))
        yield shown_of(sound_json(**{f"model_{key}": {"dropout": 0.5, "unk_token": "x"}.get(key, True)}), key)
    yield shown_of(
        sound_json(model_dropout=0.0, model_unk_token=None, model_fuse_unk=False, model_end_of_word_suffix="")
    )
    yield shown_of(sound_json(model_type=LEFT_OUT))
    yield shown_of(sound_json(model_type="WordPiece"), "type")
    for merges in (["a s"], [["a", "s"]], []):
        yield shown_of(sound_json(model_merges=merges))
    for merges in (
        ["a  s"],
        ["a s s"],
        [" as"],
        ["as "],
        [["a", ""]],
        [["", "s"]],
        [["a", "s", "a"]],
        [["as"]],
        ["a s", ["a", "s"]],
        [7],
        [["a", 7]],
        [{"a": 1, "s": 2}],
        ["a x"],
        ["x a"],
    ):
        yield shown_of(sound_json(model_merges=merges), "merges")
    for no_list in (7, True, "x", {"a": "s"}):
        yield shown_of(sound_json(model_merges=no_list), "merges")
        yield shown_of(sound_json(added_tokens=no_list), "added_tokens")
    for ids in (few() | {"zz": 64}, few() | {"zz": -1}, few() | {"zz": True}, few() | {"zz": 1.0}, None, [], 7):
        yield shown_of(sound_json(model_vocab=ids), "vocab")
    for ids in (few() | {"zz": 299}, few() | {"<s>": 300}):
        yield shown_of(sound_json(model_vocab=ids))
    yield shown_of(sound_json(model_vocab=few() | {"<s>": 299}), "added_tokens")
    yield shown_of(sound_json(model_vocab=few() | {"a b": 299}), "vocab")
    for number in (64, 256):
        yield shown_of(sound_json(added_tokens=[added("<s>", number)]), "added_tokens")
    yield shown_of(sound_json(added_tokens=[added("<s>", 300), added("<t>", 300)]), "added_tokens")
    for token in (
        added("a", 301, special=False),
        added("as", 256),
        added("as1", 301, special=False, normalized=True),
        added("<s", 301),
    ):
        yield shown_of(sound_json(added_tokens=[added("<s>", 300), token]))
        yield shown_of(sound_json(added_tokens=[token, added("<s>", 300, normalized=True)]))
    for key in ("single_word", "lstrip", "rstrip"):
        yield shown_of(sound_json(added_tokens=[added("<s>", 300, **{key: True})]), key)
    for no_flag in NO_FLAGS:
        for key in ("special", "normalized"):
            yield shown_of(sound_json(added_tokens=[added("<s>", 300, **{key: no_flag})]), key)
        yield shown_of(sound_json(post_processor=LEVEL | {"trim_offsets": no_flag}), "trim_offsets")
    for text in ("", 7, None, ["x"]):
        yield shown_of(sound_json(added_tokens=[added(text, 300)]), "content")
    for number in (-1, True, 1.0, None, "1"):
        yield shown_of(sound_json(added_tokens=[added("<s>", number)]), "'id'")
    for other in (7, "x", None):
        yield shown_of(sound_json(added_tokens=[other]), "added_tokens")
    for data, naming in (
        (b"", ""),
        (b"{", ""),
        (b"[]", ""),
        (b'{"aa": 1, "aa": 2}', "aa"),
        (b"\xef\xbb\xbf{}", ""),
        (b"\n\n \xff", "line 3"),
        (b"\n\n{x", "line 3"),
        (b'{"model": {"type": "BPE", "type": "BPE"}}', "type"),
    ):
        yield shown_of(data, naming)


def scope_cuts() -> Iterator[Observation]:
    """a tokenizer.json with each pre-tokenizer that is understood, alone and in sequences, and some that are not"""
    for flags in ({}, {"add_prefix_space": True}, {"use_regex": True}, {"add_prefix_space": True, "use_regex": True}):
        yield shown_of(sound_json(pre_tokenizer=LEVEL | flags))
        yield shown_of(sound_json(pre_tokenizer=sequence(LEVEL | flags)))
        yield shown_of(sound_json(pre_tokenizer=sequence(sequence(DIGITS), LEVEL | flags)))
        yield shown_of(sound_json(pre_tokenizer=sequence(LEVEL | flags, LEVEL)), "pre_tokenizer")
        yield shown_of(sound_json(pre_tokenizer=sequence(LEVEL | flags, DIGITS)), "pre_tokenizer")
    yield shown_of(sound_json(pre_tokenizer={key: value for key, value in LEVEL.items() if key != "use_regex"}))
    for singly in (True, False):
        yield shown_of(sound_json(pre_tokenizer=sequence(DIGITS | {"individual_digits": singly}, LEVEL)))
    for pattern in ({"Regex": "s"}, {"Regex": "a+|1"}, {"String": "."}, {"String": "a"}, {"Regex": "(?=s)"}):
        for behavior, inverted in product(("Isolated", "Removed"), (False, True)):
            split = {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": inverted}
            yield shown_of(sound_json(pre_tokenizer=sequence(split, LEVEL)))
            yield shown_of(sound_json(pre_tokenizer=sequence(split, DIGITS, LEVEL | {"add_prefix_space": True})))
    split = {"type": "Split", "pattern": {"Regex": "s"}, "behavior": "Isolated", "invert": False}
    for no_flag in NO_FLAGS:
        for key in ("add_prefix_space", "use_regex"):
            yield shown_of(sound_json(pre_tokenizer=LEVEL | {key: no_flag}), key)
        digits = DIGITS | {"individual_digits": no_flag}
        yield shown_of(sound_json(pre_tokenizer=sequence(digits, LEVEL)), "individual_digits")
        yield shown_of(sound_json(pre_tokenizer=sequence(split | {"invert": no_flag}, LEVEL)), "invert")
    for no_list in (7, True, "x", {"type": "ByteLevel"}):
        yield shown_of(sound_json(pre_tokenizer={"type": "Sequence", "pretokenizers": no_list}), "pretokenizers")
    for behavior in ("MergedWithNext", "Contiguous", None):
        yield shown_of(sound_json(pre_tokenizer=sequence(split | {"behavior": behavior}, LEVEL)), "behavior")
    for pattern in ({"Regex": "("}, {"Regex": 7}, {"String": 7}, {}, None, "a", 7):
        yield shown_of(sound_json(pre_tokenizer=sequence(split | {"pattern": pattern}, LEVEL)), "pattern")
    for strange in (
        sequence(),
        sequence(DIGITS),
        sequence(7),
        DIGITS,
        split,
        {"type": "x"},
        sequence({"type": "x"}, LEVEL),
    ):
        yield shown_of(sound_json(pre_tokenizer=strange), "pre_tokenizer")


def shown_of(document: object, key: str | None = None) -> Observation:
    """What a document loads to: ids, spans, special tokens, and the document that is saved of it."""

    def shown() -> object:
        encoder = loaded(document)
        texts = ("as's <s> as12.a", "a", " as", "")
        spans = [observe(encoder.encode_with_offsets, text, list(encoder.special_ids)) for text in texts]
        ids = [observe(encoder.encode, text) for text in texts]
        return ids, spans, encoder.special_ids, encoder.vocab_size, encoder.decode([64, 220]), observe(resaved, encoder)

    return observe(shown, naming=[] if key is None else ["tokenizer.json", key])


def resaved(encoder: object) -> object:
    """What is loaded of what is saved: its form is for tests to say, its meaning is here."""
    with empty_folder():
        path = Path("saved.json")
        subject.save_tokenizer_json(encoder, path)
        again = subject.load_tokenizer_json(path)
    texts = ("as's <s> as12.a", "a", " as", "")
    spans = [observe(again.encode_with_offsets, text, list(again.special_ids)) for text in texts]
    return spans, [observe(again.encode, text) for text in texts], again.special_ids, again.vocab_size


def scope_saved_json() -> Iterator[Observation]:
    """what is saved as tokenizer.json of all tables in order of up to two merges over two letters, loaded again"""
    for merges in tables(("a", "b"), 2):
        ids = few(merges) | {"b": 65, "<s>": 380}
        yield observe(resaved, subject.Encoder(ids, merges, special_tokens={"<s>": 380, "<t>": 400}))
