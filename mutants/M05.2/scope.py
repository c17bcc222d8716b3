"""The small scope of M05.2: everything about bytes and code points, and all maps of up to three keys.

A fault in the maps that needs four keys to show is not excluded by it; a mutant that is called equivalent agrees with
the reference on at least all this.
"""

from collections.abc import Iterator
from itertools import combinations, product

from harness.mutation.scope import Observation, observe
from tinyllm.tok import bytes_unicode as subject

KEYS = (0, "b", None)
VALUES = (1, "", b"t")


def scope_tables() -> Iterator[object]:
    """both tables, asked for twice, with an edit of the first result in between"""
    for _ in range(2):
        table = subject.bytes_to_unicode()
        yield list(table.items())
        table[0] = "edited"
        yield sorted(subject.unicode_to_bytes().items())


def scope_bytes() -> Iterator[Observation]:
    """all 256 bytes alone, all 65,536 pairs in one call, and one value of each type that is no bytes"""
    yield observe(subject.encode_bytes, b"")
    for byte in range(256):
        yield observe(subject.encode_bytes, bytes([byte]))
    yield observe(subject.encode_bytes, bytes(byte for pair in product(range(256), repeat=2) for byte in pair))
    yield observe(subject.encode_bytes, bytearray(b"Hi"))
    for stranger in ("", "abc", None, 7, [72], (72,), {72}, 1.5, True):
        yield observe(subject.encode_bytes, stranger)


def scope_code_points() -> Iterator[Observation]:
    """all 1,114,112 code points alone, and each of the 256 characters before and behind one that is none of them"""
    # The tables are equal (`scope_tables`), and building them for each call would take minutes: they are held fixed.
    table = subject.unicode_to_bytes()
    build = subject.unicode_to_bytes
    subject.unicode_to_bytes = lambda: table
    try:
        yield observe(subject.decode_chars, "")
        # One observation for each run of code points that fare alike: naming each would cost more than the calls.
        run: object = None
        for code in range(0x110000):
            try:
                fate: object = (code, repr(subject.decode_chars(chr(code))))
            except Exception as error:
                fate = type(error)
            if fate != run:
                run = fate
                yield code, str(run)
        yield observe(subject.decode_chars, "".join(sorted(table)))
        for char in sorted(table):
            yield observe(subject.decode_chars, char + "\n")
            yield observe(subject.decode_chars, "\n" + char)
    finally:
        subject.unicode_to_bytes = build


def maps() -> Iterator[dict[object, object]]:
    for size in range(len(KEYS) + 1):
        for values in product(VALUES, repeat=size):
            yield dict(zip(KEYS, values, strict=False))


def scope_maps() -> Iterator[object]:
    """all 40 maps of up to three keys over three values, each with every codomain over them"""
    for f in maps():
        yield observe(subject.is_injective, f)
        repeated = [value for value in f.values() if list(f.values()).count(value) > 1]
        yield observe(lambda f=f: sorted(subject.inverse(f).items(), key=repr), naming=repeated[:1])
        for size in range(len(VALUES) + 1):
            for codomain in combinations(VALUES, size):
                yield observe(subject.is_surjective, f, codomain)
                yield observe(subject.is_surjective, f, [*codomain, *codomain])
        yield sorted(f.items(), key=repr)  # what the calls left of it
