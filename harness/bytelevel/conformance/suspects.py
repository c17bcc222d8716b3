"""Builds that people make by mistake, each as a function, so that a difference can be told by whom it looks like.

A suspect answers as a tokenizer with one known fault would; most are mutants of L1.2 (`mutants/L1.2/manifest.toml`),
over the encoding that is judged. A diagnosis is made only where a suspect gives exactly what was observed: none is
better than a wrong one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import regex

from harness.bytelevel.conformance.outcomes import Raised, same
from harness.bytelevel.encodings import Encoding, merger
from harness.bytelevel.unicode_versions import disagreements, scalar_values

Model: TypeAlias = Callable[[Any], Any]

UNKNOWN, LETTER, NUMBER = "\uffff", "\u4e2d", "\u0663"
"""A character that is neither letter nor number nor blank in any version of Unicode, a letter, and a number."""

_ASCII_BLANKS = r" \t\n\r\f\v"
_PYTHON_BLANKS = r"\s\x1c-\x1f"
_JAVASCRIPT_BLANKS = r" \t\n\r\f\v\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@dataclass(frozen=True, slots=True)
class Suspect:
    """One fault that a tokenizer may have."""

    says: str
    """The fault, as the end of a sentence: behaves like a build that ..."""
    mutant: str
    """The mutant of L1.2 that makes the same mistake; empty where none does."""
    call: str
    """The function whose answers it foretells."""
    model: Model


class Suspects:
    """All suspects for one encoding, made when first asked for."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding

    @cached_property
    def merge(self) -> Callable[[bytes], list[int]]:
        """Merging without a pattern, as the encoding does it."""
        return merger(self.encoding)

    @cached_property
    def stand_ins(self) -> dict[int, str]:
        """For characters on which `regex` and the oracle disagree, one that `regex` classes as the oracle does them.

        Whoever knows the tables of the tokenizer may put others in.
        """
        found: dict[int, str] = {}
        for pattern, characters in disagreements(scalar_values()).items():
            for character in characters:
                if not regex.match(pattern, character):  # then the oracle says that it is one
                    found[ord(character)] = {r"\p{L}": LETTER, r"\p{N}": NUMBER}.get(pattern, " ")
                else:
                    found.setdefault(ord(character), UNKNOWN)
        return found

    def of(self, call: str) -> Sequence[Suspect]:
        """Those that say something of a function's answers, the likeliest first."""
        base = "encode" if call in ("encode_changed", "encode_second") else call
        return [one for one in self._all if one.call == base]

    @cached_property
    def _all(self) -> list[Suspect]:
        return [*self._patterns(), *self._texts(), *self._merges(), *self._decoders()]

    def encode_by(self, pattern: str, text: str) -> list[int]:
        """Ids of `text` cut by another pattern; what it does not match is left out."""
        ids: list[int] = []
        for match in regex.finditer(pattern, text.translate(self.stand_ins)):
            ids += self.merge(text[match.start() : match.end()].encode("utf-8"))
        return ids

    def encode(self, text: str) -> list[int]:
        """Ids of `text` by the tables of `stand_ins`."""
        return self.encode_as(text.translate(self.stand_ins), text)

    # --- how text is cut

    def _patterns(self) -> Iterator[Suspect]:
        for says, mutant, change in _PATTERN_CHANGES:
            changed = change(self.encoding.pattern)
            if changed != self.encoding.pattern:
                yield Suspect(says, mutant, "encode", partial(self.encode_by, changed))
        yield Suspect("takes letters past U+FFFF for other characters", "", "encode", self._without_astral)

    def _without_astral(self, text: str) -> list[int]:
        return self.encode_as("".join(UNKNOWN if character > "\uffff" else character for character in text), text)

    def encode_as(self, cut: str, text: str) -> list[int]:
        """Ids of `text` cut where `cut`, of the same length, would be."""
        return [number for piece in self._pieces_as(cut, text) for number in self.merge(piece)]

    def _pieces_as(self, cut: str, text: str) -> Iterator[bytes]:
        place = 0
        for piece in self.encoding.pieces(cut):
            yield text[place : place + len(piece)].encode("utf-8")
            place += len(piece)

    # --- what is done to text before

    def _texts(self) -> Iterator[Suspect]:
        for says, mutant, change in _TEXT_CHANGES:
            yield Suspect(says, mutant, "encode", partial(_after, change, self.encode))
        yield Suspect("recognises special tokens in ordinary text", "s23", "encode", self.encoding.encode_special)
        yield Suspect(
            "cuts text at special tokens, and takes them for ordinary text", "", "encode", self._cut_at_special
        )
        yield Suspect("takes special tokens for ordinary text", "", "encode_special", self.encoding.encode)

    def _cut_at_special(self, text: str) -> list[int]:
        specials = "|".join(map(regex.escape, sorted(self.encoding.special, key=len, reverse=True)))
        return [number for part in regex.split(f"({specials})", text) for number in self.encode(part)]

    # --- how pieces are merged

    def _merges(self) -> Iterator[Suspect]:
        encoding = self.encoding
        ranked = sorted((number, token) for token, number in encoding.ids.items() if len(token) > 1)
        yield self._without("drops the last merge", "s04", {ranked[-1][1]})
        yield self._without("drops the first merge", "s67", {ranked[0][1]})
        if encoding.name == "gpt2":
            numbers = {token for _, token in ranked if token.startswith(b"#")}
            yield self._without("takes merges that begin with # for comments", "s06", numbers)
        for says, mutant, merge in (
            ("merges the first known pair from the left, whatever its rank", "s01", _left_to_right),
            ("merges the occurrences of a pair from the right", "s02", _rightmost),
            ("takes the longest token from the left instead of merging", "", _longest),
        ):
            yield Suspect(says, mutant, "encode", partial(self._merged_by, merge))

    def _without(self, says: str, mutant: str, tokens: set[bytes]) -> Suspect:
        made: list[Callable[[bytes], list[int]]] = []

        def model(text: str) -> list[int]:
            if not made:
                made.append(merger(self.encoding, without=tokens))
            pieces = self._pieces_as(text.translate(self.stand_ins), text)
            return [number for piece in pieces for number in made[0](piece)]

        return Suspect(says, mutant, "encode", model)

    def _merged_by(self, merge: Callable[[list[bytes], Mapping[bytes, int]], list[bytes]], text: str) -> list[int]:
        ids = self.encoding.ids
        found: list[int] = []
        for piece in self._pieces_as(text.translate(self.stand_ins), text):
            found += [ids[symbol] for symbol in merge([bytes([byte]) for byte in piece], ids)]
        return found

    # --- decoding

    def _decoders(self) -> Iterator[Suspect]:
        encoding = self.encoding
        special = set(encoding.special.values())

        def alone(ids: Sequence[int]) -> str:
            return "".join(encoding.decode([number]) for number in ids)

        def without_special(ids: Sequence[int]) -> str:
            return encoding.decode([number for number in ids if number not in special])

        yield Suspect("decodes each token by itself and joins the texts", "s17", "decode", alone)
        yield Suspect(
            "raises where bytes are not UTF-8, as strict decoding does",
            "s18",
            "decode",
            lambda ids: encoding.decode_bytes(ids).decode("utf-8"),
        )
        yield Suspect(
            "drops bytes that are not UTF-8",
            "s19",
            "decode",
            lambda ids: encoding.decode_bytes(ids).decode("utf-8", "ignore"),
        )
        yield Suspect("decodes special tokens to nothing", "s58", "decode", without_special)
        yield Suspect(
            "removes spaces before punctuation, as a clean-up once did", "s59", "decode", partial(_cleaned, encoding)
        )
        yield Suspect("drops a space at the start", "", "decode", lambda ids: encoding.decode(ids).removeprefix(" "))
        yield Suspect("strips blanks from both ends", "", "decode", lambda ids: encoding.decode(ids).strip())
        yield Suspect(
            "swallows a byte order mark", "s44", "decode", lambda ids: encoding.decode(ids).removeprefix("\ufeff")
        )
        yield Suspect(
            "decodes each token by itself and joins the texts",
            "s17",
            "stream",
            lambda ids: [*(encoding.decode([number]) for number in ids), ""],
        )
        yield Suspect(
            "drops what is left at the end of a stream", "s39", "stream", lambda ids: [*encoding.stream(ids)[:-1], ""]
        )
        yield Suspect("shows nothing while what it holds is not whole", "s54", "stream", partial(_waiting, encoding))


