"""The code under test, and how it comes to stand where the tests import it."""
