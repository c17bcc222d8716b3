"""`ol verify`: any tokenizer, in any language, held to a published encoding."""
