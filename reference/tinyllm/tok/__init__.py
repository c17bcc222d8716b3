"""Tokenizers that work on bytes."""
