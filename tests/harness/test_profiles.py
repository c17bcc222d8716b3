"""Our own profiles are loaded, and Hypothesis reads no constants out of loaded modules."""

import subprocess
import sys

import pytest
from hypothesis import Phase, settings
from hypothesis.internal.conjecture import providers

from harness import profiles
from harness.profiles import Profile


def test_the_built_in_ci_profile_is_never_in_force() -> None:
    assert settings().database is None
    assert settings().deadline is None
    assert settings.get_profile(Profile.TESTS).derandomize


def test_a_score_never_shrinks_and_a_search_never_uses_examples() -> None:
    assert settings.get_profile(Profile.SCORE).phases == (Phase.explicit, Phase.generate)
    assert settings.get_profile(Profile.SEARCH).phases == (Phase.generate,)


@pytest.mark.parametrize("profile", Profile)
def test_the_profile_named_by_the_environment_is_loaded_even_on_a_ci_machine(profile: Profile) -> None:
    code = "from harness import profiles; from hypothesis import settings; profiles.load(); print(settings().phases)"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"CI": "true", profiles.VARIABLE: profile, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.strip() == str(settings.get_profile(profile).phases)


HARVEST = """
import types, sys
from hypothesis import find, settings, strategies as st
from hypothesis.internal.conjecture import providers
from harness import profiles
{neutralise}
import harvested
seen = set()
@settings(max_examples=2000, database=None, derandomize=True)
@__import__("hypothesis").given(st.integers())
def collect(n): seen.add(n)
collect()
print(987654321012 in seen)
"""


@pytest.mark.parametrize(("neutralise", "found"), [("", "True"), ("profiles.neutralise_harvest()", "False")])
def test_constants_of_local_modules_are_drawn_only_without_the_hook(
    neutralise: str, found: str, tmp_path: object
) -> None:
    """Both ways, so that a release of Hypothesis that moves the place of the hook is noticed."""
    from pathlib import Path

    home = Path(str(tmp_path))
    (home / "harvested.py").write_text("SECRET = 987654321012\n")
    code = HARVEST.format(neutralise=neutralise)
    path = ":".join([str(home), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True, cwd=home, check=False
    )
    assert done.stdout.strip() == found, done.stderr


def test_the_hook_has_its_place() -> None:
    assert callable(providers._get_local_constants)
