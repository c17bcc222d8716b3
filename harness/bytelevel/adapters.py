"""Tokenizers of every common shape, brought to the few functions that `ol verify` asks for.

This file runs in the subject's interpreter, which may be older than ours and has nothing of ours installed: it imports
the standard library alone, and is copied there. Nothing of what it is given is trusted here; the judge compares.

An adapter is a dict from a function's name to a callable; `docs/verify.md` has the names and what each must return.
"""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Functions = dict[str, Callable[..., Any]]


class Adapted(NamedTuple):
    """A tokenizer that can be asked."""

    shape: str
    """tokproof, tiktoken, tokenizers, transformers or plain: which decides what is expected of bad input."""
    functions: Functions


class NoAdapter(Exception):
    """What was named is no tokenizer of a known shape; the message says what it lacks."""


def adapt(found: Any, data: str, encoding: Mapping[str, Any]) -> Adapted:
    """Bring a tokenizer, or the module or class of one, to functions.

    `data` is a folder with the published files of the encoding, `encoding` its name, pattern and special tokens, for
    shapes that load files themselves.
    """
    if inspect.iscoroutine(found):
        found = asyncio.run(found)
    if hasattr(found, "Encoder") and hasattr(found, "load_gpt2"):
        return Adapted("tokproof", contract(found, data, encoding))
    if inspect.isclass(found):
        found = found()
    if not callable(getattr(found, "encode", None)):
        message = f"{found!r:.100} has no encode: name what makes the tokenizer, as in python:MODULE:FACTORY"
        raise NoAdapter(message)
    home = type(found).__module__.partition(".")[0]
    if home == "transformers" or hasattr(found, "convert_ids_to_tokens"):
        return Adapted("transformers", with_many(transformers_like(found)))
    if hasattr(found, "encode_batch") and hasattr(found, "id_to_token"):
        return Adapted("tokenizers", with_many(tokenizers_like(found)))
    if hasattr(found, "encode_ordinary"):
        return Adapted("tiktoken", with_many(tiktoken_like(found)))
    return Adapted("plain", with_many(plain(found)))


# --- ids ----------------------------------------------------------------------------------------------------------


def ids_of(found: Any) -> Any:
    """The ids in whatever an encode returns: a list, an array, a tensor, an iterator, an object or a dict with ids."""
    for _ in range(4):
        if type(found) is list:
            return found
        if isinstance(found, Mapping) and "input_ids" in found:
            found = found["input_ids"]
        elif hasattr(found, "ids"):
            found = found.ids
        elif hasattr(found, "input_ids"):
            found = found.input_ids
        elif hasattr(found, "tolist"):
            found = found.tolist()
        elif isinstance(found, Iterable) and not isinstance(found, (str, bytes)):
            found = list(found)
        else:
            break
    return found


# --- shapes -------------------------------------------------------------------------------------------------------


def plain(tokenizer: Any) -> Functions:
    """Anything with `encode`, and perhaps `decode`: an object, or a module with functions."""
    encode = tokenizer.encode
    functions: Functions = {"encode": lambda text: ids_of(encode(text))}
    if callable(getattr(tokenizer, "decode", None)):
        functions["decode"] = lambda ids: tokenizer.decode(ids)
    for name in ("decode_bytes", "token_bytes", "stream", "encode_special", "encode_with_offsets", "n_vocab"):
        if callable(getattr(tokenizer, name, None)):
            functions[name] = getattr(tokenizer, name)
    return functions


def tiktoken_like(tokenizer: Any) -> Functions:
    """The `Encoding` of tiktoken, and what copies it."""
    functions = plain(tokenizer)
    functions["encode"] = tokenizer.encode_ordinary
    if type(tokenizer).__module__.partition(".")[0] != "tiktoken":
        functions["encode"] = lambda text: ids_of(tokenizer.encode_ordinary(text))
    if _takes(tokenizer.encode, "allowed_special"):
        functions["encode_special"] = lambda text: ids_of(tokenizer.encode(text, allowed_special="all"))
    if callable(getattr(tokenizer, "decode_single_token_bytes", None)):
        functions["token_bytes"] = tokenizer.decode_single_token_bytes
    if isinstance(getattr(tokenizer, "n_vocab", None), int):
        functions["n_vocab"] = lambda: tokenizer.n_vocab
    else:
        functions.pop("n_vocab", None)
    return functions


