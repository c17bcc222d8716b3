"""How the cost of encoding grows with the text: a quadratic tokenizer works on every test, and fails on a long line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from harness.bytelevel.conformance.outcomes import Gone, Outcome, Raised, Tokenizer, same
from harness.bytelevel.encodings import Encoding

SHORT, TIMES = 4_000, 8
PIECES = ("a", "^", " ", "Z", "\n", "ab ")
_MOST_GROWTH = 3.0 * TIMES
"""Eight times the text may cost twenty-four times as much, for caches and the machine; a quadratic one costs 64."""
_WORTH_S = 0.25
"""Less than this for the long text is no cost that anybody suffers from, whatever it grew from."""
_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Growth:
    """Two sizes of one text, and what they cost."""

    piece: str
    short_s: float
    long_s: float
    wrong: Outcome | None
    """What came back for the long text, where it was not its ids."""

    @property
    def is_too_steep(self) -> bool:
        """Whether the cost grows faster than any tokenizer's has to."""
        return self.long_s > _WORTH_S and self.long_s > _MOST_GROWTH * self.short_s


def growths(tokenizer: Tokenizer, encoding: Encoding) -> Iterator[Growth]:
    """Encode runs of each piece at both sizes; the best time of three counts where it matters."""
    for piece in PIECES:
        right = encoding.encode(piece * SHORT * TIMES)
        short_s, _ = _timed(tokenizer, piece * SHORT)
        long_s, got = _timed(tokenizer, piece * SHORT * TIMES)
        growth = Growth(piece, short_s, long_s, None if same(got, right) else got)
        for _ in range(_REPEATS - 1):
            if growth.wrong is not None or not growth.is_too_steep:
                break
            short_s = max(growth.short_s, _timed(tokenizer, piece * SHORT)[0])
            long_s = min(growth.long_s, _timed(tokenizer, piece * SHORT * TIMES)[0])
            growth = Growth(piece, short_s, long_s, None)
        yield growth
        if isinstance(growth.wrong, Gone | Raised):
            return  # the other pieces would say the same at the price of a restart each


def _timed(tokenizer: Tokenizer, text: str) -> tuple[float, Outcome]:
    began = time.perf_counter()
    got = tokenizer.one("encode", text)
    return time.perf_counter() - began, got
