"""The byte map itself: 256 entries, so every law is tried on all of them."""

from harness.bytelevel.oracles import gpt2_byte_map
from tinyllm.tok.bytes_unicode import bytes_to_unicode, unicode_to_bytes

KEPT = [*range(0x21, 0x7E + 1), *range(0xA1, 0xAC + 1), *range(0xAE, 0xFF + 1)]


def test_matches_gpt2_table() -> None:
    """The table is GPT-2's, entry for entry.

    KIND: golden
    CHECKS: bytes_to_unicode() equals the table that transformers, tokenizers and tiktoken use
    WHY: L1.2 loads the vocabularies of GPT-2 and SmolLM2, whose keys are written in it
    CATCHES: s01 s02 s03 s22 s23 s25 m01 m02 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17
    """
    assert bytes_to_unicode() == gpt2_byte_map()


def test_is_a_bijection_onto_256_characters() -> None:
    """Every byte has a character of its own.

    KIND: property
    CHECKS: the keys are 0 to 255; no two values are equal; each value is one character
    WHY: bytes become text and come back without loss
    CATCHES: s25 m02 m05 m16
    """
    table = bytes_to_unicode()
    assert sorted(table) == list(range(256))
    assert len(set(table.values())) == len(table)
    assert {byte: char for byte, char in table.items() if len(char) != 1} == {}


def test_every_character_is_printable_and_not_whitespace() -> None:
    """Every character can be seen, and none would split a line.

    KIND: property
    CHECKS: no value is a space, a control character or another invisible one, such as the soft hyphen
    WHY: merges.txt parts two tokens by a space, and people read and compare vocabularies
    CATCHES: s01 s02 m06 m08 m09 m12 m13
    """
    table = bytes_to_unicode()
    unseen = {byte: char for byte, char in table.items() if char.isspace() or not char.isprintable()}
    assert unseen == {}


def test_printable_bytes_map_to_themselves() -> None:
    """The bytes that Latin-1 shows stand for themselves, and no others do.

    KIND: unit
    CHECKS: the fixed points are the 188 bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF; 0xAD is none
    WHY: ASCII tokens read as themselves
    CATCHES: s01 s02 s22 s23 m01 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15
    """
    fixed_points = sorted(byte for byte, char in bytes_to_unicode().items() if char == chr(byte))
    assert fixed_points == KEPT


def test_remapped_bytes_are_consecutive_from_256() -> None:
    """The other bytes take the code points from U+0100 in order, by how many came before and not by their value.

    KIND: unit
    CHECKS: the 68 bytes that are not kept have U+0100 to U+0143, in increasing order
    WHY: a table that counts otherwise is as good a bijection, and no published vocabulary fits it
    CATCHES: s01 s03 s25 m01 m02 m17
    """
    table = bytes_to_unicode()
    remapped = [table[byte] for byte in range(256) if byte not in KEPT]
    assert remapped == [chr(256 + count) for count in range(68)]


def test_keys_in_byte_order_and_a_fresh_dict_each_call() -> None:
    """The table lists the bytes in order, and whoever gets it may change it.

    KIND: boundary
    CHECKS: the keys come as 0, 1, ... 255; an edit of one result is not seen in the next
    WHY: tokenizers build their own tables from it, and would otherwise change each other's
    CATCHES: s10 s24
    """
    table = bytes_to_unicode()
    assert list(table) == list(range(256))
    space = table[0x20]
    table[0x20] = " "
    next_space = bytes_to_unicode()[0x20]
    table[0x20] = space  # where the table is shared after all, the other tests are to see it whole
    assert next_space == space


def test_unicode_to_bytes_is_the_inverse() -> None:
    """The second table leads back from every character of the first, and from nothing else.

    KIND: property
    CHECKS: unicode_to_bytes() holds the pairs of bytes_to_unicode() turned round, so that both compositions are
        the identity
    WHY: generated tokens are decoded with it
    CATCHES: s26 s27 m02 m04
    """
    turned = {char: byte for byte, char in bytes_to_unicode().items()}
    assert unicode_to_bytes() == turned