def tokenizers_like(tokenizer: Any) -> Functions:
    """`Tokenizer` of Hugging Face's tokenizers, and what copies it."""

    def ids_and_spans(text: str, special_is_text: bool) -> Any:
        # Set only where it changes: a thread that sets it while another encodes would be refused.
        if tokenizer.encode_special_tokens is not special_is_text:
            tokenizer.encode_special_tokens = special_is_text
        return tokenizer.encode(text, add_special_tokens=False)

    def encode(text: str) -> list[int]:
        return list(ids_and_spans(text, True).ids)

    def encode_special(text: str) -> list[int]:
        return list(ids_and_spans(text, False).ids)

    def encode_with_offsets(text: str) -> list[list[int]]:
        found = ids_and_spans(text, True)
        return [[number, *span] for number, span in zip(found.ids, found.offsets)]  # noqa: B905

    functions: Functions = {
        "encode": encode,
        "encode_special": encode_special,
        "encode_with_offsets": encode_with_offsets,
        "decode": lambda ids: tokenizer.decode(ids, skip_special_tokens=False),
        "n_vocab": tokenizer.get_vocab_size,
    }
    try:
        from tokenizers.decoders import DecodeStream
    except ImportError:
        return functions

    def stream(ids: Sequence[int]) -> list[str]:
        going = DecodeStream(skip_special_tokens=False)
        return [going.step(tokenizer, number) or "" for number in ids]

    functions["stream"] = stream
    return functions


def transformers_like(tokenizer: Any) -> Functions:
    """A tokenizer of transformers, fast or slow."""

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))

    def encode_with_offsets(text: str) -> list[list[int]]:
        found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True)
        return [[number, *span] for number, span in zip(found["input_ids"], found["offset_mapping"])]  # noqa: B905

    functions: Functions = {
        "encode": encode,
        "encode_special": lambda text: list(tokenizer.encode(text, add_special_tokens=False)),
        "decode": lambda ids: tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False),
        "n_vocab": lambda: len(tokenizer),
    }
    if getattr(tokenizer, "is_fast", False):
        functions["encode_with_offsets"] = encode_with_offsets
    return functions


def contract(module: Any, data: str, encoding: Mapping[str, Any]) -> Functions:
    """A module with the names of tokproof's L1.2: its encoder for the encoding, and what its loaders can be asked."""
    folder = Path(data)

    def load() -> Any:
        if encoding["name"] == "gpt2":
            return module.load_gpt2(folder / "encoder.json", folder / "vocab.bpe")
        ranks = folder / f"{encoding['name']}.tiktoken"
        return module.load_tiktoken(ranks, encoding["pattern"], encoding["special"])

    encoder = load()

    def stream(ids: Sequence[int]) -> list[str]:
        going = module.StreamDecoder(encoder)
        return [*(going.push(number) for number in ids), going.flush()]

    functions: Functions = {
        "encode": encoder.encode,
        "encode_special": lambda text: encoder.encode(text, "all"),
        "encode_with_offsets": lambda text: [list(one) for one in encoder.encode_with_offsets(text)],
        "decode": encoder.decode,
        "decode_bytes": encoder.decode_bytes,
        "token_bytes": lambda number: encoder.decode_bytes([number]),
        "n_vocab": lambda: encoder.vocab_size,
        "stream": stream,
    }
    functions = with_many(functions)
    made: list[Any] = []

    def encode_second(text: str) -> Any:
        if not made:
            made.append(load())
        encoder.encode(text)
        return made[0].encode(text)

    functions["encode_second"] = encode_second
    functions["build"] = lambda recipe: build(module, recipe)
    return functions


def _takes(function: Any, name: str) -> bool:
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


# --- what every shape gets ----------------------------------------------------------------------------------------


