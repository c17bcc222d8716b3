"""A CSV file read strictly, that can be written back with some cells changed and every other byte as it was."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.errors import UsageError
from harness.reports.readable import csv_cell, readable

_DELIMITERS = ",;\t"
_BOM = "\ufeff"
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_LARGEST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and where it stands in the file's."""

    text: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One record of the table, which may span lines."""

    number: int
    """Of its first line in the file, from 1."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A CSV file. Rows count from 0 behind the header; blank lines are no rows."""

    path: Path
    text: str
    """All of it, byte order mark and line ends included."""
    encoding: str
    """What `text` encodes to the file's own bytes with."""
    delimiter: str
    header: Line
    lines: tuple[Line, ...]

    @cached_property
    def fieldnames(self) -> tuple[str, ...]:
        """The header's cells, as they are."""
        return tuple(cell.text for cell in self.header.cells)

    @cached_property
    def rows(self) -> tuple[Mapping[str, str], ...]:
        """Each row by column; of two columns of one name the first; a cell that is not there is empty."""
        first = {name: self.fieldnames.index(name) for name in self.fieldnames}
        return tuple(
            {name: line.cells[at].text if at < len(line.cells) else "" for name, at in first.items()}
            for line in self.lines
        )

    def column(self, *names: str) -> str:
        """The file's own name of a column, whichever of these it has, case aside; empty where it has none."""
        for name in names:
            for own in self.fieldnames:
                if own.strip().casefold() == name:
                    return own
        return ""

    def filled(self, cells: Mapping[int, Mapping[str, str]]) -> str:
        """The file's text with the given cells, by row and column, put in.

        What is put in is no formula to a spreadsheet; what was there is untouched. UsageError for a column that is
        not there or there twice.
        """
        pieces, done = [], 0
        for row in sorted(cells):
            line = self.lines[row]
            changes = {self._index(name): value for name, value in cells[row].items()}
            for at in sorted(changes):
                if at >= len(line.cells):
                    break
                cell = line.cells[at]
                pieces += [self.text[done : cell.start], self._written(changes.pop(at), quoted=cell.quoted)]
                done = cell.end
            if changes:  # the row ends before these columns
                pieces.append(self.text[done : line.cells[-1].end])
                done = line.cells[-1].end
                for at in range(len(line.cells), max(changes) + 1):
                    pieces.append(self.delimiter + self._written(changes.get(at, ""), quoted=False))
        return "".join([*pieces, self.text[done:]])

    def _index(self, name: str) -> int:
        if self.fieldnames.count(name) != 1:
            count = "no column" if name not in self.fieldnames else "more than one column"
            message = f"{self.path} has {count} {name!r}"
            raise UsageError(message, remedy=f"its columns are: {', '.join(map(readable, self.fieldnames))}")
        return self.fieldnames.index(name)

    def _written(self, value: str, *, quoted: bool) -> str:
        shown = value if _NUMBER.fullmatch(value) else csv_cell(value)
        if quoted or shown != shown.strip() or any(sign in shown for sign in (self.delimiter, '"')):
            return '"' + shown.replace('"', '""') + '"'
        return shown


def read_table(path: Path, *, remedy: str = "") -> Table:
    """Read a CSV file; UsageError with the line and what is wrong with it, where it is not one."""
    text, encoding = _decoded(path)
    body = text[1:] if text.startswith(_BOM) else text
    if "\0" in body:
        message = f"{path}, line {body.count(chr(10), 0, body.index(chr(0))) + 1}: a NUL character stands there"
        raise UsageError(message, remedy=remedy)
    first = re.sub(r'"[^"]*"', "", body.partition("\n")[0])
    delimiter = max(_DELIMITERS, key=first.count)
    lines = [line for line in _lines(path, text, len(text) - len(body), delimiter) if _is_row(line)]
    if not lines:
        message = f"{path} is empty"
        raise UsageError(message, remedy=remedy)
    header, *rows = lines
    for line in rows:
        for cell in line.cells[len(header.cells) :]:
            if cell.text:
                message = f"{path}, line {line.number}: {readable(cell.text)!r} stands behind the last column"
                raise UsageError(message, remedy="put cells that hold the separator into quotes")
    return Table(path, text, encoding, delimiter, header, tuple(rows))


def _is_row(line: Line) -> bool:
    return len(line.cells) > 1 or bool(line.cells[0].text.strip())


def _decoded(path: Path) -> tuple[str, str]:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_BYTES + 1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise UsageError(message) from error
    if len(data) > _LARGEST_BYTES:
        message = f"{path} is larger than {_LARGEST_BYTES >> 20} MiB"
        raise UsageError(message)
    encodings = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
    encoding = encodings.get(data[:2], "utf-8")
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        where = f"{path}, line {data.count(10, 0, error.start) + 1}"
        message = f"{where}: the byte 0x{data[error.start]:02x} is not {encoding.upper()}"
        raise UsageError(message, remedy="save it as UTF-8; spreadsheets call it CSV UTF-8") from error


def _lines(path: Path, text: str, at: int, delimiter: str) -> Iterator[Line]:
    """Every record, blank ones included; a record ends at CR, LF or both."""
    number = 1
    while at < len(text):
        begun, cells = number, []
        while True:
            cell, at = _cell(path, text, at, delimiter, number)
            number += len(re.findall(r"\r\n|\r|\n", cell.text))
            cells.append(cell)
            if text[at : at + 1] != delimiter:
                break
            at += 1
        at += 2 if text.startswith("\r\n", at) else 1
        number += 1
        yield Line(begun, tuple(cells))


def _cell(path: Path, text: str, start: int, delimiter: str, number: int) -> tuple[Cell, int]:
    if text[start : start + 1] != '"':
        ending = re.compile(f"[{delimiter}\r\n]").search(text, start)
        end = ending.start() if ending else len(text)
        return Cell(text[start:end], start, end, quoted=False), end
    end = start + 1
    while (end := text.find('"', end)) >= 0 and text[end + 1 : end + 2] == '"':
        end += 2
    if end < 0:
        message = f"{path}, line {number}: a quote is opened and never closed: {readable(text[start : start + 40])}"
        raise UsageError(message, remedy="a quote within a cell is written twice, and the cell put into quotes")
    end += 1
    if end < len(text) and text[end] not in (delimiter, "\r", "\n"):
        message = f"{path}, line {number}: text stands behind a closed quote: {readable(text[start : end + 20])}"
        raise UsageError(message, remedy="a quote within a cell is written twice, and the cell put into quotes")
    return Cell(text[start + 1 : end - 1].replace('""', '"'), start, end, quoted=True), end
