"""Byte-level byte pair encoding: GPT-2's, and every published vocabulary of the same make.

Text is cut into pieces by a pattern; the UTF-8 bytes of a piece are written in GPT-2's alphabet, one
character each; neighbouring symbols are merged by rank until no known pair is left; the symbols are looked up.
Source: `src/encoder.py` of openai/gpt-2.
"""

import codecs
import operator
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import Literal, SupportsIndex, TypeAlias

import regex

from tinyllm.tok.bpe_files import (
    GPT2_SPLIT,
    GPT2_STEPS,
    AddedToken,
    PrefixSpace,
    Split,
    Step,
    TokenizerData,
    merges_of_ranks,
    read_merges,
    read_ranks,
    read_tokenizer_json,
    read_vocabulary,
    spell,
    write_ranks,
    write_tokenizer_json,
)
from tinyllm.tok.bytes_unicode import bytes_to_unicode, unicode_to_bytes

Missing: TypeAlias = Literal["error", "drop"]
_Part: TypeAlias = tuple[str, int, int | None]
"""Text, where it starts, and its id where it is an added token."""

END_OF_TEXT = "<|endoftext|>"
MEMO_ENTRIES = 1 << 18
MEMO_CHARACTERS = 64
"""Pieces longer than this are rare, and would fill a memory with what nobody asks for again."""


def pretokenize(text: str) -> list[str]:
    """Cut `text` into pieces by GPT-2's pattern; joined, they are the text."""
    pieces: list[str] = regex.findall(GPT2_SPLIT, text)
    return pieces


