"""Byte-level byte pair encoding: GPT-2's tokenizer, and loaders for published vocabularies of the same make.

Text is cut into pieces by a pattern. The UTF-8 bytes of each piece are written in GPT-2's alphabet (your own byte
map), one character a byte. Neighbouring symbols are merged: the known pair of lowest rank first, of its occurrences
the leftmost first, again and again until no known pair is left. The symbols are looked up in the vocabulary. Decoding
joins the bytes of all tokens before it reads them as UTF-8.

An id is anything with `__index__` except a bool. Where a ValueError is asked for, a subclass will do.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, SupportsIndex

def pretokenize(text: str) -> list[str]:
    r"""Cut text by the pattern of GPT-2, written for the `regex` package.

        's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

    text: any text, possibly empty.
    Returns pieces that are not empty and, joined, are the text.
    """

def get_pairs(word: Sequence[str]) -> set[tuple[str, str]]:
    """Return the pairs of symbols that are neighbours in word, each once; none for fewer than two symbols."""

class Encoder:
    """A tokenizer over one vocabulary.

    Two encoders share nothing, and nothing that a caller does to a result shows later.

    Attributes, as in the official code: `encoder` (token to id), `decoder` (id to token), `bpe_ranks` (pair to rank,
    from 0), `byte_encoder` (byte to character), `byte_decoder` (character to byte), `errors`.
    """

    def __init__(
        self,
        encoder: Mapping[str, int],
        bpe_merges: Iterable[Sequence[str]],
        errors: str = "replace",
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        """Make an encoder.

        encoder: token in GPT-2's alphabet to id; ids may have gaps and any order. Special tokens may be among them.
        bpe_merges: pairs of symbols, the lowest rank first. errors: what decoding does with bytes that are not UTF-8,
        a name that `bytes.decode` knows. special_tokens: text to id. Raises ValueError where two tokens have one id
        (the message names it), a special token and its text disagree on the id, or a special token is empty.
        """

    @property
    def vocab_size(self) -> int:
        """The highest id plus one, special tokens included; 0 for an empty vocabulary."""

    @property
    def special_ids(self) -> dict[str, int]:
        """Text to id of the special tokens. The caller may change it."""

    def bpe(self, token: str) -> str:
        """Merge the characters of token, which is written in GPT-2's alphabet.

        Returns the symbols that are left, joined by single spaces; "" for "". A long token takes little more than
        proportionally long, and no deep recursion.
        """

    def encode(self, text: str, allowed_special: Collection[str] | Literal["all"] = ()) -> list[int]:
        """Return the ids of text; the empty text has none.

        allowed_special: special tokens whose text stands for their id wherever it occurs, at one place the longest;
        "all"
            for all of them. The text of any other special token is ordinary text. Text between special tokens is
            encoded as if it stood alone.
        Raises TypeError for anything but a str; ValueError for a lone surrogate (the message holds its index), a byte
        that has no token (the message names the byte), or an allowed_special that names no special token (the message
        names it).
        """

    def encode_with_offsets(
        self, text: str, allowed_special: Collection[str] | Literal["all"] = ()
    ) -> list[tuple[int, int, int]]:
        """Return (id, start, end) for each id of encode: the token stands for text[start:end], counted in characters.

        A token that starts or ends inside a character covers the whole of it.
        Raises what encode raises.
        """

    def decode_bytes(self, ids: Iterable[SupportsIndex]) -> bytes:
        """Return the bytes of ids, joined; a special token gives the UTF-8 of its text.

        Raises TypeError for what is no id; ValueError for an id that the vocabulary lacks (the message names it).
        """

    def decode(self, ids: Iterable[SupportsIndex], errors: str | None = None) -> str:
        """Return the bytes of ids read as UTF-8.

        errors: as in `bytes.decode`; None means the encoder's own.
        Raises what decode_bytes raises, and ValueError for bytes that are not UTF-8 under "strict".
        """

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the token in GPT-2's alphabet, a special token as its text; errors as in decode_bytes."""

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token written as id_to_token writes it; None where there is none."""

class StreamDecoder:
    """Shows text as its ids come. What it shows, flush included, is what encoder.decode gives for all ids at once."""

    def __init__(self, encoder: Encoder) -> None:
        """Start a stream; several streams over one encoder do not disturb each other."""

    def push(self, token_id: SupportsIndex) -> str:
        """Return the text that this id completes, possibly "": never half a character, never less than is certain.

        Raises for a bad id as encoder.decode does; the stream then goes on as if the id had not come.
        """

    def flush(self) -> str:
        """Return what is left, an unfinished character as encoder.errors has it; the stream begins anew."""

def get_encoder(model_dir: str | os.PathLike[str]) -> Encoder:
    """Load encoder.json and vocab.bpe from a folder; as load_gpt2."""

def load_gpt2(
    encoder_json: str | os.PathLike[str],
    vocab_bpe: str | os.PathLike[str],
    *,
    missing: Literal["error", "drop"] = "error",
) -> Encoder:
    """Load the two files of OpenAI's release; <|endoftext|> is a special token if the vocabulary has it.

    encoder_json: a JSON object from token to id, in UTF-8. vocab_bpe: two tokens a line with one ASCII space between,
    in order of rank, in UTF-8; lines end in LF or CRLF, the last
        perhaps in neither. A first line that begins with #version is no merge; any other that begins with # is.
    missing: "error", or "drop" to leave out bytes that the vocabulary lacks, before merging. Raises ValueError naming
    the file, and the line where there are lines, for: a byte order mark; what is not UTF-8 or not JSON; an id that is
    no integer from 0 up; an id or a key that stands twice; a line that is no merge; a merge whose two tokens or whose
    product the vocabulary lacks; a merge that stands twice.
    """

def load_tiktoken(
    path: str | os.PathLike[str],
    pattern: str,
    special_tokens: Mapping[str, int],
    *,
    missing: Literal["error", "drop"] = "error",
) -> Encoder:
    """Load a tiktoken file: on each line a token in base64, a space and its rank, which is its id.

    The merges are recovered from the ranks: what made a token is what the lower ranks leave of its bytes, if that is
    two tokens; a token of which they leave more is never made. pattern: for the `regex` package; text that it does
    not match is left out. special_tokens: text to id. Raises ValueError naming the file and the line for what is not
    strictly base64, an empty token, a rank that is no number from 0 up, a token or a rank that stands twice; and as
    load_gpt2 for byte order marks and UTF-8.
    """

def load_tokenizer_json(path: str | os.PathLike[str], *, missing: Literal["error", "drop"] = "error") -> Encoder:
    """Load a byte-level BPE from Hugging Face's tokenizer.json.

    Understood: pre-tokenizers ByteLevel (add_prefix_space, use_regex), Digits, Split (Regex or String; Isolated or
    Removed; invert) and sequences of them with ByteLevel last; merges as "a b" or ["a", "b"]; added tokens, of which
    those that are not special match in any text, and those that are not normalized are looked for first; a ByteLevel
    post-processor, whose trim_offsets leaves spaces at either end out of spans; a ByteLevel decoder or none. Raises
    ValueError naming the file, the key and the value for anything else that would change ids, a normalizer above all,
    and for faults of the vocabulary and the merges as load_gpt2 does.
    """

def save_tiktoken(encoder: Encoder, path: str | os.PathLike[str]) -> None:
    """Write every token that is not added, and its id, for load_tiktoken.

    Raises ValueError where load_tiktoken would recover other merges.
    """

def save_tokenizer_json(encoder: Encoder, path: str | os.PathLike[str]) -> None:
    """Write a tokenizer.json from which load_tokenizer_json, and Hugging Face, give the same ids.

    Raises ValueError for a pattern that means something else to Hugging Face's engine.
    """