def with_many(functions: Functions) -> Functions:
    """Add what needs no more than `encode` and `decode`: many at once, threads, a result that its caller changes."""
    encode = functions["encode"]

    def many(name: str) -> Callable[[Sequence[Any]], list[Any]]:
        one = functions[name]

        def each(arguments: Sequence[Any]) -> list[Any]:
            found = []
            for argument in arguments:
                try:
                    found.append(one(argument))
                except Exception:  # the judge asks for this one by itself and gets the exception
                    found.append(None)
            return found

        return each

    def encode_changed(text: str) -> Any:
        first = encode(text)
        if type(first) is list:
            first.append(0)
            first[:1] = []
        return encode(text)

    def encode_threads(texts: Sequence[str], count: int = 8) -> list[Any]:
        found: list[Any] = [None] * count
        gate = threading.Barrier(count)

        def work(place: int) -> None:
            gate.wait()
            try:
                found[place] = [list(encode(text)) for text in texts]
            except Exception as error:
                found[place] = f"{type(error).__name__}: {error}"

        threads = [threading.Thread(target=work, args=(place,)) for place in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    added: Functions = {
        "encode_changed": encode_changed,
        "encode_threads": encode_threads,
        "encode_many": many("encode"),
    }
    for name in ("decode", "decode_bytes", "token_bytes", "encode_special", "encode_with_offsets", "stream"):
        if name in functions:
            added[name + "_many"] = many(name)
    return {**functions, **added}


# --- popular libraries and files ----------------------------------------------------------------------------------


def library(name: str, data: str, encoding: Mapping[str, Any]) -> Any:
    """The tokenizer of an installed tiktoken, tokenizers or transformers, over the published files in `data`."""
    if name == "tiktoken":
        import tiktoken

        return tiktoken.get_encoding(encoding["name"])
    if name == "tokenizers":
        return _tokenizers(data, encoding)
    if encoding["name"] != "gpt2":
        message = f"transformers has no tokenizer for {encoding['name']} by itself: name a file or a factory"
        raise NoAdapter(message)
    import transformers

    vocabulary = json.loads(Path(data, "encoder.json").read_text(encoding="utf-8"))
    merges: Any = [tuple(line.split(" ")) for line in Path(data, "vocab.bpe").read_text("utf-8").split("\n")[1:-1]]
    return transformers.GPT2Tokenizer(vocab=vocabulary, merges=merges)


def _tokenizers(data: str, encoding: Mapping[str, Any]) -> Any:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    if encoding["name"] != "gpt2":
        message = f"tokenizers reads {encoding['name']} only from a tokenizer.json: name that file"
        raise NoAdapter(message)
    made = Tokenizer(models.BPE.from_file(str(Path(data, "encoder.json")), str(Path(data, "vocab.bpe"))))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(text, normalized=False) for text in encoding["special"]])
    return made


def tokenizer_of_file(path: str, data: str, encoding: Mapping[str, Any]) -> Any:
    """The tokenizer that a file describes: tokenizer.json by tokenizers, ranks by tiktoken, merges by their order."""
    if path.endswith(".json"):
        from tokenizers import Tokenizer

        return Tokenizer.from_file(path)
    import tiktoken

    return tiktoken.Encoding(
        Path(path).name,
        pat_str=encoding["pattern"],
        mergeable_ranks=_ranks_of_file(path) if path.endswith(".tiktoken") else _ranks_of_merges(path),
        special_tokens=dict(encoding["special"]),
    )


def _ranks_of_file(path: str) -> dict[bytes, int]:
    """A file of ranks; tiktoken's own loader would write a copy of it into its cache."""
    fields = (line.split() for line in Path(path).read_bytes().splitlines() if line)
    return {base64.b64decode(token, validate=True): int(rank) for token, rank in fields}