def get_pairs(word: Sequence[str]) -> set[tuple[str, str]]:
    """Return the pairs of symbols that are neighbours in `word`; none where it has fewer than two."""
    return set(pairwise(word))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that is merged on its own, and where it stands."""

    text: str
    start: int
    """Index in the whole text, in characters."""
    prefixed: bool = False
    """The first character was put there and stands nowhere in the whole text."""

    def part(self, start: int, end: int) -> "_Piece":
        """Return the piece between two boundaries of this one, counted in its own characters."""
        return _Piece(self.text[start:end], self.position(start), self.prefixed and start == 0)

    def position(self, character: int) -> int:
        """Return the index in the whole text of a boundary between characters of the piece."""
        return self.start + max(character - self.prefixed, 0)


class Encoder:
    """A byte-level BPE tokenizer.

    `encoder` leads from token to id, both without repetition, tokens in GPT-2's alphabet but for those that are
    special; `bpe_merges` are pairs of symbols by rank; `errors` says how bytes that are not UTF-8 are decoded;
    `special_tokens` leads from text to id. Text is cut by GPT-2's pattern: only the loaders make encoders that cut
    otherwise.
    """

    def __init__(
        self,
        encoder: Mapping[str, int],
        bpe_merges: Iterable[Sequence[str]],
        errors: str = "replace",
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        """Raise ValueError for an id or a pair that stands twice, an empty special token, a token in no alphabet."""
        merges = [(left, right) for left, right in bpe_merges]
        self._set_up(TokenizerData(dict(encoder), merges, _special(special_tokens or {})), errors, "error")

    @classmethod
    def _of(cls, data: TokenizerData, missing: Missing) -> "Encoder":
        """Make an encoder of what a loader has read."""
        made = cls.__new__(cls)
        made._set_up(data, "replace", missing)
        return made

    def _set_up(self, data: TokenizerData, errors: str, missing: Missing) -> None:
        self.encoder = data.vocabulary
        self.decoder = {number: token for token, number in data.vocabulary.items()}
        self.bpe_ranks = {pair: rank for rank, pair in enumerate(data.merges)}
        self.byte_encoder = bytes_to_unicode()
        self.byte_decoder = unicode_to_bytes()
        self.errors = errors
        self._data = data
        self._missing = missing
        self._texts = {token.id: token.text for token in data.added}
        self._bytes: dict[int, bytes] = {}
        self._memo: dict[str, tuple[int, ...]] = {}
        self._check()

    def _check(self) -> None:
        ids_from, added_from = self._data.vocabulary_from, self._data.added_from
        for token, number in self.encoder.items():
            if self.decoder[number] != token:
                message = f"{ids_from}: id {number} belongs to both {token!r} and {self.decoder[number]!r}"
                raise ValueError(message)
        for rank, pair in enumerate(self._data.merges):
            if self.bpe_ranks[pair] != rank:
                message = f"bpe_merges: the merge {pair} has rank {rank} and rank {self.bpe_ranks[pair]}"
                raise ValueError(message)
        for added in self._data.added:
            text, number = added.text, added.id
            if not text:
                message = f"{added_from}: the token with id {number} is empty: it would match everywhere"
                raise ValueError(message)
            for other in (self._texts[number], self.decoder.get(number, text)):
                if other != text:
                    message = f"{added_from}: id {number} belongs to both {other!r} and {text!r}"
                    raise ValueError(message)
            if self.encoder.get(text, number) != number:
                message = f"{added_from}: {text!r} has id {self.encoder[text]} and id {number}"
                raise ValueError(message)
        strange = set("".join(self.encoder)) - set(self.byte_decoder)
        if strange:
            texts = set(self._texts.values())
            for token in self.encoder:
                if token not in texts and not strange.isdisjoint(token):
                    message = f"{ids_from}: token {token!r} holds a character that stands for no byte"
                    raise ValueError(message)

    # --- the vocabulary

    @property
    def vocab_size(self) -> int:
        """The highest id plus one: the rows that an embedding needs, gaps included."""
        return max((*self.decoder, *self._texts), default=-1) + 1

    @property
    def special_ids(self) -> dict[str, int]:
        """Text to id of the special tokens: a new dict each time."""
        return {token.text: token.id for token in self._data.added if token.special}

    def id_to_token(self, token_id: SupportsIndex) -> str:
        """Return the token in GPT-2's alphabet, an added one as its text; ValueError for an unknown id."""
        number = self._known(token_id)
        return self._texts.get(number) or self.decoder[number]

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token written as `id_to_token` writes it; None where there is none."""
        added = {one.text: one.id for one in self._data.added}
        return added.get(token, self.encoder.get(token))

    def _known(self, token_id: SupportsIndex, position: int | None = None) -> int:
        where = "" if position is None else f" at position {position}"
        if isinstance(token_id, bool) or not hasattr(token_id, "__index__"):
            message = f"{token_id!r}{where} is no id: ids are integers"
            raise TypeError(message)
        number = operator.index(token_id)
        if number not in self.decoder and number not in self._texts:
            message = f"id {number}{where} is not in the vocabulary (ids below {self.vocab_size})"
            raise ValueError(message)
        return number

    # --- merging

    def bpe(self, token: str) -> str:
        """Return the symbols into which `token`, written in GPT-2's alphabet, merges, joined by spaces."""
        return " ".join(self._merge(list(token)))

    def _merge(self, symbols: list[str]) -> list[str]:
        """Merge neighbours: all occurrences of the pair of lowest rank, from the left, until no pair is known.

        Symbols are linked to their neighbours; one that was merged into the symbol before it becomes "". For each
        rank, `places` holds where its pair may begin: it may have been broken up since, so each is looked at
        again. Each merge adds two places at most, which makes n log n steps for n symbols.
        """
        end = len(symbols)
        following = list(range(1, end + 1))
        preceding = list(range(-1, end - 1))
        ranks = self.bpe_ranks
        places: defaultdict[int, list[int]] = defaultdict(list)
        for place, pair in enumerate(pairwise(symbols)):
            if (rank := ranks.get(pair)) is not None:
                places[rank].append(place)
        waiting = list(places)
        heapify(waiting)
        while waiting:
            rank = heappop(waiting)
            left, right = self._data.merges[rank]
            merged = []
            for place in sorted(places.pop(rank)):
                after = following[place]
                if after == end or symbols[place] != left or symbols[after] != right:
                    continue
                symbols[place], symbols[after] = left + right, ""
                following[place] = beyond = following[after]
                if beyond < end:
                    preceding[beyond] = place
                merged.append(place)
            for place in merged:
                for first in (preceding[place], place):
                    if first < 0 or following[first] == end:
                        continue
                    rank = ranks.get((symbols[first], symbols[following[first]]))
                    if rank is not None:
                        if rank not in places:
                            heappush(waiting, rank)
                        places[rank].append(first)
        return [symbol for symbol in symbols if symbol]

    def _symbols(self, piece: str) -> list[str]:
        characters = spell(piece.encode("utf-8"), self.byte_encoder)
        if self._missing == "drop":
            # Before merging, as Hugging Face does: the neighbours of a dropped byte become each other's.
            characters = "".join(character for character in characters if character in self.encoder)
        return self._merge(list(characters))

    def _id(self, symbol: str) -> int:
        number = self.encoder.get(symbol)
        if number is None:
            byte = self.byte_decoder.get(symbol)
            what = f"merged symbol {symbol!r}" if byte is None else f"byte 0x{byte:02X}"
            message = f"{what} has no token in this vocabulary (loaders leave bytes out with missing='drop')"
            raise ValueError(message)
        return number

    # --- encoding

    def encode(self, text: str, allowed_special: Collection[str] | Literal["all"] = ()) -> list[int]:
        """Return the ids of `text`, in which a special token is ordinary text unless `allowed_special` names it.

        Raises TypeError for anything but a str; ValueError for a lone surrogate (with its index), a byte that has
        no token, or a name in `allowed_special` that is no special token.
        """
        ids: list[int] = []
        memo = self._memo
        for part, _, added in self._parts(text, allowed_special):
            if added is not None:
                ids.append(added)
                continue
            for piece in self._cut(part):
                known = memo.get(piece)
                ids.extend(self._ids(piece) if known is None else known)
        return ids

    def _ids(self, piece: str) -> tuple[int, ...]:
        ids = tuple(self._id(symbol) for symbol in self._symbols(piece))
        if len(piece) <= MEMO_CHARACTERS and len(self._memo) < MEMO_ENTRIES:
            self._memo[piece] = ids
        return ids

    def encode_with_offsets(
        self, text: str, allowed_special: Collection[str] | Literal["all"] = ()
    ) -> list[tuple[int, int, int]]:
        """Return `(id, start, end)` for each id of `encode`: the token stands for `text[start:end]`.

        A token that starts or ends inside a character covers the whole of it; so the tokens of one character
        have one span.
        """
        found: list[tuple[int, int, int]] = []
        for part, start, added in self._parts(text, allowed_special):
            if added is not None:
                found.append((added, start, start + len(part)))
                continue
            for piece in self._pieces(_Piece(part, start)):
                found.extend(self._spans(piece))
        return [self._trimmed(text, *one) for one in found] if self._data.trim_offsets else found

    def _spans(self, piece: _Piece) -> Iterator[tuple[int, int, int]]:
        # The character of each byte that has a symbol: of all, unless missing ones were dropped.
        owners = [
            character
            for character, letter in enumerate(piece.text)
            for byte in letter.encode("utf-8")
            if self._missing != "drop" or self.byte_encoder[byte] in self.encoder
        ]
        first = 0
        for symbol in self._symbols(piece.text):
            last = first + len(symbol) - 1
            yield self._id(symbol), piece.position(owners[first]), piece.position(owners[last] + 1)
            first = last + 1

    @staticmethod
    def _trimmed(text: str, token_id: int, start: int, end: int) -> tuple[int, int, int]:
        token = text[start:end].lstrip(" ")
        return token_id, end - len(token), end - len(token) + len(token.rstrip(" "))

    # --- cutting

    def _cut(self, text: str) -> list[str]:
        if self._data.steps == GPT2_STEPS:
            return pretokenize(text)
        return [piece.text for piece in self._pieces(_Piece(text, 0))]

    def _pieces(self, whole: _Piece) -> list[_Piece]:
        if self._data.steps == GPT2_STEPS:
            return list(_lined_up(pretokenize(whole.text), whole.start))
        pieces = [whole]
        for step in self._data.steps:
            pieces = [part for piece in pieces for part in _apply(step, piece)]
        return pieces

    def _parts(self, text: str, allowed_special: Collection[str] | Literal["all"]) -> Iterable[_Part]:
        """Return the parts of `text` and where they start: added tokens with their id, the rest with None."""
        _check_text(text)
        allowed = self._allowed(allowed_special)
        matching = [token for token in self._data.added if not token.special or token.text in allowed]
        parts: list[_Part] = [(text, 0, None)]
        for normalized in (False, True):
            ids = {token.text: token.id for token in matching if token.normalized is normalized}
            if ids:
                parts = [found for part in parts for found in _find(ids, part)]
        return parts

    def _allowed(self, allowed_special: Collection[str] | Literal["all"]) -> frozenset[str]:
        known = self.special_ids
        if allowed_special == "all":
            return frozenset(known)
        for name in allowed_special:
            if name not in known:
                message = f"allowed_special: {name!r} is no special token of this vocabulary"
                raise ValueError(message)
        return frozenset(allowed_special)

    # --- decoding

    def decode_bytes(self, ids: Iterable[SupportsIndex]) -> bytes:
        """Return the bytes of `ids`, joined: an added token gives its text.

        An id is anything with `__index__` except a bool (TypeError). Raises ValueError naming an id that the
        vocabulary lacks, and its position.
        """
        return b"".join([self._token_bytes(self._known(one, place)) for place, one in enumerate(ids)])

    def decode(self, ids: Iterable[SupportsIndex], errors: str | None = None) -> str:
        """Return the text of `ids`: their bytes are joined first, then decoded as UTF-8 once, by `errors`."""
        return self.decode_bytes(ids).decode("utf-8", self.errors if errors is None else errors)

    def _token_bytes(self, number: int) -> bytes:
        known = self._bytes.get(number)
        if known is None:
            text = self._texts.get(number)
            token = self.decoder.get(number, "")
            known = bytes(map(self.byte_decoder.__getitem__, token)) if text is None else text.encode("utf-8")
            self._bytes[number] = known
        return known


