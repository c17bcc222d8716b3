"""One `ol verify`, from the tokenizer's start to the report."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from harness import __version__
from harness.bytelevel.conformance import truth
from harness.bytelevel.conformance.ages import Age, age_of
from harness.bytelevel.conformance.bad_input import BY_SHAPE, Probe, Profile, Reaction, judged, kind_of, react
from harness.bytelevel.conformance.cases import judge_cases
from harness.bytelevel.conformance.cost import SHORT, TIMES, growths
from harness.bytelevel.conformance.domain import PART_NAMES, Effort, parts, probes, scalars
from harness.bytelevel.conformance.groups import Group, Grouping, parting
from harness.bytelevel.conformance.known import Known
from harness.bytelevel.conformance.outcomes import Gone, each, shown
from harness.bytelevel.conformance.suite import Clock, Observation, PartResult, run_part
from harness.bytelevel.conformance.suspects import Suspects
from harness.bytelevel.encodings import Encoding
from harness.errors import UsageError
from harness.profiles import neutralise_harvest
from harness.records import ConformanceReport, Difference, TriedPart
from harness.verify.replay import Replay
from harness.verify.session import Session, TooManyDeaths
from harness.verify.target import Target

AGE = "unicode-age"
_DEATHS_TO_EXPLAIN = 60
_STATE = "keeps a state from one call to the next: asked alone, it answers this right"
_MOST_SHOWN = 300
"""Characters of a question that a report shows."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a tokenizer is judged."""

    effort: Effort = Effort.FULL
    profile: Profile | None = None
    """None for the one of the tokenizer's shape."""
    known: Sequence[Known] = ()
    only: tuple[str, ...] = ()
    """Names of the parts that are run; all where empty."""
    question: tuple[str, Any] | None = None
    """One question that is asked in the place of all parts."""
    shrinks: bool = True
    replay: Replay = field(default_factory=Replay)
    """The command line that judges this tokenizer again."""


@dataclass(slots=True)
class _Run:
    session: Session
    encoding: Encoding
    wanted: Wanted
    clock: Clock = field(default_factory=Clock)
    results: list[PartResult] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    age: Age | None = None
    differences: list[Difference] = field(default_factory=list)

    @property
    def profile(self) -> Profile:
        return self.wanted.profile or BY_SHAPE.get(self.session.shape, Profile.TIKTOKEN)


def verify(
    target: Target,
    encoding: Encoding,
    wanted: Wanted,
    *,
    isolation: str = "",
    on_part: Callable[[str], None] | None = None,
) -> ConformanceReport:
    """Judge one tokenizer. Raises EngineError where it does not start: then there is nothing to say of it."""
    neutralise_harvest()
    began = time.perf_counter()
    session = Session(target.request)
    run = _Run(session, encoding, wanted)
    with session, _without_collection():
        _ask_everything(run, on_part or (lambda name: None))
        asked_s = time.perf_counter() - began - session.waited_s - run.clock.oracle_s
        subject_s = session.waited_s
        explained = []
        with suppress(TooManyDeaths):
            session.forgive(_DEATHS_TO_EXPLAIN)
        with suppress(TooManyDeaths):
            for difference in _explained(run):
                explained.append(difference)  # noqa: PERF402  those before the last death are kept
        run.differences[:0] = explained
    return _report(run, target, isolation, subject_s=subject_s, judge_s=asked_s)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Millions of small lists come and go, none of them in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# --- asking -------------------------------------------------------------------------------------------------------


def _ask_everything(run: _Run, on_part: Callable[[str], None]) -> None:
    if run.wanted.question is not None:
        _ask_one(run, *run.wanted.question)
        return
    for part in parts(run.encoding, run.wanted.effort):
        result = PartResult(part.name, part.what, part.whole)
        _ask_part(run, result, on_part, partial(run_part, run.session, run.encoding, part, result, run.clock))
    for name, (what, ask) in _FURTHER.items():
        result = PartResult(name, what, whole=False)
        _ask_part(run, result, on_part, partial(ask, run, result))


def _ask_part(run: _Run, result: PartResult, on_part: Callable[[str], None], ask: Callable[[], None]) -> None:
    """Ask one part, if it is wanted; a tokenizer that dies too often is asked no more of this one."""
    if run.wanted.only and result.name not in run.wanted.only:
        return
    on_part(result.name)
    run.results.append(result)
    try:
        run.session.forgive()
        ask()
        _listen(run, result.name)
    except TooManyDeaths as deaths:
        result.stopped = str(deaths)


def _ask_one(run: _Run, name: str, argument: Any) -> None:
    if name not in run.session.offers:
        message = f"the tokenizer offers no {name}"
        raise UsageError(message, remedy=f"it offers {', '.join(sorted(run.session.offers & {*truth.FUNCTIONS}))}")
    result = PartResult("question", "one question", whole=False)
    run.results.append(result)
    bad = kind_of(run.encoding, name, argument)
    if bad is not None:
        _record_reactions(
            run,
            result,
            [judged(Probe(bad, name, argument), run.session.one(name, argument), run.encoding, run.profile)],
        )
        return
    with run.clock.oracle():
        right = truth.expected(run.encoding, name, argument)
    got = run.session.one(name, *(() if name == "n_vocab" else (argument,)))
    result.tried[name] += 1
    if not truth.agrees(run.session.shape, name, got, right):
        result.differing += 1
        result.kept.append(Observation("question", name, argument, right, got))
    _listen(run, "question")


