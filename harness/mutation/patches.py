"""Unified diffs: made canonically, applied exactly or not at all."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

import whatthepatch
from whatthepatch.exceptions import WhatThePatchException

from harness.errors import PatchError


def unified_diff(before: str, after: str, unit: str) -> str:
    """The diff as the curated patches are written: three lines of context, paths below ``reference/``."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{unit}", f"b/{unit}"
    )
    return "".join(lines)


def apply_patch(patch: str, units: Mapping[str, str], *, where: str) -> dict[str, str]:
    """The changed text of each unit that the patch names.

    Raises PatchError, naming `where`, if the patch is no unified diff, names a file that is no unit, or does not fit
    every line of context and every removed line at exactly the place it states.
    """
    try:
        diffs = [diff for diff in whatthepatch.parse_patch(patch) if diff.header is not None]
    except (WhatThePatchException, ValueError) as error:
        message = f"{where} is not a unified diff: {error}"
        raise PatchError(message) from error
    changed: dict[str, str] = {}
    for diff in diffs:
        unit = diff.header.new_path.removeprefix("b/")
        if unit not in units:
            message = f"{where} changes {unit!r}, which is no unit of the module"
            raise PatchError(message, remedy=f"its units are {', '.join(units)}")
        if not diff.changes:
            message = f"{where} changes nothing in {unit}"
            raise PatchError(message)
        try:
            lines = whatthepatch.apply_diff(diff, changed.get(unit, units[unit]))
        except WhatThePatchException as error:
            message = f"{where} does not apply to {unit}: {error}"
            raise PatchError(message, remedy="make the patch again from the reference as it is now") from error
        changed[unit] = "\n".join(lines) + "\n"
    if not changed:
        message = f"{where} is not a unified diff"
        raise PatchError(message)
    return changed


def first_difference(before: str, after: str) -> int:
    """The first line, counted from 1, of `before` that `after` does not have as it is."""
    old, new = before.splitlines(), after.splitlines()
    for number, (left, right) in enumerate(zip(old, new, strict=False), 1):
        if left != right:
            return number
    return max(1, min(len(old), len(new) + 1))
