"""Judges on a cluster: workers of a `dask.distributed` scheduler, each with a warm parent of its own.

Scheduling, retries and moving work away from a worker that is lost are Dask's. Ours is that every worker judges by the
same terms: one whose tests, versions or isolation differ refuses instead of giving other grades.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from concurrent.futures import Future
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any

from harness.errors import EngineError, UsageError
from harness.grading.documents import judged_to_json
from harness.grading.judge import Judge, Terms
from harness.subject.sandbox import Level, require

if TYPE_CHECKING:
    from concurrent.futures import Executor

_RETRIES = 3
_CONNECT_S = "30s"
LOCAL = "local"


class Cluster:
    """A context manager: connected to the scheduler at an address, or to one started for the occasion."""

    def __init__(self, address: str, terms: Terms, facts: Mapping[str, str], *, jobs: int) -> None:
        self._address, self._terms, self._facts, self._jobs = address, terms, dict(facts), jobs
        self._stack = contextlib.ExitStack()
        self._executor: Executor
        self.at_once = jobs

    def __enter__(self) -> Cluster:
        try:
            import distributed
        except ImportError as error:
            message = "--cluster needs dask.distributed, which is not installed"
            raise UsageError(message, remedy="python -m pip install 'tokproof[cluster]'") from error
        dask: Any = distributed  # its annotations do not reach the calls that are made here
        try:
            where = self._address
            if self._address == LOCAL:
                # A process each, so that one that dies takes nothing with it; no page, so that no port is taken.
                where = self._stack.enter_context(
                    dask.LocalCluster(
                        n_workers=self._jobs, threads_per_worker=1, processes=True, dashboard_address=None
                    )
                )
            client = self._stack.enter_context(dask.Client(where, timeout=_CONNECT_S))
        except (OSError, TimeoutError, ValueError) as error:
            self._stack.close()
            message = f"no scheduler answers at {self._address}: {error}"
            raise UsageError(message, remedy="start one with `dask scheduler`, or use --cluster local") from error
        threads = client.nthreads()
        if not threads:
            self._stack.close()
            message = f"the scheduler at {self._address} has no workers"
            raise UsageError(message, remedy=f"start some with `dask worker {self._address} --nthreads 1`")
        self.at_once = sum(threads.values())
        self._executor = client.get_executor(pure=False, retries=_RETRIES)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._executor.shutdown(wait=False)
        self._stack.close()

    def submit(self, files: Mapping[str, str]) -> Future[str]:
        """Judge on whichever worker is free."""
        return self._executor.submit(judge_here, self._terms, self._facts, dict(files))


# --- on a worker

_judges: dict[Terms, Judge] = {}
_starting = Lock()


def judge_here(terms: Terms, facts: Mapping[str, str], files: Mapping[str, str]) -> str:
    """Judge code in this process; EngineError where this machine would judge by other terms."""
    with _starting:
        judge = _judges.get(terms)
        if judge is None:
            require(Level(terms.level))
            ours = terms.facts()
            differing = sorted(name for name in {*ours, *facts} if ours.get(name) != facts.get(name))
            if differing:
                message = f"a worker judges by other terms: {', '.join(differing)} differ"
                raise EngineError(message, remedy="install the same tokproof, Python and libraries on every host")
            # It ends with this process: its parent notices that nobody is at the other end any more.
            judge = _judges[terms] = Judge(terms).__enter__()
    return judged_to_json(judge.judge(files))
