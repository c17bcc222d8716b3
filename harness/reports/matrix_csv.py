"""The kill matrix as a table for a spreadsheet: a row for each mutant, a column for each test."""

from __future__ import annotations

import csv
import io

from harness.records import Report
from harness.reports.facts import CELL_WORDS, claims_of, row_of
from harness.reports.readable import csv_cell

HEADINGS = ("mutant", "tier", "file", "line", "operator", "verdict", "flaky", "elapsed_s", "examples", "description")


def matrix_csv(report: Report) -> str:
    """RFC 4180 with a heading row; wheats are rows of their own tier. Cells hold the words of `CELL_WORDS`."""
    claims = claims_of(report)
    out = io.StringIO(newline="")
    write = csv.writer(out)
    write.writerow([*HEADINGS, *map(csv_cell, report.tests)])
    for verdict in report.verdicts:
        mutant = verdict.mutant
        write.writerow(
            [
                csv_cell(mutant.id),
                mutant.tier,
                csv_cell(mutant.unit),
                mutant.line,
                csv_cell(mutant.operator),
                verdict.status,
                "flaky" if verdict.flaky else "",
                f"{verdict.elapsed_s:.6f}",
                verdict.examples,
                csv_cell(mutant.description),
                *(CELL_WORDS[cell] for cell in row_of(verdict, report.tests, claims)),
            ]
        )
    return out.getvalue()
