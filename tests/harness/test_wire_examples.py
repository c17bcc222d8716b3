"""The example subjects in other languages are held to the course's own tests, as any subject is."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from harness.bytelevel.oracles import GPT2_ORACLES, IdOracle, OracleAbsent
from harness.bytelevel.strategies import utf8_texts
from harness.bytelevel.vocab import GPT2_ENCODER_JSON, GPT2_VOCAB_BPE, MissingData, locate
from harness.course import load_course
from harness.subject.launch import Request, Wired
from harness.subject.sandbox import Level, strongest

pytestmark = pytest.mark.sandbox

COURSE = load_course()
MODULE = COURSE.module("M05.2")
EXAMPLES = Path(__file__).parents[2] / "examples" / "wire"
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ssl")
FEW = "wire-examples"
settings.register_profile(
    FEW,
    max_examples=20,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(autouse=True)
def few_examples() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.load_profile(FEW)
    yield
    settings.load_profile(before)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return os.path.realpath(found)


def request(program: tuple[str, ...], level: Level, **units: bytes) -> Request:
    return Request(
        units={name.replace("__", "."): contents for name, contents in units.items()},
        serve=MODULE.units,
        program=program,
        level=level,
        readable=SYSTEM,
    )


def javascript(level: Level) -> Request:
    source = (EXAMPLES / "bytemap.mjs").read_bytes()
    return request((tool("node"), "../modules/bytemap.mjs"), level, bytemap__mjs=source)


def tcl(level: Level) -> Request:
    source = (EXAMPLES / "bytemap.tcl").read_bytes()
    return request((tool("tclsh"), "../modules/bytemap.tcl"), level, bytemap__tcl=source)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    compiler = shutil.which("rustc")
    if compiler is None:
        pytest.skip("rustc is not installed")
    binary = tmp_path_factory.mktemp("rust") / "bytemap"
    line = [compiler, "-O", "--edition", "2021", "-D", "warnings", "-o", str(binary), str(EXAMPLES / "bytemap.rs")]
    subprocess.run(line, check=True, capture_output=True)
    return binary.read_bytes()


def failures(wanted: Request, files: set[str]) -> dict[str, str]:
    """What each test of these files failed with."""
    found = {}
    with Wired(wanted) as wired, wired.installed():
        for path in COURSE.test_files(MODULE):
            if path.name in files:
                spec = importlib.util.spec_from_file_location(f"wire_examples_{path.stem}", path)
                assert spec is not None
                assert spec.loader is not None
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                for name, test in vars(module).items():
                    if name.startswith("test_") and isinstance(test, FunctionType):
                        try:
                            test()
                        except BaseException as error:
                            found[name] = f"{type(error).__name__}: {error}"
        wired.close()
    return found


LEVELS = sorted({Level.L0, strongest()})


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_javascript_passes_every_test(level: Level) -> None:
    assert failures(javascript(level), {"test_maps.py", "test_table.py", "test_text.py"}) == {}


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_rust_passes_the_tests_of_the_table_and_of_text(compiled: bytes, level: Level) -> None:
    wanted = request(("../modules/bytemap",), level, bytemap=compiled)
    assert failures(wanted, {"test_table.py", "test_text.py"}) == {}


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_program_without_a_json_library_passes_the_tests_of_text(level: Level) -> None:
    assert failures(tcl(level), {"test_text.py"}) == {}


def test_a_wrong_table_is_noticed_in_any_language() -> None:
    wanted = javascript(strongest())
    source = wanted.units["bytemap.mjs"]
    assert isinstance(source, bytes)
    wrong = source.replace(b"byte >= 0xae", b"byte >= 0xad")
    assert wrong != source
    faulty = request(wanted.program, wanted.level, bytemap__mjs=wrong)
    assert "test_matches_gpt2_table" in failures(faulty, {"test_table.py"})


def test_batches_are_answered_together_or_one_by_one() -> None:
    for wanted in (javascript(Level.L1), tcl(Level.L1)):
        with Wired(wanted) as wired:
            calls: list[tuple[str, tuple[object, ...]]] = [
                ("encode_bytes", (b" ",)),
                ("decode_chars", ("€",)),
                ("encode_bytes", (b"\n",)),
            ]
            first, second, third = wired.link.batch("tinyllm.tok.bytes_unicode", calls)
            assert (first, third) == ("Ġ", "Ċ")
            assert isinstance(second, ValueError)


def test_the_examples_import_nothing_of_ours() -> None:
    for path in EXAMPLES.iterdir():
        assert "harness" not in path.read_text(), path


@pytest.fixture(scope="module")
def gpt2() -> Iterator[Wired]:
    try:
        files = {file.name: locate(file).read_bytes() for file in (GPT2_ENCODER_JSON, GPT2_VOCAB_BPE)}
    except MissingData as problem:
        pytest.skip(str(problem))
    wanted = javascript(strongest())
    program = (*wanted.program, *(f"../modules/{name}" for name in files))
    with Wired(
        Request(
            units={**wanted.units, **files},
            serve=("gpt2.py",),
            program=program,
            level=wanted.level,
            readable=wanted.readable,
        )
    ) as started:
        yield started
        started.close()


@pytest.mark.parametrize(
    "text", ["", "Hello world", "don't  stop\n\n x", "Ġ 日本語 🙂", "<|endoftext|>", "a" * 300, "\u00a0\u200b 12 ½"]
)
def test_javascript_encodes_as_gpt2_does(gpt2: Wired, text: str) -> None:
    """Unassigned and newly assigned characters are left out: two engines may know different versions of Unicode."""
    oracle = ask_tiktoken()
    subject = gpt2.modules["gpt2"]
    assert subject.encode(text) == oracle.encode(text)
    assert subject.decode(oracle.encode(text)) == text


@given(text=utf8_texts().filter(lambda text: all(ord(char) < 0x2E80 for char in text)))
def test_javascript_encodes_drawn_text_as_gpt2_does(gpt2: Wired, text: str) -> None:
    assert gpt2.modules["gpt2"].encode(text) == ask_tiktoken().encode(text)


def ask_tiktoken() -> IdOracle:
    try:
        return GPT2_ORACLES["tiktoken"]()
    except OracleAbsent as problem:
        pytest.skip(str(problem))
