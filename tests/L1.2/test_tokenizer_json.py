"""Hugging Face's tokenizer.json."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from harness.bytelevel.small_vocabularies import byte_ids, gpt2_slice, smol_tokenizer_json
from tinyllm.tok.bpe import Encoder, load_tokenizer_json, save_tokenizer_json

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
NO_REGEX = {**BYTE_LEVEL, "use_regex": False}
TOKENS = byte_ids() | {"ab": 300, "12": 301, "\u0120a": 302, "\u010a\u010a": 303}
MERGES = ["a b", "1 2", "\u0120 a", "\u010a \u010a"]
A, B, ONE, TWO, SPACE, X = 64, 65, 16, 17, 220, 87


def document(**changes: Any) -> dict[str, Any]:
    """A sound file; `changes` replace its keys, those of the model below `model_`."""
    whole: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": BYTE_LEVEL,
        "post_processor": None,
        "decoder": BYTE_LEVEL,
        "model": {"type": "BPE", "vocab": TOKENS, "merges": MERGES},
    }
    whole = copy.deepcopy(whole)
    for key, value in changes.items():
        if key.startswith("model_"):
            whole["model"][key.removeprefix("model_")] = value
        else:
            whole[key] = value
    return whole


def load(folder: Path, missing: str = "error", **changes: Any) -> Encoder:
    """Write the file and load it."""
    path = folder / "tokenizer.json"
    path.write_bytes(json.dumps(document(**changes), ensure_ascii=False).encode())
    return load_tokenizer_json(path) if missing == "error" else load_tokenizer_json(path, missing=missing)


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    """Pre-tokenizers, one after another."""
    return {"type": "Sequence", "pretokenizers": list(steps)}


def split(pattern: dict[str, str], behavior: str, invert: bool) -> dict[str, Any]:
    """A Split, then ByteLevel without its own pattern."""
    return sequence({"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}, NO_REGEX)


def added(text: str, number: int, **changes: Any) -> dict[str, Any]:
    """An added token."""
    entry = {"id": number, "content": text, "single_word": False, "lstrip": False, "rstrip": False}
    return {**entry, "normalized": False, "special": True, **changes}


def test_a_tokenizer_of_smollm2s_make() -> None:
    """A file with the pipeline of SmolLM2 gives the ids that tokenizers gives.

    KIND: golden
    CHECKS: single digits, contractions, control tokens, an added token that is not special, spaces, accents
    WHY: this is the tokenizer that the next modules train with
    CATCHES: s49 s24
    """
    encoder = load_tokenizer_json(smol_tokenizer_json())
    for text, ids in (
        ("the tokens of 2024", [87, 241, 273, 250, 203, 21, 19, 21, 23]),
        ("they'll |||EMAIL||| x", [398, 343, 203, 439, 203, 91]),
        ("x<|start|><|end|>y", [91, 3, 92]),
        ("a    b", [68, 440, 69]),
        ("Stra\xdfe \u4e2d", [355, 203, 162, 417]),
    ):
        assert encoder.encode(text, allowed_special="all") == ids
    assert encoder.vocab_size == 441


def test_merges_may_be_texts_or_pairs(tmp_path: Path) -> None:
    """Both spellings of a merge are one.

    KIND: unit
    CHECKS: "a b" and ["a", "b"] give the same ids
    WHY: files of before and after 2024 differ in this
    CATCHES: s50
    """
    pairs = [line.split(" ") for line in MERGES]
    for merges in (MERGES, pairs):
        assert load(tmp_path, model_merges=merges).encode("ab 12 a\n\n") == [300, SPACE, 301, 302, 303]


def test_each_way_to_cut(tmp_path: Path) -> None:
    """The declared pre-tokenizer decides where no merge may cross.

    KIND: unit
    CHECKS: ByteLevel with its pattern and without; Digits singly and in runs; Split by Regex and String, kept and
        removed, inverted or not; a sequence of them
    WHY: the pattern is a property of the file, not of the format
    CATCHES: s36 s47 s57
    """
    single, runs = ({"type": "Digits", "individual_digits": each} for each in (True, False))
    for steps, text, ids in (
        (BYTE_LEVEL, "x 12ab", [X, SPACE, 301, 300]),
        (NO_REGEX, "x 12ab", [X, SPACE, 301, 300]),
        (NO_REGEX, "x\n\na", [X, 303, A]),
        (BYTE_LEVEL, "x\n\na", [X, 198, 198, A]),
        (sequence(single, BYTE_LEVEL), "x 12ab", [X, SPACE, ONE, TWO, 300]),
        (sequence(runs, NO_REGEX), "x 12ab", [X, SPACE, 301, 300]),
        (sequence(runs, NO_REGEX), "\u010a12", [128, 232, 301]),
        (split({"Regex": "b"}, "Isolated", invert=False), "abab", [A, B, A, B]),
        (split({"Regex": "b"}, "Isolated", invert=True), "abab", [A, B, A, B]),
        (split({"Regex": "b"}, "Removed", invert=False), "abab", [A, A]),
        (split({"Regex": "ab"}, "Removed", invert=True), "xabbab", [300, 300]),
        (split({"String": "."}, "Removed", invert=False), "ab.ab", [300, 300]),
    ):
        assert load(tmp_path, pre_tokenizer=steps).encode(text) == ids
    across = {"model_vocab": {**TOKENS, "a1": 305}, "model_merges": [*MERGES, "a 1"]}
    for steps, text, ids in ((sequence(runs, NO_REGEX), "a12", [A, 301]), (NO_REGEX, "a1", [305])):
        assert load(tmp_path, pre_tokenizer=steps, **across).encode(text) == ids  # kept: no merge may cross a cut


def test_a_prefix_space(tmp_path: Path) -> None:
    """A space is put in front only where the file asks for it and none is there.

    KIND: boundary
    CHECKS: add_prefix_space true and false, text with a space already, the empty text, and the offsets
    WHY: GPT-2's own files never add it, and many copies of them do
    CATCHES: s46 s29
    """
    plain, prefixed = (load(tmp_path, pre_tokenizer={**BYTE_LEVEL, "add_prefix_space": yes}) for yes in (False, True))
    for text, ids in (("a a", [302, 302]), (" a", [302]), ("", [])):
        assert prefixed.encode(text) == ids
    assert plain.encode("a a") == [A, 302]
    assert prefixed.encode_with_offsets("a a") == [(302, 0, 1), (302, 1, 3)]


def test_spans_without_spaces(tmp_path: Path) -> None:
    """A post-processor that trims offsets leaves the spaces at a token's ends out of its span.

    KIND: unit
    CHECKS: spans of "a a  x" with trim_offsets true, with false, and without a post-processor
    WHY: spans of words are compared with labels, which hold no spaces
    CATCHES: s77
    """
    for trims, post_processor in (
        (True, BYTE_LEVEL),
        (False, {**BYTE_LEVEL, "trim_offsets": False}),
        (False, None),
    ):
        encoder = load(tmp_path, post_processor=post_processor)
        assert encoder.encode_with_offsets("a a") == [(A, 0, 1), (302, 2 if trims else 1, 3)]
        assert encoder.encode_with_offsets(" ") == [(SPACE, 1 if trims else 0, 1)]


def test_added_tokens(tmp_path: Path) -> None:
    """Added tokens that are special match where they are allowed; the others match always.

    KIND: unit
    CHECKS: both kinds, in the vocabulary and out of it; the others before and behind ordinary text; the size
    WHY: personal data in OLMo's corpora was replaced by such tokens
    CATCHES: s49 s23 s43 m11
    """
    tokens = [added("<s>", 400), added("|||X|||", 401, special=False), added("ab", 402, special=False, normalized=True)]
    encoder = load(tmp_path, added_tokens=tokens, model_vocab={**byte_ids(), "<s>": 400}, model_merges=[])
    assert encoder.encode("x|||X|||<s>ab") == [X, 401, 27, 82, 29, 402]
    assert encoder.encode("x|||X|||<s>ab", allowed_special="all") == [X, 401, 400, 402]
    assert encoder.decode([X, 401, 400, 402]) == "x|||X|||<s>ab"
    assert encoder.encode_with_offsets("|||X|||abx") == [(401, 0, 7), (402, 7, 9), (X, 9, 10)]
    assert (encoder.vocab_size, encoder.special_ids) == (403, {"<s>": 400})


def test_added_tokens_that_are_not_normalized_come_first(tmp_path: Path) -> None:
    """What is looked for in the text as it stands is found before what is looked for in the normalized text.

    KIND: boundary
    CHECKS: "aXb" with "aX" normalized and "Xb" not: the second wins, though it begins later
    WHY: tokenizers goes through the text twice
    CATCHES: s78
    """
    tokens = [added("aX", 400, special=False, normalized=True), added("Xb", 401, special=False)]
    assert load(tmp_path, added_tokens=tokens).encode("aXb") == [A, 401]


def test_bytes_that_the_vocabulary_lacks(tmp_path: Path) -> None:
    """A missing byte is an error when it is met, unless the caller asks to drop it.

    KIND: boundary
    CHECKS: without 0x0D: the file loads; "\\r" is a ValueError naming the byte; missing="drop" gives what remains,
        whose neighbours merge, and whose spans are those of the text
    WHY: tokenizers drops it without a word, and the text comes back shorter
    CATCHES: s37 s38 s79
    """
    vocabulary = {token: number for token, number in TOKENS.items() if token != "\u010d"}
    strict = load(tmp_path, model_vocab=vocabulary)
    with pytest.raises(ValueError) as caught:
        strict.encode("a\r\n\r\n")
    assert [name for name in ("0x0D", "0x0d", "13", "\\r") if name in str(caught.value)] != []
    lenient = load(tmp_path, missing="drop", model_vocab=vocabulary, pre_tokenizer=NO_REGEX)
    assert strict.encode("a\n\n") == [A, 303]  # kept: what refuses everything must not pass
    for text, ids in (("a\r\n\r\n", [A, 303]), ("\r", [])):
        assert lenient.encode(text) == ids
    assert lenient.encode_with_offsets("\ra\r\u010d") == [(A, 1, 2), (128, 3, 4), (235, 3, 4)]


def test_what_lies_outside_is_refused_by_name(tmp_path: Path) -> None:
    """A file that asks for more than is understood here is refused, by the name of what it asks for.

    KIND: boundary
    CHECKS: ValueError naming it: a normalizer, truncation, padding, ignore_merges, byte_fallback, an unknown token,
        dropout, prefixes and suffixes, other models, pre-tokenizers, post-processors and decoders, stripping tokens
    WHY: ids that are nearly right are found out late
    CATCHES: s48 s80
    """
    strange = {"type": "Metaspace", "replacement": "_"}
    for name, changes in (
        ("NFC", {"normalizer": {"type": "NFC"}}),
        ("truncation", {"truncation": {"max_length": 8}}),
        ("padding", {"padding": {"strategy": "BatchLongest"}}),
        ("ignore_merges", {"model_ignore_merges": True}),
        ("byte_fallback", {"model_byte_fallback": True}),
        ("unk_token", {"model_unk_token": "<unk>"}),
        ("dropout", {"model_dropout": 0.1}),
        ("continuing_subword_prefix", {"model_continuing_subword_prefix": "##"}),
        ("end_of_word_suffix", {"model_end_of_word_suffix": "</w>"}),
        ("WordPiece", {"model_type": "WordPiece"}),
        ("Metaspace", {"pre_tokenizer": strange}),
        ("Metaspace", {"pre_tokenizer": sequence(strange, BYTE_LEVEL)}),
        ("Metaspace", {"decoder": strange}),
        ("TemplateProcessing", {"post_processor": {"type": "TemplateProcessing"}}),
        ("MergedWithNext", {"pre_tokenizer": split({"Regex": "b"}, "MergedWithNext", invert=False)}),
        ("pre_tokenizer", {"pre_tokenizer": None}),
        ("lstrip", {"added_tokens": [added("<s>", 400, lstrip=True)]}),
        ("single_word", {"added_tokens": [added("<s>", 400, single_word=True)]}),
    ):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, **changes)
        assert name in str(caught.value).replace(str(tmp_path), "")


def test_faults_of_a_file_are_named(tmp_path: Path) -> None:
    """Where a file contradicts itself, the error names the file and the value.

    KIND: boundary
    CHECKS: ValueError for a shared id, an id that is none, a merge of unknown tokens or of three, an empty added token
    WHY: files are edited by hand, and the error is all that the editor sees
    CATCHES: s42
    """
    for value, changes in (
        ("300", {"model_vocab": {**TOKENS, "zz": 300}}),
        ("-1", {"model_vocab": {**TOKENS, "zz": -1}}),
        ("zz", {"model_merges": ["z z"]}),
        ("zz", {"model_merges": [["z", "z"]]}),
        ("a b c", {"model_merges": ["a b c"]}),
        ("", {"added_tokens": [added("", 400)]}),
        ("300", {"added_tokens": [added("<s>", 300)]}),
    ):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, **changes)
        # Folders have numbers of their own.
        assert value in str(caught.value).replace(str(tmp_path), "")


def test_an_error_names_the_file_and_the_key(tmp_path: Path) -> None:
    """Whatever is wrong with a file, the error says in which file and at which key.

    KIND: boundary
    CHECKS: ValueError naming tokenizer.json and the key: parts of another kind, unknown types, merges that are none or
        stand twice, ids that are none or another token's, tokens in no alphabet, switches that are neither true nor
        false, patterns that do not compile, a key that stands twice, two ByteLevels or none
    WHY: such a file has a hundred thousand lines
    CATCHES: -
    """
    split_by = {"type": "Split", "behavior": "Isolated", "invert": False}
    for key, changes in (
        ("model", {"model": 7}),
        ("model", {"model": None}),
        ("type", {"model_type": "WordPiece"}),
        ("vocab", {"model_vocab": ["a"]}),
        ("vocab", {"model_vocab": None}),
        ("vocab", {"model_vocab": {**TOKENS, "a b": 400}}),
        ("zz", {"model_vocab": {**TOKENS, "zz": 2.0}}),
        ("merges", {"model_merges": 7}),
        ("merges", {"model_merges": ["ab"]}),
        ("merges", {"model_merges": [" b"]}),
        ("merges", {"model_merges": ["b "]}),
        ("merges", {"model_merges": [7]}),
        ("merges", {"model_merges": ["a b", ["a", 7]]}),
        ("merges", {"model_merges": [["a", ""]]}),
        ("merges", {"model_merges": [["a"]]}),
        ("merges", {"model_merges": [["a", "b", "a"]]}),
        ("merges", {"model_merges": [{"a": 0, "b": 1}]}),
        ("merges", {"model_merges": ["a x"]}),
        ("merges", {"model_merges": ["a b", "1 2", ["a", "b"]]}),
        ("added_tokens", {"added_tokens": 7}),
        ("added_tokens", {"added_tokens": [7]}),
        ("added_tokens", {"added_tokens": [added("<s>", 300)]}),
        ("added_tokens", {"added_tokens": [added("<s>", 400), added("<t>", 400)]}),
        ("added_tokens", {"added_tokens": [added("ab", 400)]}),
        ("content", {"added_tokens": [added("", 400)]}),
        ("content", {"added_tokens": [{**added("x", 400), "content": 7}]}),
        ("content", {"added_tokens": [{**added("x", 400), "content": ["x"]}]}),
        ("id", {"added_tokens": [{**added("x", 400), "id": None}]}),
        ("id", {"added_tokens": [{**added("x", 400), "id": True}]}),
        ("rstrip", {"added_tokens": [added("<s>", 400, rstrip=True)]}),
        ("special", {"added_tokens": [added("<s>", 400, special="yes")]}),
        ("normalized", {"added_tokens": [added("<s>", 400, normalized=1)]}),
        ("pre_tokenizer", {"pre_tokenizer": 7}),
        ("pre_tokenizer", {"pre_tokenizer": sequence()}),
        ("pre_tokenizer", {"pre_tokenizer": sequence(BYTE_LEVEL, BYTE_LEVEL)}),
        ("pre_tokenizer", {"pre_tokenizer": sequence(BYTE_LEVEL, {"type": "Digits", "individual_digits": True})}),
        ("pre_tokenizer", {"pre_tokenizer": sequence({"type": "Digits", "individual_digits": True})}),
        ("pretokenizers", {"pre_tokenizer": {"type": "Sequence", "pretokenizers": 7}}),
        ("pretokenizers", {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [7]}}),
        ("add_prefix_space", {"pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": "no"}}),
        ("use_regex", {"pre_tokenizer": {**BYTE_LEVEL, "use_regex": 0}}),
        ("individual_digits", {"pre_tokenizer": sequence({"type": "Digits", "individual_digits": 1}, BYTE_LEVEL)}),
        ("invert", {"pre_tokenizer": sequence({**split_by, "pattern": {"Regex": "b"}, "invert": "no"}, NO_REGEX)}),
        ("trim_offsets", {"post_processor": {**BYTE_LEVEL, "trim_offsets": "yes"}}),
        ("type", {"pre_tokenizer": {"type": "Whitespace"}}),
        ("pattern", {"pre_tokenizer": sequence({**split_by, "pattern": "b"}, NO_REGEX)}),
        ("pattern", {"pre_tokenizer": sequence({**split_by, "pattern": {"Glob": "b"}}, NO_REGEX)}),
        ("pattern", {"pre_tokenizer": sequence({**split_by, "pattern": {"Regex": "("}}, NO_REGEX)}),
        ("behavior", {"pre_tokenizer": split({"Regex": "b"}, "Contiguous", invert=False)}),
        ("decoder", {"decoder": 7}),
        ("decoder", {"decoder": {"type": "WordPiece"}}),
        ("post_processor", {"post_processor": 7}),
        ("post_processor", {"post_processor": {"type": "RobertaProcessing"}}),
        ("normalizer", {"normalizer": {"type": "Lowercase"}}),
        ("fuse_unk", {"model_fuse_unk": True}),
    ):
        with pytest.raises(ValueError) as caught:
            load(tmp_path, **changes)
        said = str(caught.value).replace(str(tmp_path), "")
        assert [word for word in ("tokenizer.json", key) if word not in said] == []
    path = tmp_path / "twice.json"
    for text, word in (('{"model": {"type": "BPE", "type": "BPE"}}', "type"), ("[]", ""), ("\n\n{", "3")):
        path.write_text(text)
        with pytest.raises(ValueError) as caught:
            load_tokenizer_json(path)
        said = str(caught.value).replace(str(tmp_path), "")
        assert [named for named in ("twice.json", word) if named not in said] == []


def test_what_may_be_left_out(tmp_path: Path) -> None:
    """Keys that older and leaner files lack have the meaning that Hugging Face gives them.

    KIND: boundary
    CHECKS: no kind of model, no use_regex (which is then true), no decoder, no post-processor, no added tokens, and
        null or "" for what is not asked for
    WHY: a reader that is stricter than the library that wrote the file reads half the files
    CATCHES: -
    """
    lean = document(pre_tokenizer={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True})
    for key in ("truncation", "padding", "normalizer", "decoder", "post_processor", "added_tokens"):
        del lean[key]
    del lean["model"]["type"]
    lean["model"] |= {"dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": None}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(lean))
    encoder = load_tokenizer_json(path)
    assert encoder.encode("x\n\na ab") == [X, 198, 198, A, SPACE, 300]
    assert encoder.decode([300, SPACE]) == "ab "
    assert encoder.encode_with_offsets(" ab") == [(SPACE, 0, 1), (300, 1, 3)]


FIELDS: dict[str, set[str]] = {
    "Digits": {"type", "individual_digits"},
    "Split": {"type", "pattern", "behavior", "invert"},
    "ByteLevel": {"type", "add_prefix_space", "trim_offsets"},
    "Sequence": {"type", "pretokenizers"},
}
"""What Hugging Face needs to find in each part; without one of them it refuses the file."""
KNOWN = set(document()) | {"post_processor"}
MODEL = {"type", "vocab", "merges", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"}
MODEL |= {"fuse_unk", "byte_fallback", "ignore_merges"}


def what_is_missing(part: Any) -> list[str]:
    """Fields that a saved part lacks, and types and behaviours that nobody knows."""
    if part is None:
        return []
    found = [f"{part.get('type')}: {field}" for field in FIELDS.get(part.get("type"), {"type"}) if field not in part]
    found += [f"type {part['type']}"] * (part["type"] not in FIELDS)
    flags = ("individual_digits", "invert", "add_prefix_space", "trim_offsets", "use_regex")
    found += [f"{flag} {part[flag]}" for flag in flags if flag in part and type(part[flag]) is not bool]
    if part["type"] == "Split":
        found += [f"behavior {part['behavior']}"] * (part["behavior"] not in ("Isolated", "Removed"))
    return found + [fault for step in part.get("pretokenizers", []) for fault in what_is_missing(step)]


def test_a_saved_file_has_the_form_that_hugging_face_reads(tmp_path: Path) -> None:
    """A saved file has every field without which Hugging Face refuses it, and none that it does not know.

    KIND: unit
    CHECKS: keys and types of the whole document, of the model, of every step and of every added token; the decoder
    WHY: a file that only its writer can read is no file format
    CATCHES: s61
    """
    path = tmp_path / "saved.json"
    tokens = [added("<s>", 400), added("<t>", 401, special=False, normalized=True)]
    pattern = split({"Regex": "b"}, "Removed", invert=False)
    save_tokenizer_json(load(tmp_path, added_tokens=tokens, pre_tokenizer=pattern, post_processor=BYTE_LEVEL), path)
    saved = json.loads(path.read_bytes())
    assert (set(saved) - KNOWN, set(saved["model"]) - MODEL) == (set(), set())
    assert (saved["version"], saved["model"].get("type", "BPE")) == ("1.0", "BPE")
    for part in (saved["pre_tokenizer"], saved["post_processor"], saved["decoder"]):
        assert what_is_missing(part) == []
    assert (saved["decoder"]["type"], saved["post_processor"]["type"]) == ("ByteLevel", "ByteLevel")
    for written, token in zip(sorted(saved["added_tokens"], key=lambda one: one["id"]), tokens, strict=True):
        assert written == token
    # Hugging Face gives an added token that is not in the vocabulary a number of its own.
    assert saved["model"]["vocab"]["<s>"] == 400  # kept: nothing else here looks at the vocabulary
    save_tokenizer_json(Encoder(TOKENS, []), path)
    plain = json.loads(path.read_bytes())
    for key in ("pre_tokenizer", "post_processor", "decoder"):
        assert what_is_missing(plain.get(key)) == []


def test_every_pipeline_survives_saving(tmp_path: Path) -> None:
    """A saved file cuts and counts as the tokenizer did that was saved.

    KIND: unit
    CHECKS: ids and spans under each way to cut, with and without trimmed spans, before and after
    WHY: what is lost in saving is found by whoever loads it, years later
    CATCHES: -
    """
    path = tmp_path / "saved.json"
    digits = {"type": "Digits", "individual_digits": True}
    prefix = {**BYTE_LEVEL, "add_prefix_space": True}
    steps = [
        *(split({"Regex": "b"}, behavior, invert) for behavior in ("Isolated", "Removed") for invert in (True, False)),
        *(sequence(digits, one) for one in (BYTE_LEVEL, NO_REGEX, prefix, {**prefix, "use_regex": False})),
        *(BYTE_LEVEL, NO_REGEX, prefix),
    ]
    for pre_tokenizer in steps:
        for post_processor in (None, BYTE_LEVEL):
            encoder = load(tmp_path, pre_tokenizer=pre_tokenizer, post_processor=post_processor)
            save_tokenizer_json(encoder, path)
            loaded = load_tokenizer_json(path)
            for text in ("x 12ab a\n\nbab", "12", " a", ""):
                assert loaded.encode_with_offsets(text) == encoder.encode_with_offsets(text)


def test_a_saved_tokenizer_loads_to_the_same_ids(tmp_path: Path) -> None:
    """Saving and loading changes no id, whatever the tokenizer was made from.

    KIND: unit
    CHECKS: GPT-2's slice, the file of SmolLM2's make and one with a prefix space, saved, loaded and asked
    WHY: a tokenizer that cannot be handed on is a private language
    CATCHES: s61
    """
    specials = {"<|endoftext|>": 50256}
    path = tmp_path / "saved.json"
    for encoder in (
        Encoder(gpt2_slice().ids, gpt2_slice().merges, special_tokens=specials),
        load_tokenizer_json(smol_tokenizer_json()),
        load(tmp_path, pre_tokenizer={**BYTE_LEVEL, "add_prefix_space": True}),
    ):
        save_tokenizer_json(encoder, path)
        loaded = load_tokenizer_json(path)
        assert (loaded.vocab_size, loaded.special_ids) == (encoder.vocab_size, encoder.special_ids)
        for text in (
            "hello world's 2019",
            "a    b|||EMAIL|||",
            "<|endoftext|> Stra\xdfe",
            "\u0939\u093f \U0001f600\n\n",
            "",
        ):
            for allowed in ((), "all"):
                assert loaded.encode(text, allowed_special=allowed) == encoder.encode(text, allowed_special=allowed)
