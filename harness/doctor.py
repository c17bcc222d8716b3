"""Examines what a verdict rests on: interpreter, libraries, GPT-2's files, the golden table, the oracles.

It looks and reports; printing and exit codes are the command's affair.
"""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Callable, Iterator

from harness.bytelevel.golden import DamagedGolden
from harness.bytelevel.oracles import (
    BYTE_MAP_ORACLES,
    GPT2_ORACLES,
    ByteMapOracle,
    IdOracle,
    OracleAbsent,
    gpt2_byte_map,
)
from harness.bytelevel.vocab import GPT2_ENCODER_JSON, GPT2_VOCAB_BPE, MissingData, PublishedFile, locate
from harness.errors import HarnessError
from harness.records import Finding, State
from harness.subject import sandbox

LIBRARIES = ("hypothesis", "pytest", "tiktoken", "tokenizers", "transformers", "regex")
"""Distributions whose versions belong in any report of a fault; only their versions are read here."""


def examine() -> tuple[Finding, ...]:
    """Look at everything, whatever is found on the way; some seconds where transformers is installed."""
    return tuple(_findings())


def _findings() -> Iterator[Finding]:
    yield Finding("python", State.OK, f"{platform.python_implementation()} {platform.python_version()}")
    yield from map(_distribution, LIBRARIES)
    yield from map(_published, (GPT2_ENCODER_JSON, GPT2_VOCAB_BPE))
    yield _observed("golden byte map", lambda: f"{len(gpt2_byte_map())} entries, digest as in the manifest")
    for name, byte_map in BYTE_MAP_ORACLES.items():
        yield _observed(f"oracle {name}: byte map", _describing_byte_map(byte_map))
    for name, gpt2 in GPT2_ORACLES.items():
        yield _observed(f"oracle {name}: gpt2", _describing_ids(gpt2))
    yield from map(_isolation, sandbox.probe())


def _isolation(probe: sandbox.Probe) -> Finding:
    name, meaning = f"isolation {probe.level.name}", probe.level.meaning
    if probe.state is sandbox.State.ABSENT:
        return Finding(name, State.ABSENT, probe.detail, f"without it {probe.lost}")
    return Finding(name, State.OK, f"{meaning} ({probe.detail})" if probe.detail != meaning else meaning)


def _distribution(name: str) -> Finding:
    try:
        return Finding(name, State.OK, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, State.ABSENT, "not installed", f"python -m pip install {name}")


def _published(file: PublishedFile) -> Finding:
    return _observed(f"GPT-2 {file.name}", lambda: f"{locate(file)}, SHA-256 {file.sha256}")


def _observed(name: str, look: Callable[[], str]) -> Finding:
    """Turn what `look` tells, or the error it ends in, into a finding."""
    try:
        return Finding(name, State.OK, look())
    except HarnessError as problem:
        return Finding(name, _state_of(problem), str(problem), problem.remedy)


def _state_of(problem: HarnessError) -> State:
    match problem:
        case OracleAbsent():
            return State.ABSENT
        case MissingData(found=""):
            return State.ABSENT
        case MissingData() | DamagedGolden():
            return State.DAMAGED
        case _:
            return State.REJECTED


def _describing_byte_map(construct: Callable[[], ByteMapOracle]) -> Callable[[], str]:
    def describe() -> str:
        oracle = construct()
        return f"{oracle.version}, self-check passed, shows {len(oracle.byte_map())} entries"

    return describe


def _describing_ids(construct: Callable[[], IdOracle]) -> Callable[[], str]:
    def describe() -> str:
        oracle = construct()
        return f"{oracle.version}, self-check passed, shows the bytes of {len(oracle.token_bytes()):,} tokens"

    return describe
