"""The reference equals tiktoken and tokenizers: on single tokens, on joins, on the strategies, on published files."""

import json
import random

import pytest
from hypothesis import Phase, given, seed, settings

from harness.bytelevel import bpe_strategies as bpe
from harness.bytelevel.oracles import (
    PUBLISHED,
    gpt2_pieces,
    merged,
    published_encoding,
    tiktoken_gpt2,
    tiktoken_published,
    tiktoken_slice,
    tokenizers_of_file,
)
from harness.bytelevel.small_vocabularies import gpt2_slice, smol_tokenizer_json
from harness.bytelevel.unicode_versions import agreed, describe, disagreements, scalar_values
from harness.bytelevel.vocab import DOLMA2, OLMO_NEOX, PIX2TEX, SMOLLM2, MissingData, gpt2_files, locate
from tinyllm.tok.bpe import (
    Encoder,
    get_encoder,
    load_tiktoken,
    load_tokenizer_json,
    pretokenize,
    save_tiktoken,
    save_tokenizer_json,
)

SPECIAL = {"<|endoftext|>": 50256}


@pytest.fixture(scope="module")
def reference():
    return get_encoder(gpt2_files().vocab_bpe.parent)


@pytest.fixture(scope="module")
def oracle():
    return tiktoken_gpt2()


def file_or_skip(file):
    try:
        return locate(file)
    except MissingData as problem:
        pytest.skip(str(problem))


def hard_texts(count, chosen=0):
    """What the text strategies give together, the same on every run."""
    texts = bpe.characters_in_context() | bpe.blank_runs() | bpe.contractions() | bpe.mixed_alphabets()
    drawn = []

    @seed(chosen)
    @settings(max_examples=count, phases=[Phase.generate], database=None, deadline=None)
    @given(text=texts | bpe.texts_of_tokens() | bpe.runs_of_one_piece(longest=257))
    def collect(text):
        drawn.append(text)

    collect()
    return drawn


def differing(texts, one, other):
    return [text for text in texts if one(text) != other(text)]


def test_the_reference_has_the_bytes_of_every_token_of_gpt2(reference, oracle):
    token_bytes = oracle.token_bytes()
    assert [number for number in token_bytes if reference.decode_bytes([number]) != token_bytes[number]] == []


def test_the_reference_encodes_every_token_of_gpt2_as_tiktoken_does(reference, oracle):
    texts = [token.decode("utf-8", "replace") for token in oracle.token_bytes().values()]
    assert differing(texts, reference.encode, oracle.encode) == []


def test_the_reference_encodes_joins_of_two_tokens_as_tiktoken_does(reference, oracle):
    """A tenth of what `benchmarks/bpe_equality.py` tries."""
    tokens = list(oracle.token_bytes().values())
    chance = random.Random(2019)
    joins = (b"".join(chance.choices(tokens, k=2)).decode("utf-8", "replace") for _ in range(10_000))
    assert differing(joins, reference.encode, oracle.encode) == []


def test_the_reference_encodes_what_the_strategies_draw_as_tiktoken_does(reference, oracle):
    assert differing(hard_texts(1500), reference.encode, oracle.encode) == []


def test_the_reference_cuts_every_character_in_context_as_tokenizers_does():
    """All scalar values but those on which the two engines know different versions of Unicode."""
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed (extra `oracles`)")
    cut = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str
    characters = agreed(scalar_values(step=7))
    for start in range(0, len(characters), 5000):
        text = "".join(f"a{one} {one}1{one}'s{one}" for one in characters[start : start + 5000])
        assert [text[first:last] for _, (first, last) in cut(text)] == pretokenize(text)


def test_the_pattern_of_the_reference_is_that_of_tiktoken():
    assert differing(hard_texts(300, chosen=1), pretokenize, gpt2_pieces) == []


def test_the_engines_disagree_only_where_one_knows_no_character():
    """A difference is a matter of versions, and nobody's fault: the older engine takes the character for unassigned."""
    disputed = disagreements(scalar_values())
    assert disputed[r"\s"] == frozenset()
    for characters in disputed.values():
        assert all(line.startswith("U+") for line in describe(characters))
        assert sum(int(line.partition("(")[2].partition(")")[0]) for line in describe(characters)) == len(characters)


def test_the_slice_is_a_part_of_gpt2(reference):
    small = gpt2_slice()
    assert small.ids.items() <= reference.encoder.items()
    ranks = [reference.bpe_ranks[pair] for pair in small.merges]
    assert ranks == sorted(ranks)


