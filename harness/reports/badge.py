"""The score as a badge: what shields.io's endpoint reads."""

from __future__ import annotations

import json

from harness.records import Report
from harness.reports.facts import score_words, survivors_of
from harness.scoring import count

_COLOURS = ((100.0, "brightgreen"), (95.0, "green"), (90.0, "yellowgreen"), (80.0, "yellow"), (60.0, "orange"))


def badge_json(report: Report) -> str:
    """A colour by the score; grey and marked as an error where the score cannot be used."""
    counts = count(report.verdicts)
    sound = report.complete and report.controls.hold and not counts.inconclusive
    message = score_words(counts)
    if not report.controls.hold:
        message = "unavailable"
    elif not report.complete:
        message += " (interrupted)"
    elif counts.inconclusive:
        message += " (inconclusive)"
    score = counts.score_percent
    if not sound or score is None:
        colour = "lightgrey"
    elif survivors_of(report):
        colour = next((name for least, name in _COLOURS[1:] if score >= least), "red")
    else:
        colour = _COLOURS[0][1]
    document = {"schemaVersion": 1, "label": "mutation score", "message": message, "color": colour}
    return json.dumps(document | ({} if sound else {"isError": True})) + "\n"
