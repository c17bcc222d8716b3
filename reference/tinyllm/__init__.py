"""The reference course: one correct implementation of each unit, laid out like a submission."""
