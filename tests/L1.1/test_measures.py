"""Units of measure, and the digest."""

import hashlib
import math

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import telling_texts
from tinyllm.tok.byte_codec import bits_per_byte, digest, ledger, perplexity, uniform_nll


def test_hand_example_uniform_model_on_spring() -> None:
    """A model that knows nothing pays 10.681 bits for each byte of 春, more than 8.

    KIND: unit
    CHECKS: four targets of ln 258 nats each, over three bytes and ln 2; its perplexity is 258
    WHY: the end is paid for too, and two ids are no bytes; above 8 is no error
    CATCHES: s14 s15 s16 s17 s127 s128 s129 s131 s132 s133 s136 s137 s167 m46 m47
    """
    lengths = ledger("春")
    assert (lengths.code_points, lengths.raw_bytes, lengths.body_tokens, lengths.targets) == (1, 3, 3, 4)
    total = uniform_nll(lengths.targets)
    assert bits_per_byte(total, lengths.raw_bytes) == pytest.approx(10.681636, abs=1e-6)
    assert perplexity(total, lengths.targets) == pytest.approx(258)


@given(text=telling_texts())
@example(text="")
@example(text="é🙂")
def test_the_ledger_counts_four_different_things(text: str) -> None:
    """Code points, bytes, tokens and targets are counted apart.

    KIND: property
    CHECKS: ledger(t) is len(t), the number of UTF-8 bytes twice, and one more for the end
    WHY: bits per byte over any other of them is another measure under the same name
    CATCHES: s14 s15 s17 s126 s127 s128 s167 m47
    """
    lengths = ledger(text)
    size = len(text.encode())
    assert lengths.code_points == len(text)
    assert lengths.raw_bytes == size
    assert lengths.body_tokens == size
    assert lengths.targets == size + 1


def test_uniform_likelihood_counts_targets_and_classes() -> None:
    """Every target costs the logarithm of the number of classes, in nats.

    KIND: unit
    CHECKS: uniform_nll of 1 and of 10 targets, over 258 classes if nothing is said, and over 50,257
    WHY: it is the bar that a trained model has to pass
    CATCHES: s129 s130 s131 m46
    """
    assert uniform_nll(1) == pytest.approx(math.log(258))
    assert uniform_nll(10, classes=50257) == pytest.approx(10 * math.log(50257))


def test_perplexity_is_the_exponential_of_the_mean() -> None:
    """Perplexity is per target, and its base is that of nats.

    KIND: unit
    CHECKS: 6 nats over 4 targets are exp(1.5), and 1 nat over 1 is e
    WHY: it depends on how text is cut, so it compares models of one tokenizer only
    CATCHES: s132 s133
    """
    assert [perplexity(6.0, 4), perplexity(1.0, 1)] == pytest.approx([math.exp(1.5), math.e])


def test_bits_per_byte_turns_nats_into_bits() -> None:
    """A nat is 1 / ln 2 bits, and the bytes are those of the text.

    KIND: unit
    CHECKS: 100 nats over 10 bytes are 10 / ln 2, more than 8
    WHY: bytes are the same for every tokenizer, so this one compares across them
    CATCHES: s16 s136 s137
    """
    assert bits_per_byte(100.0, 10) == pytest.approx(10 / math.log(2))


def test_nothing_is_the_mean_of_nothing() -> None:
    """A mean over no targets or no bytes is an error.

    KIND: boundary
    CHECKS: perplexity and bits_per_byte raise ValueError where the denominator is 0, whatever the total
    WHY: the empty text has a target and no byte, so this comes up
    CATCHES: s134 s135 s169
    """
    for total in (0.0, 5.5):
        with pytest.raises(ValueError):
            perplexity(total, 0)
        with pytest.raises(ValueError):
            bits_per_byte(total, 0)
    assert [perplexity(0.0, 1), bits_per_byte(0.0, 1)] == [1, 0]  # kept: what refuses everything must not pass


def test_the_digest_is_that_of_the_rule() -> None:
    """One line of ASCII says all that ids depend on, and its SHA-256 is known.

    KIND: golden
    CHECKS: digest() in lower-case hex, of JSON with the four numbers and the name of the rule, sorted and without
        blanks
    WHY: training and restoring compare it, so it must be the same everywhere
    CATCHES: s27 s138 s139 s140 s141
    """
    rule = b'{"bos":256,"eos":257,"rule":"utf-8","version":1,"vocab":258}'
    assert digest() == hashlib.sha256(rule).hexdigest()
