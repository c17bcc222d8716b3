"""The courses and hostile subjects below are data for the engine's tests, not tests."""

collect_ignore = ["courses", "hostile", "data"]
