"""Makes the golden byte map from three libraries that must agree, and the manifest that vouches for it.

Run as ``python -m harness.bytelevel.golden.make_golden``. With ``--check`` nothing is written: the files
that are there are compared with what the installed libraries say today (exit 1 where they differ). The
manifest's versions are those of the day of making; a check under other versions is the stronger evidence,
so they are not compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.bytelevel.golden import COMMAND, FOLDER, MANIFEST, DamagedGolden, read_golden
from harness.bytelevel.oracles import (
    BYTE_MAP_ORACLES,
    GOLDEN_BYTE_MAP,
    ByteMapOracle,
    OracleRejected,
)
from harness.errors import ExitCode, HarnessError

ORIGIN = (
    "the table of OpenAI's gpt-2 release (src/encoder.py, bytes_to_unicode): all 256 entries as transformers "
    "publishes them and as tiktoken's loader reads vocab.bpe and encoder.json; tokenizers' ByteLevel agrees "
    "on the 243 bytes that occur in UTF-8 text and on the set of the 13 characters that are left"
)


def agreed_byte_map(oracles: Sequence[ByteMapOracle]) -> dict[int, str]:
    """Return the first oracle's table, which is whole; OracleRejected where another one differs."""
    first, *others = oracles
    table = first.byte_map()
    for other in others:
        shown = other.byte_map()
        here = {byte: table[byte] for byte in shown}
        if shown != here:
            differing = {byte: character for byte, character in shown.items() if character != here[byte]}
            check = f"agrees with {first.name} on the byte map"
            raise OracleRejected(other.name, check, {byte: here[byte] for byte in differing}, differing)
        if other.alphabet() != set(table.values()):
            check = f"has the alphabet of {first.name}"
            raise OracleRejected(other.name, check, sorted(table.values()), sorted(other.alphabet()))
    return table


def render_byte_map(table: dict[int, str]) -> bytes:
    """Render as JSON, a byte a line, ascending, in ASCII: no editor or normalisation can change it unseen."""
    entries = {str(byte): table[byte] for byte in sorted(table)}
    return (json.dumps(entries, ensure_ascii=True, indent=1) + "\n").encode("ascii")


def render_manifest(content: bytes, oracles: Sequence[ByteMapOracle]) -> bytes:
    """Render the manifest for `content`, with the versions of everything that had a part in it."""
    versions = {"python": platform.python_version()} | {oracle.name: oracle.version for oracle in oracles}
    entry = {
        "origin": ORIGIN,
        "command": COMMAND,
        "versions": versions,
        "size_bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    return (json.dumps({"files": {GOLDEN_BYTE_MAP: entry}}, indent=1) + "\n").encode("ascii")


def main(arguments: Sequence[str] | None = None, *, folder: Path = FOLDER) -> int:
    """Write the golden files into `folder`, or check those that are there; return the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Make the golden byte map, or check it.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing; exit 1 on a difference")
    check_only: bool = parser.parse_args(arguments).check
    try:
        oracles = [construct() for construct in BYTE_MAP_ORACLES.values()]
        content = render_byte_map(agreed_byte_map(oracles))
    except HarnessError as problem:
        sys.stderr.write(f"{problem}\n{problem.remedy}\n")
        return problem.exit_code
    return _check(content, folder) if check_only else _write(content, oracles, folder)


def _check(content: bytes, folder: Path) -> int:
    try:
        frozen = read_golden(GOLDEN_BYTE_MAP, folder=folder)
    except DamagedGolden as problem:
        sys.stderr.write(f"{problem}\n{problem.remedy}\n")
        return ExitCode.FAIL
    if frozen != content:
        sys.stderr.write(f"{folder / GOLDEN_BYTE_MAP} is sound, but the installed libraries say otherwise\n")
        return ExitCode.FAIL
    sys.stdout.write(f"{folder / GOLDEN_BYTE_MAP} is what the installed libraries say\n")
    return ExitCode.PASS


def _write(content: bytes, oracles: Sequence[ByteMapOracle], folder: Path) -> int:
    for name, new in ((GOLDEN_BYTE_MAP, content), (MANIFEST, render_manifest(content, oracles))):
        (folder / name).write_bytes(new)
        sys.stdout.write(f"wrote {folder / name}\n")
    return ExitCode.PASS


if __name__ == "__main__":
    raise SystemExit(main())
