"""Ids to training pairs."""

from itertools import pairwise

import pytest
from hypothesis import example, given

from harness.bytelevel.codec_strategies import any_ids, documents
from tinyllm.tok.byte_codec import encode_document, pad_batch, shift, until_eos


def test_hand_example_inputs_and_targets() -> None:
    """The document of 春 has four inputs and four targets, the end among them.

    KIND: unit
    CHECKS: inputs are the first four of its five ids and targets the last four; padded to six, two places are ignored
    WHY: you and the tests agree on what is predicted from what
    CATCHES: s07 s09 s11 s12 s43 s44 s47 s48 s49 s77 s78 s79 s80 s81 s82 s83 s84 s88 s165 m41
    """
    ids = encode_document("春")
    assert shift(ids) == ([256, 230, 152, 165], [230, 152, 165, 257])
    assert pad_batch([ids], 6) == ([[256, 230, 152, 165, 257, 257]], [[230, 152, 165, 257, -100, -100]])


# --- generation ---------------------------------------------------------------------------------------------------


@given(ids=any_ids(), more=any_ids())
@example(ids=[256, 0], more=[97, 257])
@example(ids=[], more=[])
def test_generation_ends_before_the_first_eos(ids: list[int], more: list[int]) -> None:
    """The first EOS and all behind it is cut off, and nothing else.

    KIND: property
    CHECKS: until_eos(x + [257] + y) == x for x without 257, BOS and 0 among it or not
    WHY: what a model says after the end is not part of its answer
    CATCHES: s72 s73 s75 s76
    """
    body = [token_id for token_id in ids if token_id != 257]
    assert until_eos([*body, 257, *more]) == body


@given(ids=any_ids())
@example(ids=[])
@example(ids=[256, 0, 97])
def test_generation_without_an_end_is_all_of_it(ids: list[int]) -> None:
    """A generation that was stopped by its length is kept whole.

    KIND: property
    CHECKS: until_eos(x) == x for x without 257
    WHY: the longest answers reach no end
    CATCHES: s74 s75 s76
    """
    body = [token_id for token_id in ids if token_id != 257]
    assert until_eos(body) == body


# --- pairs --------------------------------------------------------------------------------------------------------


@given(ids=any_ids())
@example(ids=[1, 2, 3])
def test_each_target_is_the_id_behind_its_input(ids: list[int]) -> None:
    """Inputs leave the last id out and targets the first.

    KIND: property
    CHECKS: shift of a sequence of two ids or more gives all neighbours, in order
    WHY: a model that sees its target learns to copy
    CATCHES: s77 s78 s79 s165
    """
    sequence = [256, *ids, 257]
    inputs, targets = shift(sequence)
    assert list(zip(inputs, targets, strict=True)) == list(pairwise(sequence))


@given(documents=documents())
@example(documents=[[256, 257], [256, 97, 257, 98, 257], [256, 0, 256, 0, 257]])
@example(documents=[])
def test_every_document_has_a_row_of_its_own_padded_on_the_right(documents: list[list[int]]) -> None:
    """Rows are shifted documents, filled up behind with EOS for an input and -100 for a target.

    KIND: property
    CHECKS: pad_batch with room for the longest document and two more; EOS inside a document is scored, and so is its
        end
    WHY: padding has no id of its own, so only the target -100 tells it from the real thing
    CATCHES: s09 s10 s11 s12 s80 s81 s82 s83 s84 s88 m41
    """
    length = max(map(len, documents), default=0) + 1
    inputs, targets = pad_batch(documents, length)
    assert inputs == [(ids[:-1] + [257] * length)[:length] for ids in documents]
    assert targets == [(ids[1:] + [-100] * length)[:length] for ids in documents]


@given(documents=documents())
@example(documents=[[256, 97, 257]])
def test_a_document_fits_exactly_or_not_at_all(documents: list[list[int]]) -> None:
    """A document of n ids has n - 1 targets: that much room is enough, and less is an error.

    KIND: boundary
    CHECKS: pad_batch gives each document unpadded at its own length, and raises ValueError at one less, alone and after
        others
    WHY: a document cut short teaches that texts go on where they end, or end where they go on
    CATCHES: s09 s80 s85 s86 s87
    """
    for place, ids in enumerate(documents):
        length = len(ids) - 1
        assert pad_batch([ids], length) == ([ids[:-1]], [ids[1:]])
        shorter = [other for other in documents[:place] if len(other) < len(ids)]
        with pytest.raises(ValueError):
            pad_batch([*shorter, ids], length - 1)


def test_room_for_all_does_not_join_documents() -> None:
    """Two documents are two rows, however wide a row is.

    KIND: unit
    CHECKS: pad_batch of two documents with a length that would hold both in one row
    WHY: in a row for both, the second would be predicted from the first
    CATCHES: s09 s11 s12 s80 s81 s82 s83 s84 s88 s89 m41
    """
    inputs, targets = pad_batch([[256, 97, 257], [256, 98, 257]], 5)
    assert inputs == [[256, 97, 257, 257, 257], [256, 98, 257, 257, 257]]
    assert targets == [[97, 257, -100, -100, -100], [98, 257, -100, -100, -100]]


def test_what_is_not_a_whole_document_is_rejected() -> None:
    """A document begins with BOS and ends with EOS.

    KIND: boundary
    CHECKS: pad_batch raises ValueError for no ids, a body alone, a document without BOS or without EOS, also behind a
        whole one
    WHY: windows cut from a document would be taken for documents
    CATCHES: s89 s90 s91 s92
    """
    for piece in ([], [256], [257], [97], [256, 97], [97, 257], [257, 97, 256], [97, 256, 257, 97]):
        with pytest.raises(ValueError):
            pad_batch([[256, 257], piece], 8)
    assert pad_batch([[256, 257]], 8) is not None  # kept: what refuses everything must not pass
