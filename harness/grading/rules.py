"""What each test is worth and what lateness costs: from a course and an instructor's rule file.

A rule file is TOML; `[module.grading]` in ``course.toml`` has the same keys, and a rule file overrides it key by key::

    max_points = 10                  # of the whole module; by default 100
    partial_credit = false           # all tests or nothing; by default true
    required = ["test_encode_*"]     # who fails one of these gets no point at all
    hidden = ["test_decode_*"]       # nobody but the instructor sees their inputs
    [weights]                        # share of each KIND of test; one that is left out weighs 1
    property = 2
    [points]                         # single tests that get these points instead of their share
    test_bijection = 2.5
    [visibility]                     # Gradescope's words: visible, after_due_date, after_published, hidden
    "test_roundtrip_*" = "after_due_date"
    [late]
    percent_per_day = 10
    most_percent = 50
    grace_days = 1

A key of `required`, `hidden`, `points` and `visibility` is a test's name or a pattern with ``*``; one that fits no test
is an error, since a rule that silently does nothing is worse than none.
"""

from __future__ import annotations

import difflib
import fnmatch
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from harness.errors import UsageError
from harness.records import CatalogEntry, Kind, Module, TestPoints, Visibility

_CENT = Decimal("0.01")
_KEYS = ("max_points", "partial_credit", "required", "hidden", "weights", "points", "visibility", "late")
_LATE_KEYS = ("percent_per_day", "most_percent", "grace_days")
_MOST_POINTS = 1_000_000
_FORM = "docs/grading.md shows the form"


@dataclass(frozen=True, slots=True)
class Lateness:
    """What a day past the due date costs."""

    percent_per_day: Decimal = Decimal(0)
    most_percent: Decimal = Decimal(100)
    grace_days: int = 0

    def percent(self, late_days: int) -> Decimal:
        """Share of the points that is lost."""
        return min(self.percent_per_day * max(0, late_days - self.grace_days), self.most_percent)


@dataclass(frozen=True, slots=True)
class Scheme:
    """What holds for every submission of a run."""

    tests: tuple[TestPoints, ...]
    """In the order in which the tests run; their points sum up to `max_points` to the cent."""
    max_points: Decimal
    partial_credit: bool = True
    late: Lateness = Lateness()


def scheme(module: Module, catalog: Sequence[CatalogEntry], rule_file: Path | None = None) -> Scheme:
    """The rules of a module, overridden by those of a file. Raises UsageError that names file, key and value."""
    where = f"course.toml, {module.id}"
    rules = _checked({"weights": module.weights}, where) | _checked(module.grading, f"{where}.grading")
    if rule_file is not None:
        where = str(rule_file)
        rules |= _checked(_read(rule_file), where)
    names = [entry.name for entry in catalog]
    required = _named(rules.get("required", []), names, f"{where}: required")
    visibility = dict.fromkeys(_named(rules.get("hidden", []), names, f"{where}: hidden"), Visibility.HIDDEN)
    for pattern, word in rules.get("visibility", {}).items():
        if word not in list(Visibility):
            _refuse(f"{where}: visibility of {pattern!r}", word, f"one of {', '.join(Visibility)}")
        visibility |= dict.fromkeys(_named([pattern], names, f"{where}: visibility"), Visibility(word))
    max_points = cents(_number(rules.get("max_points", 100), f"{where}: max_points", least="0.01", most=_MOST_POINTS))
    worth = _worth(rules, catalog, max_points, where)
    tests = tuple(
        TestPoints(name, worth[name], name in required, visibility.get(name, Visibility.VISIBLE)) for name in names
    )
    return Scheme(tests, max_points, rules.get("partial_credit", True), _lateness(rules.get("late", {}), where))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise UsageError(message) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path} is not TOML: {error}"
        raise UsageError(message) from error


def _checked(rules: object, where: str) -> dict[str, Any]:
    """The rules, with every key known and every value of the right shape."""
    if not isinstance(rules, dict):
        _refuse(where, rules, _FORM)
    shapes: dict[str, type] = {
        "partial_credit": bool,
        **dict.fromkeys(("required", "hidden"), list),
        **dict.fromkeys(("weights", "points", "visibility", "late"), dict),
    }
    for key, value in rules.items():
        if key.startswith("seed"):
            message = f"{where}: {key!r} is no rule: the same code has the same grade, whoever hands it in"
            raise UsageError(message, remedy="`ol grade --seed N` gives the whole run another seed")
        _known(key, _KEYS, where)
        if key in shapes and not isinstance(value, shapes[key]):
            _refuse(f"{where}: {key}", value, _FORM)
    for table, keys in (("late", _LATE_KEYS), ("weights", tuple(map(str, Kind)))):
        for key in rules.get(table, {}):
            _known(key, keys, f"{where}: {table}")
    return dict(rules)