def _byte_order() -> dict[str, int]:
    """The character of each byte in GPT-2's alphabet, in the order of the 256 ids."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = [byte for byte in range(256) if byte not in kept]
    return {**{chr(byte): byte for byte in kept}, **{chr(256 + place): byte for place, byte in enumerate(moved)}}


def _ranks_of_merges(path: str) -> dict[bytes, int]:
    """Bytes in GPT-2's order, then the product of each merge: what OpenAI's own `encoder.json` says of its merges."""
    byte_of = _byte_order()
    ranks = {bytes([byte]): rank for rank, byte in enumerate(byte_of.values())}
    lines = Path(path).read_bytes().decode("utf-8").split("\n")
    for line in lines[1 if lines[0].startswith("#version") else 0 :]:
        if line:
            left, right = line.split(" ")
            ranks[bytes(byte_of[character] for character in left + right)] = len(ranks)
    return ranks


# --- what loaders can be asked ------------------------------------------------------------------------------------


def build(module: Any, recipe: Mapping[str, Any]) -> list[Any]:
    """Write files, make an encoder of them or of arguments, ask it; the answers, an error as ``raises ValueError``.

    A recipe has `files`, by name: text, bytes, or a map that becomes JSON; `make`: a function of the module, its
    arguments, and named ones; `ask`: lists of a name and arguments, for a method or an attribute of what was made, or
    a function of the module. ``{"base": MAP}`` is MAP with the tokens of one byte before it, numbered as in
    GPT-2, and ``@NAME`` the path of a file.
    """
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name).resolve()
        for path, contents in recipe.get("files", {}).items():
            (folder / path).write_bytes(_contents(contents))
        function, arguments, named = [*recipe["make"], [], {}][:3]
        made: Any = None
        if function:
            made = getattr(module, function)(
                *(_argument(one, folder) for one in arguments),
                **{key: _argument(value, folder) for key, value in named.items()},
            )
        return [_answer(module, made, question, folder) for question in recipe["ask"]]


def _contents(contents: Any) -> bytes:
    if isinstance(contents, str):
        return contents.encode("utf-8")
    return contents if isinstance(contents, bytes) else json.dumps(_argument(contents, Path())).encode("utf-8")


def _argument(value: Any, folder: Path) -> Any:
    if isinstance(value, str) and value.startswith("@"):
        return folder / value[1:]
    if isinstance(value, dict):
        if value.keys() == {"base"}:
            return {**{token: number for number, token in enumerate(sorted(_byte_order()))}, **value["base"]}
        return {key: _argument(one, folder) for key, one in value.items()}
    return [_argument(one, folder) for one in value] if isinstance(value, list) else value


_TOLD = (UnicodeDecodeError, ValueError, TypeError)
"""What an error is told by: the kinds that callers tell apart."""


def _answer(module: Any, made: Any, question: Sequence[Any], folder: Path) -> Any:
    name, *rest = question
    arguments = [_argument(one, folder) for one in rest]
    try:
        if name == "read":  # the file that an earlier question wrote
            return arguments[0].read_bytes()
        if name == "json":  # a part of it
            return [list(one.values()) for one in json.loads(arguments[0].read_bytes())[arguments[1]]]
        if name == "pairs of bpe_ranks":
            return [[*pair, rank] for pair, rank in made.bpe_ranks.items()]
        if name == "stream":
            going = module.StreamDecoder(made)
            return [*(going.push(number) for number in arguments[0]), going.flush()]
        if name == "two streams":
            first, second = module.StreamDecoder(made), module.StreamDecoder(made)
            return [first.push(arguments[0]), second.push(arguments[1]), first.flush(), second.flush()]
        if name == "changed":
            made.encode(arguments[0]).append(0)
            return made.encode(arguments[0])
        if name.startswith("save_"):
            return getattr(module, name)(made, arguments[0])
        found = getattr(made if made is not None and hasattr(made, name) else module, name)
        found = found(*arguments) if callable(found) else found
    except Exception as error:
        return f"raises {next((kind.__name__ for kind in _TOLD if isinstance(error, kind)), type(error).__name__)}"
    if isinstance(found, (set, frozenset)):
        return sorted(list(one) for one in found)
    return [list(one) if isinstance(one, tuple) else one for one in found] if isinstance(found, list) else found
