"""An environment variable, set for as long as a block runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """Set variable `name` while the block runs, then give it back what it had, or take it away again.

    The environment belongs to the whole process: other threads see `value` meanwhile.
    """
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
