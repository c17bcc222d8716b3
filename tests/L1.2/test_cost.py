"""What one long piece costs."""

from time import perf_counter

from tinyllm.tok.bpe import Encoder

SHORT, LONG = 1_000, 4_000
"""Characters of the two pieces that are compared."""


def doubling_encoder() -> Encoder:
    """Runs of "a" of 1, 2, 4, ... 64 are tokens."""
    runs = ["a" * 2**power for power in range(7)]
    return Encoder({run: number for number, run in enumerate(runs)}, [(run, run) for run in runs[:-1]])


def seconds(encoder: Encoder, length: int) -> float:
    """The least of five times of encoding runs of about `length`, each of another length, so that none is known yet."""
    times = []
    for more in range(5):
        text = "a" * (length + more)
        began = perf_counter()
        encoder.encode(text)
        times.append(perf_counter() - began)
    return min(times)


def test_a_long_piece_costs_little_more_than_its_length() -> None:
    """Four times the length takes about four times as long, not sixteen times.

    KIND: cost
    CHECKS: encoding a run of 4,000 "a" takes less than nine times as long as a run of 1,000, at best of five
    WHY: one line of a base64 file, or of dashes, would stop a service for hours
    CATCHES: s26
    """
    encoder = doubling_encoder()
    assert seconds(encoder, LONG) < 9 * seconds(encoder, SHORT)


def test_a_very_long_piece_needs_no_deep_stack() -> None:
    """A piece of 5,000 characters is encoded like any other.

    KIND: boundary
    CHECKS: the ids of a run of 5,000 "a": all of the longest token, and the rest
    WHY: a function that calls itself once a merge ends after a thousand
    CATCHES: s72
    """
    assert doubling_encoder().encode("a" * 5_000) == [6] * 78 + [3]
