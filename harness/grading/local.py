"""Judges on this machine: threads that share one warm parent."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from harness.grading.documents import judged_to_json
from harness.grading.judge import Judge, Terms


class Threads:
    """A context manager; what is still running when it is left is abandoned, and leaves nothing behind."""

    def __init__(self, terms: Terms, *, jobs: int) -> None:
        self.at_once = jobs
        self._judge = Judge(terms, jobs=jobs)
        self._pool = ThreadPoolExecutor(jobs)

    def __enter__(self) -> Threads:
        self._judge.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._judge.__exit__(kind, error, traceback)
        self._pool.shutdown()

    def submit(self, files: Mapping[str, str]) -> Future[str]:
        """Judge on the next thread that is free."""
        return self._pool.submit(lambda: judged_to_json(self._judge.judge(files)))
