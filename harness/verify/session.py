"""One subject during one `ol verify`: many calls in few frames, restarted where it dies, and timed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.bytelevel.conformance.outcomes import Gone, NoValue, Outcome, Raised
from harness.errors import EngineError
from harness.subject.channel import End, SubjectGone
from harness.subject.launch import Request, Wired
from harness.subject.standins import Foreign

MODULE = "tokenizer"
"""The module that the greeting names; a subject's functions are its functions."""
_FRAME_CHARACTERS = 100_000
"""Text in one frame: with a comma for every id its answer stays far below the caps of the wire."""
_FIRST_CALLS, _MOST_CALLS = 64, 8192
_FRAME_S = 0.5
"""How long a frame should take: short, so that a hang is noticed in time and a death costs little to look into."""
_FRESH_AFTER_S = 240.0
"""A process gets so much time, since its limit of processor time is a limit on a whole run."""
_MOST_DEATHS = 8
"""A subject that dies as often as this in one part is asked nothing more of it."""


class TooManyDeaths(Exception):
    """The subject died so often that the rest of the run would be restarts."""


@dataclass(slots=True)
class Session:
    """A tokenizer in another process, as the conformance suite asks it."""

    request: Request
    deaths: int = 0
    calls: int = 0
    offers: frozenset[str] = frozenset()
    shape: str = "program"
    versions: dict[str, str] = field(default_factory=dict)
    _wired: Wired = field(init=False)
    _fresh_at_s: float = field(default=0.0, init=False)
    _at_once: int = field(default=_FIRST_CALLS, init=False)
    _deaths_left: int = field(default=_MOST_DEATHS, init=False)
    _last_words: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._wired = Wired(self.request)

    @property
    def waited_s(self) -> float:
        """How long answers were waited for: the subject's time, the wire's pipes included."""
        return self._wired.link.waited_s

    def start(self) -> None:
        """Start the process; EngineError with what it says where it does not load, greet or encode."""
        try:
            self._wired.start()
        except SubjectGone as gone:
            message = f"the tokenizer {gone.end}: {gone.detail}"
            raise EngineError(message, remedy=_remedy(gone.detail)) from None
        self.offers = frozenset(vars(self._wired.modules[MODULE])) - {"__name__", "__doc__"}
        if "encode" not in self.offers:
            self.end()
            message = f"the tokenizer offers no encode, only {', '.join(sorted(self.offers)[:8]) or 'nothing'}"
            raise EngineError(message, remedy="docs/verify.md has the functions that a tokenizer offers")
        if "shape" in self.offers:
            self.shape = str(self._ask("shape", ()))
        if "versions" in self.offers:
            self.versions = dict(self._ask("versions", ()))

    def end(self) -> None:
        """Leave nothing of it."""
        self._wired.end()

    def __enter__(self) -> Session:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def forgive(self, deaths: int = _MOST_DEATHS) -> None:
        """Allow so many deaths from now on, with a process that runs; TooManyDeaths where none starts any more."""
        self._deaths_left = deaths
        if self._last_words:
            self._last_words = ""
            self._restart()

    def refresh(self) -> None:
        """Go on with a process that has been asked nothing yet; TooManyDeaths where none starts any more."""
        self._last_words = ""
        self._restart()

    # --- questions

    def one(self, name: str, *arguments: object) -> Outcome:
        """The outcome of one call: a value, `Raised`, or `Gone` for a call that the process did not survive."""
        self.calls += 1
        try:
            return self._ask(name, arguments)
        except SubjectGone as gone:
            self._revive(gone)
            return Gone(str(gone.end), gone.detail)

    def many(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Outcome]]:
        """The outcomes of `name` called with each argument, in order, as if each were asked alone; frame by frame."""
        place = 0
        while place < len(arguments):
            chunk = self._chunk(arguments, place)
            found = self._frame(name, chunk)
            place += len(found)
            yield found
            self._renew()

    def printed(self) -> str:
        """What the tokenizer wrote to standard output, its beginning; empty where it cannot be told."""
        if "printed" not in self.offers or self._last_words:
            return ""
        with contextlib.suppress(SubjectGone):
            return str(self._ask("printed", ()))
        return ""

    def _ask(self, name: str, arguments: tuple[object, ...]) -> Any:
        if self._last_words:
            raise TooManyDeaths(self._last_words)
        function: Callable[..., Any] = getattr(self._wired.modules[MODULE], name)
        try:
            return _value(function(*arguments))
        except Exception as error:
            return raised(error)

    def _chunk(self, arguments: Sequence[Any], start: int) -> Sequence[Any]:
        characters = 0
        end = start
        while end < len(arguments) and end - start < self._at_once:
            characters += len(arguments[end]) if isinstance(arguments[end], str | list) else 8
            end += 1
            if characters > _FRAME_CHARACTERS:
                break
        return arguments[start:end]

    def _frame(self, name: str, chunk: Sequence[Any]) -> list[Outcome]:
        self.calls += len(chunk)
        before = self.waited_s
        try:
            found = self._answers(name, chunk)
        except SubjectGone as gone:
            self._revive(gone)
            return self._one_by_one(name, chunk, gone)
        took = self.waited_s - before
        if took < _FRAME_S / 2 and len(chunk) == self._at_once:
            self._at_once = min(_MOST_CALLS, self._at_once * 2)
        elif took > 2 * _FRAME_S:
            self._at_once = max(1, self._at_once // 2)
        return found

    def _answers(self, name: str, chunk: Sequence[Any]) -> list[Outcome]:
        if self._last_words:
            raise TooManyDeaths(self._last_words)
        link = self._wired.link
        if f"{name}_many" in self.offers:
            found = self._ask(f"{name}_many", (list(chunk),))
            if type(found) is list and len(found) == len(chunk):
                for place in [place for place, one in enumerate(found) if one is None]:
                    found[place] = self._ask(name, (chunk[place],))
                return found
        answers = link.batch(MODULE, [(name, (one,)) for one in chunk])
        return [raised(one) if isinstance(one, Exception) else _value(one) for one in answers]

    def _one_by_one(self, name: str, chunk: Sequence[Any], gone: SubjectGone) -> list[Outcome]:
        """Find the call that a process did not survive; where none is to blame alone, the frame as a whole is.

        The outcomes end where the deaths that are allowed do.
        """
        found: list[Outcome] = []
        deaths = 0
        for one in chunk:
            if self._last_words and found:
                return found
            try:
                found.append(self._ask(name, (one,)))
            except SubjectGone as again:
                deaths += 1
                found.append(Gone(str(again.end), again.detail))
                self._revive(again)
        if not deaths and gone.end is not End.TIMED_OUT:
            found[-1] = Gone(str(gone.end), f"{gone.detail}, after {len(chunk)} calls of {name} and after none alone")
        self._at_once = max(1, min(self._at_once, len(chunk) // 4))
        return found

    def _revive(self, gone: SubjectGone) -> None:
        self.deaths += 1
        self._deaths_left -= 1
        if self._deaths_left > 0:
            self._restart()
        else:
            self._last_words = f"its process ended too often, at last so: it {gone.end}: {gone.detail}"

    def _restart(self) -> None:
        try:
            self._wired.restart()
        except SubjectGone as gone:
            self._last_words = f"it starts no more: it {gone.end}: {gone.detail}"
            raise TooManyDeaths(self._last_words) from None
        self._fresh_at_s = self.waited_s

    def _renew(self) -> None:
        if not self._last_words and self.waited_s - self._fresh_at_s > _FRESH_AFTER_S:
            with contextlib.suppress(SubjectGone):
                self._wired.close()
            self._restart()


def _remedy(detail: str) -> str:
    if "Permission denied" in detail:
        return "it runs under a user id of its own: open its folders to all, or run it under yours (--isolation L1)"
    if "Read-only file system" in detail or "No such file" in detail:
        return "it may read its own folder, its interpreter's, and what --path names, and write only where it starts"
    return "docs/verify.md says what is started, where, with which files"


def _value(found: Any) -> Any:
    """A result, unless it is a stand-in on which every operation would raise, also those of a comparison."""
    return NoValue(repr(found)) if isinstance(found, Foreign) else found


def raised(error: BaseException) -> Raised:
    """What an exception of the subject says, as a plain value."""
    bases = tuple(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins" and kind is not object)
    return Raised(type(error).__name__, bases, str(error)[:300])