def _special(texts: Mapping[str, int]) -> tuple[AddedToken, ...]:
    return tuple(AddedToken(text, number, special=True) for text, number in texts.items())


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        message = f"only text is encoded, not {type(text).__name__}"
        raise TypeError(message)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        place = error.start
        message = f"lone surrogate U+{ord(text[place]):04X} at index {place}: UTF-8 cannot write it"
        raise ValueError(message) from error


def _find(ids: Mapping[str, int], part: _Part) -> Iterator[_Part]:
    """Part a part at each text of `ids`: leftmost first, and at one place the longest."""
    text, start, added = part
    if added is not None:
        yield part
        return
    longest_first = sorted(ids, key=len, reverse=True)
    done = 0
    for match in regex.finditer("|".join(map(regex.escape, longest_first)), text):
        if match.start() > done:
            yield text[done : match.start()], start + done, None
        yield match.group(), start + match.start(), ids[match.group()]
        done = match.end()
    if done < len(text):
        yield text[done:], start + done, None


def _apply(step: Step, piece: _Piece) -> Iterator[_Piece]:
    """Yield what one step makes of one piece."""
    if isinstance(step, PrefixSpace):
        prefix = bool(piece.text) and not piece.text.startswith(" ")
        yield _Piece(" " + piece.text, piece.start, prefixed=True) if prefix else piece
        return
    done = 0
    for match in regex.finditer(step.pattern, piece.text):
        start, end = match.span()
        if step.keep != "matches" and start > done:
            yield piece.part(done, start)
        if step.keep != "gaps" and end > start:
            yield piece.part(start, end)
        done = end
    if step.keep != "matches" and done < len(piece.text):
        yield piece.part(done, len(piece.text))


