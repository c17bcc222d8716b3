"""Our own Hypothesis profiles.

Hypothesis loads its built-in ``ci`` profile by itself where it sees a CI machine, so that a run there differs from
a run at home. Every way into the tests (pytest, tox, `ol`, mutmut) loads one of these instead. None has a deadline
(a verdict must not hang on load) and none has a database (a replayed failure is state carried between runs).
"""

from __future__ import annotations

import os
from enum import StrEnum

from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

VARIABLE = "TOKPROOF_PROFILE"


class Profile(StrEnum):
    """How a run uses Hypothesis."""

    TESTS = "tokproof-tests"
    """A person runs pytest: everything, shrinking included, the same inputs on every run."""
    SCORE = "tokproof-score"
    """Only the verdict counts: worked examples, then search, no shrinking."""
    CHECK = "tokproof-check"
    """A person will read the failures: as for a score, and every failing input is shrunk to its smallest."""
    SEARCH = "tokproof-search"
    """Random search alone: what a property finds without its worked examples."""


# A mutant may be slow or throw most inputs away; that is its verdict to earn, not a reason to stop the run.
# `differing_executors` and `nested_given` stay on: they would show a fault in the engine.
_TOLERATED = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
_MAX_EXAMPLES = 100
_QUICK_EXAMPLES = 50
"""Where somebody waits. What kills a curated mutant is a worked example or an exhaustion, so no verdict hangs on it."""
_CHECK_EXAMPLES = 30
"""Where a class waits. In the median, each claimed search of M05.2 needs five at most (`ol score M05.2 --seeds 30`)."""


def register() -> None:
    """Make the profiles known to Hypothesis; doing so twice changes nothing."""
    common = settings(
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        max_examples=_MAX_EXAMPLES,
        report_multiple_bugs=False,
        suppress_health_check=_TOLERATED,
    )
    search = settings(common, phases=[Phase.generate])
    settings.register_profile(Profile.SEARCH, search)
    quick = settings(search, max_examples=_QUICK_EXAMPLES)
    settings.register_profile(Profile.SCORE, quick, phases=[Phase.explicit, Phase.generate])
    check = settings(search, max_examples=_CHECK_EXAMPLES)
    settings.register_profile(Profile.CHECK, check, phases=[Phase.explicit, Phase.generate, Phase.shrink])
    settings.register_profile(
        Profile.TESTS, common, derandomize=True, phases=[Phase.explicit, Phase.generate, Phase.shrink]
    )


def load() -> Profile:
    """Load the profile that the environment names, else the one for people; return its name."""
    register()
    profile = Profile(os.environ.get(VARIABLE, Profile.TESTS))
    settings.load_profile(profile)
    return profile


def neutralise_harvest() -> None:
    """Keep Hypothesis from drawing constants that it finds in the source of loaded local modules.

    It does so to find bugs faster, but then the inputs depend on which modules happen to be imported, the mutant
    among them. There is no public switch: this puts an empty pool in the place of the private one, and
    ``tests/harness/test_profiles.py`` fails where a release of Hypothesis no longer has that place.
    """
    empty = providers.Constants()  # type: ignore[attr-defined]
    providers._get_local_constants = lambda: empty
