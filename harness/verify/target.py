"""What the command line names as the tokenizer, turned into a process that can be started."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bytelevel import adapters
from harness.bytelevel.encodings import Encoding
from harness.bytelevel.vocab import locate
from harness.errors import UsageError
from harness.subject.launch import Request
from harness.subject.sandbox import Level
from harness.verify.session import MODULE

LIBRARIES = ("tiktoken", "tokenizers", "transformers")
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ssl", "/etc/alternatives")
_PYTHON = re.compile(r"python:(?P<module>[\w.]+)(?::(?P<factory>[\w.]+))?(?P<call>\(.*\))?", re.DOTALL)
_DATA = "../modules/data"
_SUFFIXES = (".json", ".bpe", ".tiktoken")
_KINDS = "tiktoken, tokenizers, transformers, python:MODULE:FACTORY, a file (*.json, *.bpe, *.tiktoken), or -- PROGRAM"


@dataclass(frozen=True, slots=True)
class Options:
    """How a tokenizer is run."""

    python: Path | None = None
    """A virtual environment, or its interpreter; None for the one that runs tokproof."""
    paths: tuple[Path, ...] = ()
    """Folders in front of the module path, and whatever else it may read."""
    level: Level = Level.L0
    memory_bytes: int = 4 << 30
    call_limit_s: float = 20.0
    start_limit_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Target:
    """A tokenizer that can be started."""

    shown: str
    """The words of the command line that name it."""
    request: Request


def resolve(words: Sequence[str], program: Sequence[str], encoding: Encoding, options: Options) -> Target:
    """The tokenizer that `words` or `program` name; UsageError where they name none."""
    if program:
        return _program(program, options)
    if len(words) != 1:
        message = f"one tokenizer is verified at a time, not {' '.join(words) or 'none'}"
        raise UsageError(message, remedy=f"name one of: {_KINDS}")
    word = words[0]
    if word in LIBRARIES:
        return _python(word, {"kind": "library", "name": word}, encoding, options, {})
    if word.startswith("python:"):
        return _python(word, {"kind": "module", **_parsed(word)}, encoding, options, {})
    path = Path(word)
    if not path.suffix and not path.exists():
        message = f"{word!r} names no tokenizer"
        raise UsageError(message, remedy=f"name one of: {_KINDS}")
    if path.suffix not in _SUFFIXES:
        message = f"{word!r} is no file that describes a tokenizer: its name ends in none of {', '.join(_SUFFIXES)}"
        raise UsageError(message, remedy=f"name one of: {_KINDS}")
    try:
        contents = path.read_bytes()
    except OSError as error:
        message = f"{word}: {error.strerror or error}"
        raise UsageError(message) from None
    wanted = {"kind": "file", "file": f"../modules/given/{path.name}"}
    return _python(word, wanted, encoding, options, {f"given/{path.name}": contents})


def _parsed(word: str) -> dict[str, Any]:
    match = _PYTHON.fullmatch(word)
    if match is None:
        message = f"{word!r} is not of the form python:PKG.MODULE:FACTORY or python:PKG.MODULE:FACTORY('argument')"
        raise UsageError(message)
    call = None
    if match["call"]:
        try:
            call = ast.literal_eval(match["call"][:-1] + ",)" if match["call"] != "()" else "()")
            json.dumps(call)
        except (ValueError, SyntaxError, TypeError):
            message = f"the arguments {match['call']} of {word!r} are no literals"
            raise UsageError(message, remedy="text, numbers, true and false, and lists of them") from None
    return {"module": match["module"], "factory": match["factory"] or "", "call": call}


def _python(word: str, wanted: dict[str, Any], encoding: Encoding, options: Options, units: dict[str, bytes]) -> Target:
    interpreter = _interpreter(options.python)
    data = {f"data/{file.name}": locate(file).read_bytes() for file in encoding.files}
    data |= {f"data/{file.cache_key}": data[f"data/{file.name}"] for file in encoding.files}
    for source in (Path(adapters.__file__), Path(__file__).with_name("shim.py")):
        data[source.name] = source.read_bytes()
    config = {
        **wanted,
        "data": _DATA,
        "path": [str(path.resolve()) for path in options.paths],
        "encoding": {
            "name": encoding.name,
            "pattern": encoding.oracle_pattern if wanted["kind"] == "file" else encoding.pattern,
            "special": dict(encoding.special),
        },
        "memory_bytes": options.memory_bytes,
    }
    line = (str(interpreter), "-B", "-X", "utf8", "../modules/shim.py", json.dumps(config))
    readable = (*_SYSTEM, *_homes(interpreter), *(str(path.resolve()) for path in options.paths))
    return Target(word, _request({**units, **data}, line, readable, options))


def _interpreter(named: Path | None) -> Path:
    if named is None:
        return Path(sys.executable)
    for candidate in (named, named / "bin" / "python"):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate.absolute()
    message = f"{named} is neither an interpreter nor a virtual environment with bin/python"
    raise UsageError(message, remedy="make one with `python -m venv DIR` and install the tokenizer there")


def _homes(interpreter: Path) -> list[str]:
    """The folders of an interpreter: of its virtual environment, and of what that was made from."""
    found = [str(interpreter.parent.parent)]
    configured = interpreter.parent.parent / "pyvenv.cfg"
    if configured.is_file():
        for line in configured.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home":
                found.append(str(Path(value.strip()).resolve().parent))
    found.append(str(interpreter.resolve().parent.parent))
    return list(dict.fromkeys(one for one in found if one != "/"))


def _program(program: Sequence[str], options: Options) -> Target:
    found = shutil.which(program[0])
    if found is None:
        message = f"{program[0]!r} is no program that can be started"
        raise UsageError(message, remedy="what stands behind -- is a command line: `ol verify -- node my_tok.js`")
    line = [os.path.realpath(found)]
    folders = {str(Path.cwd())}
    for word in program[1:]:
        path = Path(word)
        exists = not word.startswith("-") and path.exists()
        line.append(str(path.resolve()) if exists else word)
        if exists:
            folders.add(str(path.resolve() if path.is_dir() else path.resolve().parent))
    readable = (*_SYSTEM, str(Path(line[0]).parent), *sorted(folders), *(str(path.resolve()) for path in options.paths))
    return Target("-- " + " ".join(program), _request({}, tuple(line), readable, options))


def _request(units: dict[str, bytes], line: tuple[str, ...], readable: tuple[str, ...], options: Options) -> Request:
    return Request(
        units=units,
        serve=(f"{MODULE}.py",),
        program=line,
        level=options.level,
        readable=tuple(dict.fromkeys(readable)),
        writable=True,
        memory_bytes=options.memory_bytes,
        call_limit_s=options.call_limit_s,
        start_limit_s=options.start_limit_s,
    )