def _lined_up(texts: Iterable[str], start: int) -> Iterator[_Piece]:
    """Yield texts that follow one another without a gap as pieces."""
    for text in texts:
        yield _Piece(text, start)
        start += len(text)


class StreamDecoder:
    """Shows text as its ids come: never half a character, and never later than the bytes allow.

    What it has shown is, with `flush`, what `encoder.decode` gives for all ids at once.
    """

    def __init__(self, encoder: Encoder) -> None:
        """Start with nothing shown; one decoder serves one stream."""
        self._encoder = encoder
        self._pending = codecs.getincrementaldecoder("utf-8")(encoder.errors)

    def push(self, token_id: SupportsIndex) -> str:
        """Return the text that the next id completes, which may be "". Refuses an id as `decode` does."""
        return self._pending.decode(self._encoder.decode_bytes([token_id]))

    def flush(self) -> str:
        """Return what is left, an unfinished character as `encoder.errors` has it, and start anew."""
        try:
            return self._pending.decode(b"", final=True)
        finally:
            self._pending.reset()


# --- files --------------------------------------------------------------------------------------------------


def get_encoder(model_dir: str | os.PathLike[str]) -> Encoder:
    """Load `encoder.json` and `vocab.bpe` from a folder, as OpenAI's code does."""
    folder = Path(model_dir)
    return load_gpt2(folder / "encoder.json", folder / "vocab.bpe")