def _after(change: Callable[[str], str], encode: Callable[[str], list[int]], text: str) -> list[int]:
    return encode(change(text))


def _cleaned(encoding: Encoding, ids: Sequence[int]) -> str:
    text = encoding.decode(ids)
    for before in (" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're"):
        text = text.replace(before, before[1:] if before != " ' " else "'")
    return text


def _waiting(encoding: Encoding, ids: Sequence[int]) -> list[str]:
    """As tokenizers' own stream: a step shows what is new where the text of what it holds does not end in U+FFFD."""
    shown, held, before, kept = list[str](), list[int](), "", 0
    for number in ids:
        held.append(number)
        text = encoding.decode(held)
        if len(text.encode()) > len(before.encode()) and not text.endswith("\ufffd"):
            shown.append(text[len(before) :])
            held, kept = held[kept:], len(held) - kept
            before = encoding.decode(held)
        else:
            shown.append("")
    return shown


# --- patterns -----------------------------------------------------------------------------------------------------


def _blanks(inside: str) -> Callable[[str], str]:
    """Give blanks another meaning, and what is none, which stands outside of brackets."""
    return lambda pattern: _meaning(r"\S", "^" + inside, _meaning(r"\s", inside, pattern))


def _class(name: str, inside: str) -> Callable[[str], str]:
    """Give another meaning to a class, such as that of letters."""
    return lambda pattern: _meaning(name, inside, pattern)


