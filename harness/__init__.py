"""tokproof: prove a byte-level tokenizer right, or show the smallest input on which it is wrong."""

__version__ = "0.1.0"
