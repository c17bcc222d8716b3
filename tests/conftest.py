"""Every way into the tests uses the project's own Hypothesis profile."""

from harness import profiles

profiles.load()
