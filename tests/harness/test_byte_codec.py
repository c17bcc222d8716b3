"""What no graded test can ask of the byte codec, since it takes more than plain values: asked of the reference."""

from __future__ import annotations

import pytest

from tinyllm.tok.byte_codec import StreamDecoder, decode, decode_bytes, pad_batch, render, shift, until_eos, utf8_encode
from tinyllm.tok.protocol import ByteTokenizer, Tokenizer


class Scalar:
    """An integer of a numerical library: no int, but it has __index__."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


class Silent:
    """A tokenizer that cannot decode."""

    vocab_size = 1
    special_ids: dict[str, int] = {}  # noqa: RUF012  as short as it can be

    def encode(self, text: str) -> list[int]:
        return [0 for _ in text]

    def id_to_token(self, token_id: int) -> str:
        return "?"

    def token_to_id(self, token: str) -> int | None:
        return None


def test_whatever_has_an_index_is_an_id_and_comes_back_as_an_int() -> None:
    ids = [Scalar(256), Scalar(97), Scalar(257)]
    assert decode_bytes(ids) == b"a"
    assert decode(ids) == "a"
    assert until_eos(ids) == [256, 97]
    assert shift(ids) == ([256, 97], [97, 257])
    assert pad_batch([ids], 2) == ([[256, 97]], [[97, 257]])
    assert set(map(type, render(ids).generated_ids)) == {int}
    assert StreamDecoder().push(Scalar(97)) == "a"
    assert utf8_encode(Scalar(0x6625)) == "春".encode()
    assert [ByteTokenizer().id_to_token(Scalar(n)) for n in (97, 257)] == ["a", "<eos>"]


def test_ids_may_come_from_anything_that_can_be_walked_through_once() -> None:
    assert decode(iter([97, 98])) == "ab"
    assert decode(b"ab") == "ab"
    assert render(iter([97])).generated_ids == (97,)


def test_a_bad_id_that_has_an_index_is_named_by_its_number() -> None:
    with pytest.raises(ValueError, match="id 300 at position 1 is outside 0 to 257"):
        decode([97, Scalar(300)])


def test_what_cannot_decode_is_no_tokenizer() -> None:
    assert not isinstance(Silent(), Tokenizer)


def test_arguments_are_left_as_they_were() -> None:
    document = [256, 97, 257]
    until_eos(document)
    shift(document)
    pad_batch([document], 5)
    render(document)
    assert document == [256, 97, 257]
