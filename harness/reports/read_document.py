"""Brings a result document back to the records that it was made from.

Keys that are not known are passed over, so that an older tokproof reads what a newer one wrote within one version of
the schema; a key that is missing or holds something else is refused with its place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from harness.errors import UsageError
from harness.records import (
    CatalogEntry,
    Cause,
    CheckedTest,
    CheckReport,
    CheckVerdict,
    Controls,
    Counterexample,
    Effort,
    Kind,
    Module,
    Mutant,
    Report,
    Search,
    Status,
    Tier,
    Verdict,
)
from harness.reports.check_report import CHECK_SCHEMA, CHECK_VERSION
from harness.reports.json_report import SCORE_SCHEMA, SCORE_VERSION

_KNOWN = {SCORE_SCHEMA: SCORE_VERSION, CHECK_SCHEMA: CHECK_VERSION}
_REMEDY = "`ol score ID` and `ol check ID` write one below .ol/results"
_CHECKED = ("pass", "fail", "not_run")

_T = TypeVar("_T")
_E = TypeVar("_E", bound=StrEnum)


def read_document(text: str, *, where: str) -> Report | CheckReport:
    """The report that a document holds; UsageError naming `where` and the key for what is no such document.

    The mutants of a report that was read back have a diff and no `sources`.
    """
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"{where} is no result document: {error}"
        raise UsageError(message, remedy=_REMEDY) from error
    whole = _Object(loaded, where, "")
    if "modules" in whole.value:
        message = f"{where} holds several results"
        raise UsageError(message, remedy="each module has a document of its own: .ol/results/score-ID.json")
    schema = whole.object("schema")
    name, version = schema.text("name"), schema.whole("version")
    if name not in _KNOWN:
        message = f"{where} is no result document: its schema is {name!r}"
        raise UsageError(message, remedy=_REMEDY)
    if version > _KNOWN[name]:
        message = f"{where} has version {version} of {name}; this tokproof reads versions up to {_KNOWN[name]}"
        raise UsageError(message, remedy="a newer tokproof wrote it: install that one")
    return _score(whole) if name == SCORE_SCHEMA else _check(whole)


class _Object:
    """A JSON object that says where it lies when a key of it is not what it must be."""

    def __init__(self, value: object, where: str, path: str) -> None:
        self.where, self.path = where, path
        if not isinstance(value, dict):
            self.refuse("an object", value)
        self.value: dict[str, Any] = value

    def refuse(self, wanted: str, value: object) -> NoReturn:
        """Say what the value at this place must be and is not."""
        place = self.path or "the document"
        message = f"{self.where} is no result document: {place} must be {wanted}, not {_shown(value)}"
        raise UsageError(message, remedy=_REMEDY)

    def _get(self, key: str) -> Any:
        if key not in self.value:
            message = f"{self.where} is no result document: {self._place(key)} is missing"
            raise UsageError(message, remedy=_REMEDY)
        return self.value[key]

    def _place(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _typed(self, key: str, kind: type[_T], wanted: str) -> _T:
        value = self._get(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.path = self._place(key)
            self.refuse(wanted, value)
        return value

    def text(self, key: str) -> str:
        return self._typed(key, str, "text")

    def text_or_none(self, key: str) -> str:
        return "" if self._get(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        return self._typed(key, bool, "true or false")

    def whole(self, key: str) -> int:
        value = self._typed(key, int, "a whole number that is not negative")
        if value < 0:
            self.path = self._place(key)
            self.refuse("a whole number that is not negative", value)
        return value

    def seconds(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            self.path = self._place(key)
            self.refuse("a number of seconds", value)
        return float(value)

    def word(self, key: str, words: type[_E]) -> _E:
        value = self.text(key)
        if value not in list(words):
            self.path = self._place(key)
            self.refuse(f"one of {', '.join(words)}", value)
        return words(value)

    def object(self, key: str) -> _Object:
        return _Object(self._get(key), self.where, self._place(key))

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(self._each(key, str, "text"))

    def wholes(self, key: str) -> tuple[int, ...]:
        return tuple(self._each(key, int, "a whole number"))

    def text_by_text(self, key: str) -> dict[str, str]:
        inner = self.object(key)
        return {name: inner.text(name) for name in inner.value}

    def objects(self, key: str, make: Callable[[_Object], _T]) -> tuple[_T, ...]:
        values = self._typed(key, list, "a list")
        place = self._place(key)
        return tuple(make(_Object(value, self.where, f"{place}[{index}]")) for index, value in enumerate(values))

    def _each(self, key: str, kind: type[_T], wanted: str) -> list[_T]:
        values = self._typed(key, list, "a list")
        for index, value in enumerate(values):
            if not isinstance(value, kind) or isinstance(value, bool):
                self.path = f"{self._place(key)}[{index}]"
                self.refuse(wanted, value)
        return values


def _shown(value: object) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _score(whole: _Object) -> Report:
    controls = whole.object("controls")
    reference = whole.text_by_text("reference")
    return Report(
        module=Module(whole.text("module"), whole.text("title"), tuple(reference)),
        verdicts=whole.objects("mutants", _verdict),
        controls=Controls(
            reference=controls.flag("reference"),
            raises_everywhere=controls.flag("raises_everywhere"),
            identity=controls.flag("identity"),
            wheats=controls.flag("wheats"),
            notes=whole.texts("control_notes"),
        ),
        tests=whole.texts("tests"),
        matrix=whole.flag("matrix"),
        seed=whole.whole("seed"),
        elapsed_s=whole.seconds("elapsed_s"),
        versions=whole.text_by_text("versions"),
        mutation_s=whole.seconds("mutation_s"),
        baseline_s=whole.seconds("baseline_s"),
        reference=reference,
        search=_search(whole.object("search")) if "search" in whole.value else None,
        complete=whole.flag("complete"),
        planned=whole.whole("planned"),
        catalog=whole.objects("catalog", _entry),
        profile=whole.text("profile"),
        isolation=whole.text("isolation"),
        began_at=whole.text("began_at"),
        digests=whole.text_by_text("digests"),
    )


def _entry(one: _Object) -> CatalogEntry:
    return CatalogEntry(
        name=one.text("name"),
        path=Path(one.text("file")),
        line=one.whole("line"),
        law=one.text("law"),
        kind=one.word("kind", Kind),
        checks=one.text("checks"),
        why=one.text("why"),
        catches=one.texts("catches"),
        stays=one.text("stays"),
    )


def _verdict(one: _Object) -> Verdict:
    mutant = Mutant(
        id=one.text("id"),
        tier=one.word("tier", Tier),
        sources={},
        unit=one.text("unit"),
        line=one.whole("line"),
        diff=one.text("diff"),
        description=one.text("description"),
        operator=one.text("operator"),
        pitfall=None if one.value.get("pitfall") is None else one.whole("pitfall"),
        required=one.flag("required"),
        caught_by=one.texts("caught_by"),
        witness=one.text("witness"),
    )
    return Verdict(
        mutant=mutant,
        status=one.word("status", Status),
        killed_by=one.texts("killed_by"),
        tests=one.texts("tests"),
        elapsed_s=one.seconds("elapsed_s"),
        reason=one.text("reason"),
        examples=one.whole("examples"),
        counterexample=None
        if one.value.get("counterexample") is None
        else _counterexample(one.object("counterexample")),
        flaky=one.flag("flaky"),
    )


def _counterexample(one: _Object) -> Counterexample:
    return Counterexample(
        test=one.text("test"),
        input=one.text("input"),
        values=one.texts("values"),
        expected=one.text("expected"),
        got=one.text("got"),
        examples=one.whole("examples"),
        replay=one.text("replay"),
    )


def _search(found: _Object) -> Search:
    seeds = found.whole("seeds")

    def effort(one: _Object, prefix: str) -> Effort:
        return Effort(one.text("mutant"), one.text("test"), one.flag("claimed"), seeds, one.wholes(f"{prefix}examples"))

    return Search(
        seeds=seeds,
        efforts=found.objects("pairs", lambda one: effort(one, "")),
        plain=found.objects("pairs", lambda one: effort(one, "plain_")),
        wheat_failures=found.texts("wheat_failures"),
    )


def _check(whole: _Object) -> CheckReport:
    tests = whole.objects("tests", _checked)
    names = {test.entry.name for test in tests}

    def cause(one: _Object) -> Cause:
        found = one.texts("tests")
        if not found or not names.issuperset(found):
            one.refuse("names of tests of this document", list(found))
        return Cause(
            found, one.text_or_none("hint"), one.text_or_none("mutant"), one.text_or_none("mistake"), one.flag("sure")
        )

    return CheckReport(
        module=Module(whole.text("module"), whole.text("title"), ()),
        verdict=whole.word("verdict", CheckVerdict),
        message=whole.text_or_none("message"),
        tests=tests,
        causes=whole.objects("causes", cause),
        assisted=whole.flag("assisted"),
        seed=whole.whole("seed"),
        isolation=whole.text("isolation"),
        elapsed_s=whole.seconds("elapsed_s"),
        versions=whole.text_by_text("versions"),
        complete=whole.flag("complete"),
        profile=whole.text("profile"),
        began_at=whole.text("began_at"),
        digests=whole.text_by_text("digests"),
    )


def _checked(one: _Object) -> CheckedTest:
    status = one.text("status")
    if status not in _CHECKED:
        one.refuse(f"a test that is one of {', '.join(_CHECKED)}", status)
    return CheckedTest(
        entry=_entry(one),
        status=status,
        input=one.text_or_none("input"),
        values=one.texts("values"),
        expected=one.text_or_none("expected"),
        got=one.text_or_none("got"),
        replay=one.text_or_none("replay"),
        examples=one.whole("examples"),
    )
