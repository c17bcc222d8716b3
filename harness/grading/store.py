"""The grades of a run in one SQLite file: the only truth, and the only file that knows SQL.

Every submission has a row from the moment it is found, and every verdict is written in one transaction as it comes, so
that a judge that is killed loses what was in flight and nothing else. Points are derived from verdicts and rules; they
stand in the rows so that anybody can read the file, and are derived anew whenever the rules change.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from harness.errors import UsageError
from harness.records import GradeStatus, Received

_VERSION = 1
_SCHEMA = f"""
CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE judged (
    digest TEXT PRIMARY KEY,  -- of code, tests, profile, seed and versions
    document TEXT NOT NULL    -- harness.grading.documents
) WITHOUT ROWID;
CREATE TABLE submission (
    key TEXT PRIMARY KEY,
    position INTEGER NOT NULL,  -- in the order in which they were found
    received TEXT NOT NULL,     -- everything that was handed in but the code, as JSON
    digest TEXT,                -- of what it was judged by; NULL where there is no code
    status TEXT NOT NULL,       -- a word of GradeStatus, or 'pending'
    reason TEXT NOT NULL,
    points TEXT,                -- NULL while it is pending
    max_points TEXT,
    before TEXT                 -- points, status and passed tests before a regrade, as JSON
) WITHOUT ROWID;
CREATE INDEX submission_by_position ON submission (position);
PRAGMA user_version = {_VERSION};
"""
PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Row:
    """One submission as it stands in the store."""

    received: Received
    """Without its files."""
    digest: str | None
    status: str
    reason: str
    points: Decimal | None
    max_points: Decimal | None
    document: str | None
    """What the judge said, where it was asked."""
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Priced:
    """What is written of a submission once it is known."""

    status: GradeStatus
    reason: str
    points: Decimal
    max_points: Decimal


class Store:
    """An open store: a context manager, used from one thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            # A verdict may be lost to a power cut, since it can be had again; it is never half written.
            self._db.execute("PRAGMA synchronous = NORMAL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
        except sqlite3.Error as error:
            message = f"{path} cannot be used as a store of grades: {error}"
            raise UsageError(message, remedy="name another folder with --out") from error
        if version not in (0, _VERSION):
            message = f"{path} was written by another version of tokproof (its form is {version}, not {_VERSION})"
            raise UsageError(message, remedy="name another folder with --out")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._db.close()

    # --- what holds for all

    def facts(self) -> dict[str, str]:
        """What was noted of the run, by name; empty for a new store."""
        return dict(self._db.execute("SELECT name, value FROM run"))

    def note(self, facts: Mapping[str, str]) -> None:
        """Replace what is noted of the run."""
        with self._transaction():
            self._db.execute("DELETE FROM run")
            self._db.executemany("INSERT INTO run VALUES (?, ?)", facts.items())

    # --- submissions

    def find(self, key: str) -> Row | None:
        """The row of that key."""
        return next(self._rows("WHERE key = ?", (_text(key),)), None)

    def settled(self) -> Iterator[Row]:
        """The rows that are not pending, in the order in which they were found."""
        return self._rows(f"WHERE status != '{PENDING}' ORDER BY position, key", ())

    def _rows(self, clause: str, values: tuple[str, ...]) -> Iterator[Row]:
        found = self._db.execute(
            "SELECT received, submission.digest, status, reason, points, max_points, document, before"
            f" FROM submission LEFT JOIN judged ON judged.digest = submission.digest {clause}",
            values,
        )
        for received, digest, status, reason, points, most, document, before in found:
            yield Row(_received(received), digest, status, reason, _decimal(points), _decimal(most), document, before)

    def counts(self) -> dict[str, int]:
        """How many submissions have each status."""
        return dict(self._db.execute("SELECT status, COUNT(*) FROM submission GROUP BY status ORDER BY status"))

    def expect(self, received: Received, position: int, digest: str | None, before: str | None) -> None:
        """Note a submission as pending."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO submission VALUES (?, ?, ?, ?, ?, '', NULL, NULL, ?)"
                " ON CONFLICT (key) DO UPDATE SET position = excluded.position, received = excluded.received,"
                " digest = excluded.digest, status = excluded.status, reason = '', points = NULL, max_points = NULL,"
                " before = excluded.before",
                (_text(received.key), position, _received_json(received), digest, PENDING, before),
            )

    def refresh(self, received: Received, position: int) -> None:
        """Note anew what is known of a submission whose verdict stands."""
        with self._transaction():
            self._db.execute(
                "UPDATE submission SET received = ?, position = ? WHERE key = ?",
                (_received_json(received), position, _text(received.key)),
            )

    def forget_before(self) -> None:
        """Forget what stood in the rows before an earlier regrade."""
        with self._transaction():
            self._db.execute("UPDATE submission SET before = NULL")

    def settle(self, priced: Mapping[str, Priced], *, digest: str | None = None, document: str | None = None) -> None:
        """Write what became of the submissions of these keys, and the document that says so, at once or not at all."""
        with self._transaction():
            if digest is not None and document is not None:
                self._db.execute("INSERT OR REPLACE INTO judged VALUES (?, ?)", (digest, document))
            self._db.executemany(
                "UPDATE submission SET status = ?, reason = ?, points = ?, max_points = ? WHERE key = ?",
                [
                    (one.status, _text(one.reason), str(one.points), str(one.max_points), _text(key))
                    for key, one in priced.items()
                ],
            )

    def document(self, digest: str) -> str | None:
        """What the judge said of that digest, if it was asked."""
        found = self._db.execute("SELECT document FROM judged WHERE digest = ?", (digest,)).fetchone()
        return None if found is None else str(found[0])

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db)


class _Transaction:
    """All of a block or nothing of it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def _text(text: str) -> str:
    """Text as the file can hold it: lone surrogates, which names of files can have, are spelled out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _received_json(received: Received) -> str:
    document = {one.name: getattr(received, one.name) for one in fields(received) if one.name != "files"}
    return json.dumps(document)


def _received(text: str) -> Received:
    document: dict[str, Any] = json.loads(text)
    return Received(**{**document, "notes": tuple(document["notes"])})


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