def load_gpt2(
    encoder_json: str | os.PathLike[str],
    vocab_bpe: str | os.PathLike[str],
    *,
    missing: Literal["error", "drop"] = "error",
) -> Encoder:
    """Load the two files of OpenAI's release; `<|endoftext|>` is a special token where the vocabulary has it."""
    vocabulary = read_vocabulary(encoder_json)
    merges = read_merges(vocab_bpe, vocabulary)
    special = {END_OF_TEXT: vocabulary[END_OF_TEXT]} if END_OF_TEXT in vocabulary else {}
    data = TokenizerData(vocabulary, merges, _special(special), vocabulary_from=str(encoder_json))
    return Encoder._of(data, missing)


def load_tiktoken(
    path: str | os.PathLike[str],
    pattern: str,
    special_tokens: Mapping[str, int],
    *,
    missing: Literal["error", "drop"] = "error",
) -> Encoder:
    """Load a file of ranks, from which the merges are recovered; what `pattern` does not match is left out."""
    ranks = read_ranks(path)
    table = bytes_to_unicode()
    vocabulary = {spell(token, table): rank for token, rank in ranks.items()}
    steps = (Split(pattern, "matches"),)
    data = TokenizerData(vocabulary, merges_of_ranks(ranks), _special(special_tokens), steps)
    return Encoder._of(data, missing)


def load_tokenizer_json(path: str | os.PathLike[str], *, missing: Literal["error", "drop"] = "error") -> Encoder:
    """Load a `tokenizer.json` of Hugging Face: a byte-level BPE without a normalizer."""
    return Encoder._of(read_tokenizer_json(path), missing)


def save_tiktoken(encoder: Encoder, path: str | os.PathLike[str]) -> None:
    """Write the tokens and their ids as ranks; special tokens and the pattern have no place in that format.

    Raises ValueError where a reader would not recover the merges of `encoder`: the ids are then in another order.
    """
    ordinary = encoder.decoder.keys() - encoder._texts
    ranks = {encoder._token_bytes(number): number for number in ordinary}
    if merges_of_ranks(ranks) != encoder._data.merges:
        message = "the ids are not in the order of the merges: a file of ranks cannot say them"
        raise ValueError(message)
    write_ranks(path, ranks)


def save_tokenizer_json(encoder: Encoder, path: str | os.PathLike[str]) -> None:
    """Write a `tokenizer.json` from which Hugging Face, too, gives the ids of `encoder`."""
    write_tokenizer_json(path, encoder._data)
