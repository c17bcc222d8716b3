"""Every way into the tests uses the project's own Hypothesis profile, and draws do not depend on what is imported."""

from harness import profiles

profiles.load()
profiles.neutralise_harvest()
