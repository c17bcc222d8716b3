"""What one long piece costs."""

from time import perf_counter

from tinyllm.tok.bpe import Encoder

SHORT, LONG = 32, 1_024
"""Characters of the two pieces that are compared: one is 32 times the other."""


def doubling_encoder() -> Encoder:
    """Runs of "a" of 1, 2, 4, ... 64 are tokens."""
    runs = ["a" * 2**power for power in range(7)]
    return Encoder({run: number for number, run in enumerate(runs)}, [(run, run) for run in runs[:-1]])


def growth(encoder: Encoder, attempt: int) -> float:
    """How many times as long the long piece takes: the least of two times, by the least of ten of the short one.

    A turn of another process that falls on all ten short ones would hide a slow loop. No two pieces have the same
    length, since a piece that was met before costs nothing.
    """

    def taken(length: int) -> float:
        text = "a" * length
        began = perf_counter()
        encoder.encode(text)
        return perf_counter() - began

    short = min(taken(SHORT + 10 * attempt + more) for more in range(10))
    return min(taken(LONG + 2 * attempt + more) for more in range(2)) / short


def test_a_long_piece_costs_little_more_than_its_length() -> None:
    """Thirty-two times the length takes about thirty-two times as long, not a thousand times.

    KIND: cost
    CHECKS: encoding a run of 1,024 "a" takes less than 200 times as long as one of 32, at the best of three attempts
    WHY: one line of a base64 file, or of dashes, would stop a service for hours
    CATCHES: s26
    """
    encoder = doubling_encoder()
    # A busy machine stretches the long piece alone, since the short one is over before its turn is: by three or four,
    # which lies far below the bound, as the bound lies far below what a quadratic loop takes.
    assert min(growth(encoder, attempt) for attempt in range(3)) < 200
    assert encoder.decode(encoder.encode("a" * 32)) == "a" * 32  # kept: what does nothing at all must not pass


def test_a_very_long_piece_needs_no_deep_stack() -> None:
    """A piece of 1,500 characters is encoded like any other.

    KIND: boundary
    CHECKS: the ids of a run of 1,500 "a": all of the longest token, and the rest
    WHY: a function that calls itself once a merge ends after a thousand
    CATCHES: s72
    """
    assert doubling_encoder().encode("a" * 1_500) == [6] * 23 + [4, 3, 2]
