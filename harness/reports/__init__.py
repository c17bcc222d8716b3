"""What a person or a machine reads of a run: each module is a function from records to text."""
