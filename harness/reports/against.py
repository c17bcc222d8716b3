"""Two results of one module compared: what is newly killed, newly surviving, newly flaky."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.records import Report, Status, Verdict
from harness.reports.facts import DETECTED, mutants_of


@dataclass(frozen=True, slots=True)
class Against:
    """What a result says that an older one did not. Ids of mutants, in the order of the newer result."""

    old_began_at: str
    old_complete: bool
    newly_killed: tuple[str, ...]
    """Detected now; survived before."""
    newly_surviving: tuple[str, ...]
    """Survives now; before it was detected, or not judged at all."""
    newly_flaky: tuple[str, ...]
    """Another word than before though nothing else changed, or a kill that now did not happen again."""
    added: tuple[str, ...]
    """Not in the older result."""
    gone: tuple[str, ...]
    """In the older result only."""

    @property
    def heading(self) -> str:
        """What it is that was compared with."""
        return f"Against the result of {self.old_began_at}" + ("" if self.old_complete else ", which was interrupted")

    @property
    def is_empty(self) -> bool:
        """Whether both say the same."""
        return not (self.newly_killed or self.newly_surviving or self.newly_flaky or self.added or self.gone)


def against(new: Report, old: Report) -> Against:
    """Compare by the ids of mutants."""
    before = {verdict.mutant.id: verdict for verdict in mutants_of(old)}
    now = mutants_of(new)
    ids = {verdict.mutant.id for verdict in now}
    same = _same_causes(new, old)

    def flaky(verdict: Verdict) -> bool:
        then = before.get(verdict.mutant.id)
        turned = same and then is not None and then.status is not verdict.status
        return turned or (verdict.flaky and not (then is not None and then.flaky))

    def was(verdict: Verdict) -> Status | None:
        then = before.get(verdict.mutant.id)
        return None if then is None else then.status

    return Against(
        old_began_at=old.began_at,
        old_complete=old.complete,
        newly_killed=_ids(one for one in now if one.status in DETECTED and was(one) is Status.SURVIVED),
        newly_surviving=_ids(one for one in now if one.status is Status.SURVIVED and was(one) is not Status.SURVIVED),
        newly_flaky=_ids(one for one in now if flaky(one)),
        added=_ids(one for one in now if one.mutant.id not in before),
        gone=tuple(id_ for id_ in before if id_ not in ids),
    )


def _ids(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    return tuple(verdict.mutant.id for verdict in verdicts)


def _same_causes(new: Report, old: Report) -> bool:
    """Whether both runs judged the same things in the same way, so that only chance can part them."""
    return bool(new.digests) and all(
        getattr(new, name) == getattr(old, name) for name in ("digests", "seed", "versions", "profile", "matrix")
    )


def changes(found: Against) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A heading and ids for each kind of change that there is."""
    named = (
        ("Newly surviving", found.newly_surviving),
        ("Newly killed", found.newly_killed),
        ("Newly flaky", found.newly_flaky),
        ("Not in the older result", found.added),
        ("In the older result only", found.gone),
    )
    return tuple((heading, ids) for heading, ids in named if ids)