def _listen(run: _Run, part: str) -> None:
    """What a tokenizer prints would stand between its user's answers."""
    printed = run.session.printed()
    if printed and not any(one.call == "standard output" for one in run.differences):
        run.results[-1].differing += 1
        run.differences.append(
            Difference(
                part=part,
                call="standard output",
                expected="nothing",
                got=shown(printed),
                count=1,
                rule="a tokenizer writes nothing to standard output",
                replay=run.wanted.replay.asking("--only", part),
            )
        )


def _cases(run: _Run, result: PartResult) -> None:
    for case, right, got in judge_cases(run.session, run.encoding, run.clock):
        result.tried[case.call] += 1
        if right is None:
            continue
        result.differing += 1
        call = f"{case.call}({_literal(case.argument)})"
        run.differences.append(
            Difference(
                part="cases",
                call=_cut(call),
                expected=right,
                got=shown(got),
                count=1,
                rule=case.name,
                replay=run.wanted.replay.question(call, part="cases", can_be_asked=case.call in truth.FUNCTIONS),
            )
        )


def _bad_input(run: _Run, result: PartResult) -> None:
    _record_reactions(run, result, react(run.session, run.encoding, run.profile))


def _record_reactions(run: _Run, result: PartResult, reactions: Iterable[Reaction]) -> None:
    refused: dict[tuple[str, str], list[Reaction]] = {}
    for reaction in reactions:
        run.reactions.append(reaction)
        result.tried[reaction.probe.name] += 1
        if not reaction.is_allowed:
            result.differing += 1
            refused.setdefault((reaction.probe.bad, reaction.probe.name), []).append(reaction)
    for (bad, name), same in refused.items():
        worst = next((one for one in same if isinstance(one.got, Gone)), same[0])
        call = f"{name}({worst.probe.argument!a})"
        run.differences.append(
            Difference(
                part="bad input",
                call=call,
                expected=worst.allowed,
                got=shown(worst.got),
                count=len(same),
                rule=f"{bad}: the profile {run.profile} allows {worst.allowed}",
                replay=run.wanted.replay.asking("--try", call),
            )
        )


def _cost(run: _Run, result: PartResult) -> None:
    for growth in growths(run.session, run.encoding):
        result.tried["encode"] += 2
        call = f"encode({growth.piece!a} * {SHORT * TIMES // len(growth.piece)})"
        if growth.wrong is None and not growth.is_too_steep:
            continue
        result.differing += 1
        one_piece = len(run.encoding.pieces(growth.piece * 2)) == 1 and growth.wrong is None
        steep = f"{growth.long_s:.2f} s, and {growth.short_s:.3f} s for an eighth of it"
        run.differences.append(
            Difference(
                part="cost",
                call=call,
                expected="its ids" if growth.wrong is not None else "a cost that grows about as the text does",
                got=shown(growth.wrong) if growth.wrong is not None else steep,
                count=1,
                rule=f"{TIMES} times the text costs about {TIMES} times as much: a long line is no attack",
                diagnosis="looks at all pairs again after every merge" if one_piece else "",
                mutant="s26" if one_piece else "",
                replay=run.wanted.replay.asking("--only", "cost"),
            )
        )


_FURTHER: Mapping[str, tuple[str, Callable[[_Run, PartResult], None]]] = {
    "cases": ("faults that people reported of other tokenizers, and files as they should be read", _cases),
    "bad input": ("what is no text and no id, as the profile has it", _bad_input),
    "cost": (f"runs of one piece, {SHORT:,} and {SHORT * TIMES:,} characters", _cost),
}
PARTS = (*PART_NAMES, *_FURTHER)
"""Names of the parts, in order."""

# --- explaining ---------------------------------------------------------------------------------------------------


def _explained(run: _Run) -> Iterator[Difference]:
    suspects = Suspects(run.encoding)
    observations: dict[str, list[Observation]] = {}
    for result in run.results:
        for one in result.kept:
            observations.setdefault(one.name, []).append(one)
    if not observations:
        return
    asked, about = _about_characters(run, observations.get("encode", []))
    run.age = age_of(about, suspects, asked)
    if run.age is not None:
        suspects.stand_ins.update(run.age.table)
    shrinks = run.wanted.shrinks and run.wanted.question is None
    grouping = Grouping(run.session, run.encoding, suspects, run.age, probes(run.encoding), shrinks=shrinks)
    for name in sorted(observations, key=truth.FUNCTIONS.index):
        for group in grouping.groups(observations[name]):
            difference = difference_of(run, group)
            if not difference.known and run.wanted.question is None and not _holds_alone(run, group):
                difference = replace(
                    difference, diagnosis=_STATE, mutant="", replay=run.wanted.replay.asking("--only", group.part)
                )
            yield difference


