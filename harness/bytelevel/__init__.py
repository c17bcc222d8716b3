"""The room that knows tokenizers: strategies, published vocabularies, and the libraries that serve as oracles."""
