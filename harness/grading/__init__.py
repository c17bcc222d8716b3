"""A class is graded: what was handed in, what it is worth, and a store that survives whatever happens meanwhile."""