def _meaning(name: str, inside: str, pattern: str) -> str:
    """Put `inside` where a class stands, in brackets of its own where it does not stand in some."""
    changed, depth, place = [], 0, 0
    while place < len(pattern):
        if pattern.startswith(name, place):
            part, width = (inside if depth else f"[{inside}]"), len(name)
        else:
            width = 2 if pattern[place] == "\\" else 1
            part = pattern[place : place + width]
            depth += (part == "[") - (part == "]")
        changed.append(part)
        place += width
    return "".join(changed)


def _text(old: str, new: str) -> Callable[[str], str]:
    return lambda pattern: pattern.replace(old, new)


_PATTERN_CHANGES: Sequence[tuple[str, str, Callable[[str], str]]] = (
    (
        "has no alternative for a run of blanks before a word, so that the word loses its space",
        "s09",
        _text(r"|\s+(?!\S)", ""),
    ),
    ("knows the six blanks of ASCII only", "s10", _blanks(_ASCII_BLANKS)),
    ("takes U+001C to U+001F for blanks, as str.isspace does", "s11", _blanks(_PYTHON_BLANKS)),
    ("has the blanks of JavaScript: U+FEFF is one, and U+0085 is none", "", _blanks(_JAVASCRIPT_BLANKS)),
    ("splits off contractions in any case", "s08", _text("'s|'t|'re|'ve|'m|'ll|'d", "(?i:'s|'t|'re|'ve|'m|'ll|'d)")),
    ("splits off contractions in lower case only", "", _text("(?i:", "(?:")),
    ("takes only decimal digits for numbers", "s12", _class(r"\p{N}", r"\d")),
    ("takes only 0 to 9 for numbers", "", _class(r"\p{N}", "0-9")),
    ("takes marks for letters", "s13", _class(r"\p{L}", r"\p{L}\p{M}")),
    ("takes only letters of ASCII for letters", "", _class(r"\p{L}", "A-Za-z")),
    (
        "takes only letters of ASCII for letters, and 0 to 9 for numbers",
        "",
        lambda pattern: _class(r"\p{N}", "0-9")(_class(r"\p{L}", "A-Za-z")(pattern)),
    ),
    ("gives a number no space before it", "s14", _text(r"| ?\p{N}+|", r"|\p{N}+|")),
    ("gives punctuation no space before it", "s15", _text(r"| ?[^\s", r"|[^\s")),
    ("misspells the contraction 'll", "m01", _text("'ll", "'l")),
    ("misspells the contraction 'll with a space", "m01", _text("'ll", "'l l")),
    ("has no alternative for blanks between words", "m02", lambda pattern: pattern.removesuffix(r"|\s+")),
)

_TEXT_CHANGES: Sequence[tuple[str, str, Callable[[str], str]]] = (
    ("normalizes text to NFC", "s28", partial(unicodedata.normalize, "NFC")),
    ("normalizes text to NFKC", "", partial(unicodedata.normalize, "NFKC")),
    ("puts a space before every text", "s29", lambda text: " " + text),
    (
        "puts a space before a text that has none",
        "s29",
        lambda text: text if text.startswith(" ") or not text else " " + text,
    ),
    ("strips blanks at both ends of a text", "s81", str.strip),
    ("turns CRLF into LF", "s82", lambda text: text.replace("\r\n", "\n")),
    ("turns CR and CRLF into LF", "s82", lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    ("lower-cases text", "", str.lower),
    ("ends a text at U+0000", "", lambda text: text.partition("\x00")[0]),
    ("swallows a byte order mark", "s44", lambda text: text.removeprefix("\ufeff")),
)


# --- merging ------------------------------------------------------------------------------------------------------


def _left_to_right(word: list[bytes], ids: Mapping[bytes, int]) -> list[bytes]:
    place = 0
    while place + 1 < len(word):
        if word[place] + word[place + 1] in ids:
            word[place : place + 2] = [word[place] + word[place + 1]]
            place = 0
        else:
            place += 1
    return word


def _rightmost(word: list[bytes], ids: Mapping[bytes, int]) -> list[bytes]:
    while True:
        known = [(ids[word[at] + word[at + 1]], -at) for at in range(len(word) - 1) if word[at] + word[at + 1] in ids]
        if not known:
            return word
        _, negative = min(known)
        word[-negative : 2 - negative] = [word[-negative] + word[1 - negative]]


def _longest(word: list[bytes], ids: Mapping[bytes, int]) -> list[bytes]:
    piece = b"".join(word)
    found, place = [], 0
    while place < len(piece):
        end = next(end for end in range(len(piece), place, -1) if piece[place:end] in ids)
        found.append(piece[place:end])
        place = end
    return found


def answer(suspect: Suspect, argument: Any) -> Any:
    """What a suspect gives, or what it raises."""
    try:
        return suspect.model(argument)
    except Exception as error:
        return Raised(type(error).__name__, (), "")


def foretells(suspect: Suspect, argument: Any, got: Any) -> bool:
    """Whether a suspect gives just this answer to this question, or fails as it failed."""
    foretold = answer(suspect, argument)
    if isinstance(foretold, Raised):
        return isinstance(got, Raised) and got.type == foretold.type
    return same(got, foretold)