def _holds_alone(run: _Run, group: Group) -> bool:
    """Whether a process that was asked nothing else differs as well: if not, the tokenizer keeps a state."""
    run.session.refresh()
    got = run.session.one(group.name, group.argument)
    run.session.forgive(_DEATHS_TO_EXPLAIN)
    return not truth.agrees(run.session.shape, group.name, got, group.expected)


def _about_characters(run: _Run, observations: Sequence[Observation]) -> tuple[str, list[Observation]]:
    """The characters that were asked about, each before ``'s``, and what differs there.

    Where that part was not run, the characters of a few texts are asked about now.
    """
    for result in run.results:
        if result.name == "scalars before 's":
            return scalars(run.wanted.effort), [one for one in result.kept if one.name == "encode"]
    characters = "".join(sorted({one for seen in observations[:100] for one in str(seen.argument) if one > "\x7f"}))
    texts = [one + "'s" for one in characters]
    found = zip(texts, each(run.session, "encode", texts), strict=True)
    asked = [Observation("", "encode", text, run.encoding.encode(text), got) for text, got in found]
    return characters, [one for one in asked if one.got != one.expected]


def difference_of(run: _Run, group: Group) -> Difference:
    """A group as a report shows it, under the name by which it is known, if it is."""
    call = f"{group.name}({_literal(group.argument)})"
    diagnosis = group.suspect.says if group.suspect else ""
    shown_got = shown(group.got)
    known = next(
        (
            one
            for one in run.wanted.known
            if one.covers(
                call=group.name, shape=run.session.shape, diagnosis=diagnosis, shown_input=call, shown_got=shown_got
            )
        ),
        None,
    )
    name, why = (known.name, known.why) if known else ("", "")
    if group.by_age and run.age is not None:
        name, why = AGE, run.age.says
    return Difference(
        part=group.part,
        call=_cut(call),
        expected=shown(group.expected),
        got=shown_got,
        count=group.count,
        rule=truth.RULES[group.name],
        parts_at=_parts_at(group),
        aligned=_aligned(run.encoding, group),
        diagnosis=diagnosis,
        mutant=group.suspect.mutant if group.suspect else "",
        known=name,
        why_known=why,
        replay=run.wanted.replay.question(call, part=group.part),
    )


def _cut(call: str) -> str:
    return call if len(call) <= _MOST_SHOWN else f"{call[: _MOST_SHOWN - 3]}..."


def _literal(argument: Any) -> str:
    text = ascii(argument)
    if type(argument) is str and len(argument) > 64:
        for width in (1, 2, 3):
            unit = argument[:width]
            if unit * (len(argument) // width) == argument:
                return f"{unit!a} * {len(argument) // width}"
    return text


def _is_ids(value: Any) -> bool:
    return type(value) is list and set(map(type, value)) <= {int}


def _parts_at(group: Group) -> str:
    if not _is_ids(group.expected) or not _is_ids(group.got):
        return ""
    place = parting(group.expected, group.got)
    return f"token {place} of {len(group.expected)} expected and {len(group.got)} got"


def _aligned(encoding: Encoding, group: Group) -> tuple[tuple[str, str, str], ...]:
    """Two lists of ids side by side, from just before they part, each with the bytes that it stands for."""
    if not _is_ids(group.expected) or not _is_ids(group.got):
        return ()
    start = max(0, parting(group.expected, group.got) - 1)
    end = min(start + 6, max(len(group.expected), len(group.got)))
    return tuple(
        (str(place), _token(encoding, group.expected, place), _token(encoding, group.got, place))
        for place in range(start, end)
    )


def _token(encoding: Encoding, ids: Sequence[int], place: int) -> str:
    if place >= len(ids):
        return ""
    token = encoding.token_bytes.get(ids[place])
    return f"{ids[place]} {'no token' if token is None else ascii(token)[1:]}"


# --- the report ---------------------------------------------------------------------------------------------------


def _report(run: _Run, target: Target, isolation: str, *, subject_s: float, judge_s: float) -> ConformanceReport:
    encoding, session = run.encoding, run.session
    return ConformanceReport(
        subject=target.shown,
        shape=session.shape,
        encoding=encoding.name,
        title=encoding.title,
        tokens=len(encoding.token_bytes),
        oracle=f"{encoding.oracle.name} {encoding.oracle.version}",
        profile=run.profile,
        effort=run.wanted.effort,
        parts=tuple(
            TriedPart(
                one.name,
                one.what,
                sum(one.tried.values()),
                one.differing,
                one.whole,
                tuple(one.not_offered),
                one.stopped,
            )
            for one in run.results
        ),
        differences=tuple(run.differences),
        deaths=session.deaths,
        texts=sum(one.tried["encode"] for one in run.results),
        calls=session.calls,
        subject_s=subject_s,
        oracle_s=run.clock.oracle_s,
        judge_s=judge_s,
        isolation=isolation,
        versions={"tokproof": __version__, **{f"subject {key}": value for key, value in session.versions.items()}},
    )
