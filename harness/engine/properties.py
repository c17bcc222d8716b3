"""What the engine does to a property: give it a seed, and count the inputs that it tries."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hypothesis
import pytest
from hypothesis.errors import StopTest, UnsatisfiedAssumption


@dataclass
class Count:
    """Inputs tried so far, and at which of them the property first failed (0: it did not)."""

    tried: int = 0
    failed_at: int = 0

    @property
    def until_failure(self) -> int:
        """Inputs tried up to the first failure, that one included, or all of them where there was none."""
        return self.failed_at or self.tried


def is_property(item: pytest.Item) -> bool:
    """Whether Hypothesis generates this test's input."""
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False) is True


def seed_and_count(item: pytest.Item, seed: int) -> Count:
    """Give a property its seed and count the inputs that it tries."""
    function: Any = getattr(item, "obj")  # noqa: B009  pytest declares it on functions only
    hypothesis.seed(seed)(function)
    count = Count()
    function.hypothesis.inner_test = _counted(function.hypothesis.inner_test, count)
    return count


def _counted(inner: Callable[..., object], count: Count) -> Callable[..., object]:
    @functools.wraps(inner)
    def counted(*args: object, **kwargs: object) -> object:
        count.tried += 1
        try:
            return inner(*args, **kwargs)
        except (StopTest, UnsatisfiedAssumption):
            raise
        except BaseException:
            count.failed_at = count.failed_at or count.tried
            raise

    return counted
