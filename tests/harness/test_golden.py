"""The frozen byte map equals what the libraries say, and is believed only while its digest holds."""

import json
import shutil
from dataclasses import dataclass

import pytest

from harness.bytelevel import golden
from harness.bytelevel.golden import DamagedGolden, make_golden, read_golden
from harness.bytelevel.oracles import (
    BYTE_MAP_ORACLES,
    BYTES_OUTSIDE_UTF8,
    GOLDEN_BYTE_MAP,
    OracleAbsent,
    OracleRejected,
    gpt2_byte_map,
    tiktoken_byte_map,
    tokenizers_byte_map,
    transformers_byte_map,
)
from harness.errors import ExitCode


def library(name):
    """Skip the test, with the reason, where an optional library is not installed."""
    return pytest.importorskip(name, reason=f"{name} is not installed (extra `oracles`)")


@dataclass
class FakeByteMap:
    """An oracle that says what a test wants it to say."""

    table: dict
    name: str = "fake"
    version: str = "1"

    def byte_map(self):
        return dict(self.table)

    def alphabet(self):
        return frozenset(self.table.values())


@pytest.fixture
def golden_copy(tmp_path):
    """The golden files in a folder where a test may damage them."""
    for name in (GOLDEN_BYTE_MAP, golden.MANIFEST):
        shutil.copy(golden.FOLDER / name, tmp_path)
    return tmp_path


def test_the_frozen_table_equals_transformers_on_all_256_bytes():
    library("transformers")
    assert transformers_byte_map().byte_map() == gpt2_byte_map()


def test_the_frozen_table_equals_the_loader_of_tiktoken_on_all_256_bytes():
    assert tiktoken_byte_map().byte_map() == gpt2_byte_map()


def test_the_frozen_table_equals_tokenizers_wherever_text_can_show_it():
    """243 bytes one by one, and the characters of the other 13 as a set: no text makes it tell them apart."""
    library("tokenizers")
    oracle, table = tokenizers_byte_map(), gpt2_byte_map()
    hidden = {table[byte] for byte in BYTES_OUTSIDE_UTF8}
    shown = oracle.byte_map()
    assert shown == {byte: table[byte] for byte in range(256) if byte not in BYTES_OUTSIDE_UTF8}
    assert oracle.alphabet() - set(shown.values()) == hidden
    assert oracle.alphabet() == set(table.values())


def test_the_bytes_outside_utf8_are_those_that_no_scalar_value_encodes_to():
    scalars = (chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    assert set(range(256)) - set("".join(scalars).encode()) == BYTES_OUTSIDE_UTF8


def test_each_caller_gets_a_frozen_table_of_its_own():
    gpt2_byte_map().clear()
    assert list(gpt2_byte_map()) == list(range(256))


def test_the_manifest_says_where_the_frozen_copy_comes_from():
    entry = json.loads((golden.FOLDER / golden.MANIFEST).read_text())["files"][GOLDEN_BYTE_MAP]
    assert set(entry) == {"origin", "command", "versions", "size_bytes", "sha256"}
    assert set(entry["versions"]) == {"python", *BYTE_MAP_ORACLES}
    assert entry["size_bytes"] == (golden.FOLDER / GOLDEN_BYTE_MAP).stat().st_size


def test_a_frozen_copy_with_one_entry_changed_is_refused(golden_copy):
    path = golden_copy / GOLDEN_BYTE_MAP
    path.write_text(path.read_text().replace('"\\u0120"', '"\\u0121"'))
    with pytest.raises(DamagedGolden, match=r"its SHA-256 is [0-9a-f]{64}, MANIFEST\.json says ") as caught:
        read_golden(GOLDEN_BYTE_MAP, folder=golden_copy)
    assert caught.value.path == path
    assert golden.COMMAND in caught.value.remedy
    assert caught.value.exit_code == ExitCode.ERROR


def test_a_frozen_copy_with_other_line_ends_is_refused(golden_copy):
    path = golden_copy / GOLDEN_BYTE_MAP
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(DamagedGolden):
        read_golden(GOLDEN_BYTE_MAP, folder=golden_copy)


def test_an_absent_frozen_copy_is_refused_by_its_path(golden_copy):
    (golden_copy / GOLDEN_BYTE_MAP).unlink()
    with pytest.raises(DamagedGolden, match=f"{GOLDEN_BYTE_MAP} cannot be believed: it cannot be read"):
        read_golden(GOLDEN_BYTE_MAP, folder=golden_copy)


def test_a_manifest_that_pins_nothing_vouches_for_nothing(golden_copy):
    for content in ("", "[]", "{}", '{"files": {}}', '{"files": null}'):
        (golden_copy / golden.MANIFEST).write_text(content)
        with pytest.raises(DamagedGolden, match=f"{golden.MANIFEST} cannot be believed: it pins no digest"):
            read_golden(GOLDEN_BYTE_MAP, folder=golden_copy)


def test_the_script_confirms_the_frozen_copy_with_the_installed_libraries(capsys):
    library("transformers")
    assert make_golden.main(["--check"]) == ExitCode.PASS
    assert capsys.readouterr().err == ""


def test_the_script_makes_the_same_table_again(tmp_path):
    library("transformers")
    assert make_golden.main([], folder=tmp_path) == ExitCode.PASS
    assert read_golden(GOLDEN_BYTE_MAP, folder=tmp_path) == read_golden(GOLDEN_BYTE_MAP)


def test_the_check_fails_on_a_sound_copy_of_another_table_and_leaves_it_alone(tmp_path, capsys):
    library("transformers")
    table = gpt2_byte_map()
    table[0], table[1] = table[1], table[0]
    content = make_golden.render_byte_map(table)
    (tmp_path / GOLDEN_BYTE_MAP).write_bytes(content)
    (tmp_path / golden.MANIFEST).write_bytes(make_golden.render_manifest(content, []))
    assert make_golden.main(["--check"], folder=tmp_path) == ExitCode.FAIL
    assert "the installed libraries say otherwise" in capsys.readouterr().err
    assert (tmp_path / GOLDEN_BYTE_MAP).read_bytes() == content


def test_the_check_fails_on_a_damaged_copy(golden_copy, capsys):
    library("transformers")
    (golden_copy / GOLDEN_BYTE_MAP).write_text("{}")
    assert make_golden.main(["--check"], folder=golden_copy) == ExitCode.FAIL
    assert "cannot be believed" in capsys.readouterr().err


def test_the_script_writes_nothing_while_a_library_is_absent(tmp_path, monkeypatch, capsys):
    name = "some-library"

    def absent():
        raise OracleAbsent(name, "it is not installed")

    monkeypatch.setattr(make_golden, "BYTE_MAP_ORACLES", {name: absent})
    assert make_golden.main([], folder=tmp_path) == ExitCode.ERROR
    assert "python -m pip install some-library" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_libraries_that_disagree_make_no_table():
    table = gpt2_byte_map()
    other = {**table, 0x41: table[0x42], 0x42: table[0x41]}
    with pytest.raises(OracleRejected) as caught:
        make_golden.agreed_byte_map([FakeByteMap(table, "one"), FakeByteMap(other, "two")])
    assert (caught.value.name, caught.value.check) == ("two", "agrees with one on the byte map")
    assert (caught.value.expected, caught.value.got) == ({0x41: "A", 0x42: "B"}, {0x41: "B", 0x42: "A"})
