"""The grades of a class as the page that its instructor reads: figures first, then a row for each submission.

The rows go through one at a time, so that a page of ten thousand submissions is written and never held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup

from harness.records import Grade, GradeStatus, GradingRun
from harness.reports.charts import columns, mistakes
from harness.reports.class_summary import BUCKETS, ClassSummary, sentence_of, warnings_of
from harness.reports.facts import BUCKETS_S, bucket_names, seconds
from harness.reports.grade_facts import diagnosis_words, failed_names, plain, points_words, sentences
from harness.reports.pages import html, part
from harness.reports.readable import uri_path

_MOST_MISTAKES = 15
_JUDGED = (GradeStatus.GRADED, GradeStatus.INVALID)


def class_html(
    run: GradingRun,
    summary: ClassSummary,
    grades: Iterable[Grade],
    *,
    link: Callable[[Grade], str] | None = None,
    times: bool = True,
) -> Iterator[str]:
    """The page in pieces. `link` gives the path of a submission's own page from where this one will lie."""
    pitfalls = summary.pitfalls[:_MOST_MISTAKES]
    charts = [_points(summary), *([_times(summary)] if times else [])]
    ran = summary.number(GradeStatus.GRADED)
    failed = sorted((test for test in summary.tests if test.failed or test.not_run), key=lambda test: -test.failed)
    facts = [("began", run.began_at)] if times else []
    facts += [("seed", str(run.seed)), ("isolation", run.isolation), ("profile", run.profile), *run.versions.items()]
    return (
        html()
        .get_template("class.html.jinja")
        .generate(
            module=run.module,
            counts=summary.statuses,
            summary=summary,
            sound=run.complete and not summary.number(GradeStatus.ERROR),
            mean=f"{plain(summary.mean)} of {plain(summary.max_points)}" if summary.mean is not None else "no points",
            sentence=sentence_of(summary),
            warnings=warnings_of(run, summary),
            ungraded_more=summary.number(GradeStatus.UNREADABLE, GradeStatus.ERROR) - len(summary.ungraded),
            facts=[(label, value) for label, value in facts if value],
            charts=charts,
            mistakes=mistakes([(one.mutant, one.mistake, one.sure, one.likely) for one in pitfalls]),
            mistakes_sentence=mistakes_sentence(summary),
            most=_MOST_MISTAKES,
            never=[test.name for test in summary.tests if not test.failed and not test.not_run] if ran else [],
            failed=[(test, round(100 * test.failed / ran)) for test in failed],
            rows=(_row(grade, link, times=times) for grade in grades),
            style=Markup(part("page.css")),
        )
    )


def mistakes_sentence(summary: ClassSummary) -> str:
    """What the bars mean, and for how many submissions there is none."""
    text = "Solid: behaves exactly as if it made the mistake. Pale: it may be this mistake."
    if summary.unexplained:
        text += f" With failures and no mistake that is known: {summary.unexplained}."
    return text


def _points(summary: ClassSummary) -> tuple[str, Markup, str, list[tuple[str, int]]]:
    tenth = summary.max_points / BUCKETS
    ends = [plain(tenth * index) for index in range(BUCKETS + 1)]
    named = list(zip(ends, summary.histogram, strict=False))
    figures = [
        (f"{low} to {'' if index == BUCKETS - 1 else 'below '}{high}", number)
        for index, (low, high, number) in enumerate(zip(ends, ends[1:], summary.histogram, strict=False))
    ]
    return (
        "Points, by tenths of them",
        columns("Submissions by points", [(f"{low}+", n) for low, n in named]),
        "points",
        figures,
    )


def _times(summary: ClassSummary) -> tuple[str, Markup, str, list[tuple[str, int]]]:
    names = [*bucket_names()[: len(BUCKETS_S)], f"over {BUCKETS_S[-1]:g} s"]
    figures = list(zip(names, summary.times, strict=True))
    middle = f", median {seconds(summary.median_s)}" if summary.median_s is not None else ""
    short = [(name.replace("up to ", "≤ ").replace("over ", "> "), number) for name, number in figures]
    return f"Time for each submission{middle}", columns("Submissions by time", short), "time", figures


def _row(grade: Grade, link: Callable[[Grade], str] | None, *, times: bool) -> Mapping[str, Any]:
    told = diagnosis_words(grade) if grade.status is GradeStatus.GRADED else ""
    lost = " ".join(sentences(grade)) if grade.status is not GradeStatus.GRADED or grade.failed_required else ""
    return {
        "student": grade.received.student,
        "name": grade.received.name,
        "link": uri_path(link(grade)) if link is not None else "",
        "status": grade.status,
        "points": points_words(grade),
        "failed": len(failed_names(grade)),
        "late": grade.received.late_days,
        "took": seconds(grade.elapsed_s) if times and grade.status in _JUDGED else "",
        "words": lost or told,
    }