def _known(key: str, keys: Sequence[str], where: str) -> None:
    if key not in keys:
        near = difflib.get_close_matches(key, keys, n=1)
        message = f"{where}: unknown key {key!r}"
        raise UsageError(message, remedy=f"did you mean {near[0]!r}?" if near else f"one of {', '.join(keys)}")


def _refuse(what: str, value: object, remedy: str) -> NoReturn:
    message = f"{what} cannot be {value!r}"
    raise UsageError(message, remedy=remedy)


def _number(value: object, what: str, *, least: str | int = 0, most: int) -> Decimal:
    # Plain numbers are compared, since a comparison with NaN is false where a Decimal's raises.
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else float("nan")
    if not float(least) <= number <= most:
        _refuse(what, value, f"a number from {least} to {most}")
    return Decimal(str(value))


def _named(patterns: Sequence[object], names: Sequence[str], what: str) -> tuple[str, ...]:
    """The tests that the patterns fit."""
    found: list[str] = []
    for pattern in patterns:
        fitting = fnmatch.filter(names, pattern) if isinstance(pattern, str) else []
        if not fitting:
            near = difflib.get_close_matches(str(pattern), names, n=1)
            message = f"{what}: no test is called {pattern!r}"
            raise UsageError(message, remedy=f"did you mean {near[0]}?" if near else "`ol tests ID` lists them")
        found += fitting
    return tuple(dict.fromkeys(found))


def _worth(
    rules: Mapping[str, Any], catalog: Sequence[CatalogEntry], max_points: Decimal, where: str
) -> dict[str, Decimal]:
    """Points of each test: its own where the rules give some, else its share of what those leave."""
    names = [entry.name for entry in catalog]
    own: dict[str, Decimal] = {}
    for pattern, value in rules.get("points", {}).items():
        points = cents(_number(value, f"{where}: points of {pattern!r}", most=_MOST_POINTS))
        own |= dict.fromkeys(_named([pattern], names, f"{where}: points"), points)
    kinds = {entry.name: entry.kind for entry in catalog if entry.name not in own}
    weights = {
        kind: Fraction(str(_number(rules["weights"].get(kind, 1), f"{where}: weight of {kind}", most=_MOST_POINTS)))
        for kind in set(kinds.values())
    }
    left = max_points - sum(own.values())
    total = sum(weights.values())
    if left < 0 or (left > 0) != (total > 0):
        shared = "nothing is left to share them among" if left > 0 else "that leaves less than nothing"
        message = f"{where}: of {max_points} points {sum(own.values())} go to single tests, and {shared}"
        raise UsageError(message, remedy="make max_points and the points of single tests fit")
    counts = {kind: sum(one is kind for one in kinds.values()) for kind in weights}
    shares = {name: weights[kind] / total / counts[kind] for name, kind in kinds.items()} if total else {}
    return own | _split(left, shares)


def _split(total: Decimal, shares: Mapping[str, Fraction]) -> dict[str, Decimal]:
    """Split points by shares that sum up to 1, in whole cents: by largest remainder, earlier tests first in a tie."""
    units = int(total / _CENT)
    exact = {name: share * units for name, share in shares.items()}
    whole = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: whole[name] - exact[name])
    for name in by_remainder[: units - sum(whole.values())]:
        whole[name] += 1
    for name, value in whole.items():
        if shares[name] and not value:
            message = f"{total} points are too few: {name} would be worth nothing"
            raise UsageError(message, remedy="raise max_points, or give its KIND the weight 0 on purpose")
    return {name: value * _CENT for name, value in whole.items()}


def _lateness(rules: Mapping[str, Any], where: str) -> Lateness:
    percent = {key: _number(rules[key], f"{where}: late.{key}", most=100) for key in _LATE_KEYS[:2] if key in rules}
    grace = rules.get("grace_days", 0)
    if isinstance(grace, bool) or not isinstance(grace, int) or grace < 0:
        _refuse(f"{where}: late.grace_days", grace, "a whole number of days")
    return Lateness(**percent, grace_days=grace)


def cents(points: Decimal) -> Decimal:
    """Points rounded to the cent, halves up."""
    return points.quantize(_CENT, ROUND_HALF_UP)
