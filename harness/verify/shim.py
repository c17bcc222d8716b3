"""The subject's side of `ol verify` for Python: loads a tokenizer, adapts it, and speaks the wire (docs/wire.md).

It runs in the interpreter that the user names, which may be older than ours and has nothing of ours installed: the
standard library and its neighbour `adapters` are all that it imports. What the tokenizer prints goes to a file, and the
judge is told of it. Nothing here is a boundary: the sandbox is.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import adapters  # type: ignore[import-not-found]

_SAFE_INTEGER = 2**53
_PRINTED = "printed.txt"


# --- values -------------------------------------------------------------------------------------------------------


def read(tree: Any) -> Any:
    """The value that a part of a request stands for."""
    if type(tree) is list:
        return [read(one) for one in tree]
    if type(tree) is not dict:
        return tree
    for tag, value in tree.items():
        if tag in _READERS:
            return _READERS[tag](value)
    message = f"no value has the tags {sorted(tree)[:4]}"
    raise NotImplementedError(message)


_READERS = {
    "text": lambda codes: "".join(map(chr, codes)),
    "str": lambda text: text,
    "bytes": bytes.fromhex,
    "bytearray": lambda digits: bytearray.fromhex(digits),
    "list": lambda items: [read(one) for one in items],
    "tuple": lambda items: tuple(read(one) for one in items),
    "map": lambda pairs: {read(key): read(value) for key, value in pairs},
    "int": lambda digits: int(digits, 16),
    "float": float.fromhex,
}


def write(value: Any) -> Any:
    """What JSON writes for a result; NotImplementedError for what the wire does not carry."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -_SAFE_INTEGER <= value <= _SAFE_INTEGER else {"int": f"{value:x}"}
    if kind is list:
        return value if set(map(type, value)) <= {int} and _are_safe(value) else [write(one) for one in value]
    if kind is str:
        return {"text": [ord(one) for one in value]} if _has_surrogate(value) else value
    if kind is float:
        return {"float": value.hex()}
    if kind in (bytes, bytearray):
        return {kind.__name__: value.hex()}
    if kind is tuple:
        return {"tuple": [write(one) for one in value]}
    if kind is dict:
        return {"map": [[write(key), write(one)] for key, one in value.items()]}
    for base in _BASES:
        if isinstance(value, base):
            return write(base(value))
    if hasattr(value, "__index__"):
        return write(value.__index__())
    return {"foreign": kind.__name__[:200]}


_BASES: tuple[Any, ...] = (str, int, bytes, list, tuple, dict)


def _are_safe(numbers: list[int]) -> bool:
    return not numbers or (min(numbers) >= -_SAFE_INTEGER and max(numbers) <= _SAFE_INTEGER)


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def failure(error: BaseException) -> dict[str, Any]:
    """An exception as the wire tells of it: its nearest builtin ancestors, and what it says."""
    import builtins

    bases = [
        kind.__name__
        for kind in type(error).__mro__
        if getattr(builtins, kind.__name__, None) is kind and issubclass(kind, Exception)
    ]
    try:
        message = str(error)[:2000]
    except Exception:
        message = "its message cannot be shown"
    if not bases:  # a panic of Rust is a BaseException, which an `except Exception` of its user does not catch
        return {
            "type": type(error).__name__[:200],
            "bases": ["RuntimeError"],
            "message": "not an Exception: " + message,
        }
    return {"type": type(error).__name__[:200], "bases": bases[:8], "message": write(message)}


# --- the conversation ---------------------------------------------------------------------------------------------


def load(wanted: dict[str, Any]) -> Any:
    """The tokenizer that the judge names, adapted; whatever its import raises comes out."""
    data, encoding = wanted["data"], wanted["encoding"]
    os.environ["TIKTOKEN_CACHE_DIR"] = data
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HOME"] = str(Path.cwd())
    sys.path[:0] = wanted["path"]
    if wanted["kind"] == "library":
        found = adapters.library(wanted["name"], data, encoding)
    elif wanted["kind"] == "file":
        found = adapters.tokenizer_of_file(wanted["file"], data, encoding)
    else:
        found = importlib.import_module(wanted["module"])
        for part in filter(None, wanted["factory"].split(".")):
            found = getattr(found, part)
        if wanted["call"] is not None:
            found = found(*wanted["call"])
        elif wanted["factory"] and callable(found) and not hasattr(found, "encode"):
            found = found()
    return adapters.adapt(found, data, encoding)


def serve(reading: Any, writing: int, wanted: dict[str, Any]) -> None:
    """Answer every line until a closing frame or the end of the input."""
    functions: dict[str, Any] = {}
    for line in reading:
        request = json.loads(line)
        answer: dict[str, Any] = {"id": request["id"]}
        if "hello" in request:
            try:
                adapted = load(wanted)
                functions = dict(adapted.functions)
                functions["printed"] = printed
                functions["shape"] = lambda shape=adapted.shape: shape
                functions["versions"] = versions
                answer["ok"] = {"protocol": 1, "offers": sorted(functions)}
            except BaseException as error:
                answer["error"] = failure(error)
        elif "batch" in request:
            answer["batch"] = [result(functions, one) for one in request["batch"]]
        elif "call" in request:
            answer.update(result(functions, request))
        else:
            answer["ok"] = None
        data = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
        while data:
            data = data[os.write(writing, data) :]
        if "bye" in request:
            return


def result(functions: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one call, without its id."""
    try:
        arguments = [read(one) for one in request["args"]]
        return {"ok": write(functions[request["call"]](*arguments))}
    except BaseException as error:
        return {"error": failure(error)}


def printed() -> str:
    """What was printed since the process began, its beginning; empty where nothing was."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with Path(_PRINTED).open(encoding="utf-8", errors="replace") as file:
        return file.read(200)


def versions() -> dict[str, str]:
    """What answers: the interpreter and its Unicode."""
    import platform
    import unicodedata

    return {"python": platform.python_version(), "unicode": unicodedata.unidata_version}


def main() -> None:
    """Serve on the standard streams, which are then nobody else's."""
    wanted = json.loads(sys.argv[1])
    reading, writing = os.fdopen(os.dup(0), "rb"), os.dup(1)
    if wanted.get("memory_bytes"):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (wanted["memory_bytes"],) * 2)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(os.open(_PRINTED, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_APPEND, 0o600), 1)
    serve(reading, writing, wanted)
    os._exit(0)  # threads and exit handlers of a subject have no say in how this process ends


if __name__ == "__main__":
    main()
