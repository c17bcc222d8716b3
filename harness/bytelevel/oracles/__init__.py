"""The libraries that users mean by "GPT-2", behind one small interface, each examined before it is believed.

A library can be installed and still be no oracle: transformers 5.24 builds an empty tokenizer, without a
word, from the file names that transformers 4 took. So every function that hands out an oracle first holds
it to a few published facts that do not come from our own table, and raises OracleRejected where one fails;
OracleAbsent where the library is not installed; MissingData where GPT-2's files are needed and absent.

Importing this package imports none of the libraries: transformers alone costs about a second.
"""

from harness.bytelevel.oracles.bpe import (
    PUBLISHED,
    gpt2_pattern,
    gpt2_pieces,
    merged,
    published_encoding,
    tiktoken_over,
    tiktoken_published,
    tiktoken_slice,
    tokenizers_of_file,
)
from harness.bytelevel.oracles.byte_maps import (
    BYTE_MAP_ORACLES,
    BYTES_OUTSIDE_UTF8,
    GOLDEN_BYTE_MAP,
    examine_byte_map,
    gpt2_byte_map,
    tiktoken_byte_map,
    tokenizers_byte_map,
    transformers_byte_map,
)
from harness.bytelevel.oracles.gpt2 import (
    GPT2_END_OF_TEXT,
    GPT2_END_OF_TEXT_ID,
    GPT2_ORACLES,
    GPT2_SIZE,
    examine_gpt2,
    oracle_of_transformers,
    tiktoken_gpt2,
    tokenizers_gpt2,
    transformers_gpt2,
)
from harness.bytelevel.oracles.interface import ByteMapOracle, IdOracle, OracleAbsent, OracleRejected

__all__ = [
    "BYTES_OUTSIDE_UTF8",
    "BYTE_MAP_ORACLES",
    "GOLDEN_BYTE_MAP",
    "GPT2_END_OF_TEXT",
    "GPT2_END_OF_TEXT_ID",
    "GPT2_ORACLES",
    "GPT2_SIZE",
    "PUBLISHED",
    "ByteMapOracle",
    "IdOracle",
    "OracleAbsent",
    "OracleRejected",
    "examine_byte_map",
    "examine_gpt2",
    "gpt2_byte_map",
    "gpt2_pattern",
    "gpt2_pieces",
    "merged",
    "oracle_of_transformers",
    "published_encoding",
    "tiktoken_byte_map",
    "tiktoken_gpt2",
    "tiktoken_over",
    "tiktoken_published",
    "tiktoken_slice",
    "tokenizers_byte_map",
    "tokenizers_gpt2",
    "tokenizers_of_file",
    "transformers_byte_map",
    "transformers_gpt2",
]
