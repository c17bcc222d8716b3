"""The conformance suite: what a tokenizer is asked, what is expected of each answer, and what the differences mean."""