def test_tiktoken_over_the_slice_is_what_the_slow_model_gives():
    small = gpt2_slice()
    encoder = Encoder(small.ids, small.merges)
    for text in hard_texts(60, chosen=2):
        pieces = ["".join(encoder.byte_encoder[byte] for byte in piece.encode()) for piece in gpt2_pieces(text)]
        ids = [small.ids[symbol] for piece in pieces for symbol in merged(piece, small.merges)]
        assert tiktoken_slice().encode(text) == ids


# --- files that others published ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_ranks_of_tiktoken_load_to_tiktokens_ids(name):
    path = file_or_skip(PUBLISHED[name])
    encoding, oracle = published_encoding(name), tiktoken_published(name)
    encoder = load_tiktoken(path, encoding._pat_str, encoding._special_tokens)
    assert encoder.vocab_size == encoding.n_vocab
    disputed = "".join(frozenset().union(*disagreements(scalar_values()).values()))
    texts = [text for text in hard_texts(400, chosen=3) if not set(text) & set(disputed)]
    assert differing(texts, encoder.encode, oracle.encode) == []
    tokens = list(oracle.token_bytes().values())[::37]
    assert differing((token.decode("utf-8", "replace") for token in tokens), encoder.encode, oracle.encode) == []


@pytest.mark.parametrize("file", [None, SMOLLM2, DOLMA2, PIX2TEX], ids=["synthetic", "smollm2", "dolma2", "pix2tex"])
def test_a_tokenizer_json_loads_to_the_ids_of_tokenizers(file, tmp_path):
    pytest.importorskip("tokenizers", reason="tokenizers is not installed (extra `oracles`)")
    path = smol_tokenizer_json() if file is None else file_or_skip(file)
    encoder = load_tokenizer_json(path, missing="drop")
    texts = [*hard_texts(400, chosen=4), "x<|endoftext|>y |||EMAIL||| |||PHONE_NUMBER|||<|im_start|>", "[PAD][BOS]a"]
    encode = tokenizers_of_file(path)
    assert differing(texts, lambda text: encoder.encode(text, allowed_special="all"), encode) == []
    saved = tmp_path / "saved.json"
    save_tokenizer_json(encoder, saved)
    assert differing(texts, tokenizers_of_file(saved), encode) == []


def test_gpt2_saved_for_hugging_face_gives_the_same_ids(reference, tmp_path):
    pytest.importorskip("tokenizers", reason="tokenizers is not installed (extra `oracles`)")
    save_tokenizer_json(reference, tmp_path / "gpt2.json")
    assert differing(hard_texts(300, chosen=5), tokenizers_of_file(tmp_path / "gpt2.json"), reference.encode) == []


def test_gpt2_saved_as_ranks_loads_to_the_same_merges(reference, tmp_path):
    save_tiktoken(reference, tmp_path / "gpt2.tiktoken")
    loaded = load_tiktoken(tmp_path / "gpt2.tiktoken", r"(?s:.+)", SPECIAL)
    assert list(loaded.bpe_ranks) == list(reference.bpe_ranks)


def test_a_file_with_a_normalizer_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"normalizer.*NFC"):
        load_tokenizer_json(file_or_skip(OLMO_NEOX))


def test_a_pattern_that_hugging_face_reads_otherwise_is_neither_loaded_nor_saved(tmp_path):
    """A counted repetition followed by + is possessive to `regex`, and a repetition of itself to Oniguruma."""
    possessive = r"\p{N}{1,3}+|[^\p{N}]+"
    document = json.loads(smol_tokenizer_json().read_bytes())
    split = {"type": "Split", "pattern": {"Regex": possessive}, "behavior": "Isolated", "invert": False}
    document["pre_tokenizer"]["pretokenizers"][0] = split
    (tmp_path / "possessive.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match="counted repetition"):
        load_tokenizer_json(tmp_path / "possessive.json")
    (tmp_path / "one.tiktoken").write_bytes(b"MQ== 0\n")
    with pytest.raises(ValueError, match="counted repetition"):
        save_tokenizer_json(load_tiktoken(tmp_path / "one.tiktoken", possessive, {}), tmp_path / "no.json")


# --- cost ---------------------------------------------------------------------------------------------------------


def test_pieces_of_two_hundred_thousand_characters_have_tiktokens_ids(reference, oracle):
    for text in ("a" * 200_000, " " * 200_000, "Z" * 131_072 + "."):
        assert reference.encode(text) == oracle.encode(text)
