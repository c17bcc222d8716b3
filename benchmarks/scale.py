"""What a store does with 100,000 verdicts, and what a night of 100,000 submissions needs: the table of docs/scale.md.

    python benchmarks/scale.py [--count 100000] [--seconds 1.2] [--write docs/scale.md]

Verdicts of the size that M05.2 has go through the batch and the store as `ol grade` sends them, from judges that answer
at once: what is measured is what the judge's own process does. `--seconds` is what one submission costs a core, as
`benchmarks/grade_class.py` measures it.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from harness.catalog import read_catalog
from harness.course import load_course
from harness.grading.batch import Batch, grades
from harness.grading.documents import judged_to_json
from harness.grading.publish import publish
from harness.grading.rules import scheme
from harness.grading.store import Store
from harness.records import CatalogEntry, Cause, CheckedTest, GradeStatus, GradingRun, Judged, Received

MODULE = "M05.2"
NIGHT_H = 10
WANTED = 100_000
STEPS = 10
PUBLISHED = 2_000
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass
class AtOnce:
    """Judges that have the answer already; two in three submissions fail a quarter of the tests."""

    catalog: tuple[CatalogEntry, ...]
    at_once: int = 2
    count: int = 0

    def submit(self, files: Mapping[str, str]) -> Future[str]:
        """A verdict of the usual size."""
        self.count += 1
        future: Future[str] = Future()
        future.set_result(judged_to_json(self.verdict(self.count)))
        return future

    def verdict(self, number: int) -> Judged:
        """All tests pass, or every fourth fails and a mistake is named."""
        fails = number % 3 != 0
        tests = tuple(
            CheckedTest(
                entry,
                "fail",
                input="decode_chars('\\u0144 and some twenty characters more')",
                expected=f"ValueError, as the {number}th has it",
                got="b'\\x00\\x01\\x02\\x03\\x04\\x05\\x06\\x07'",
                replay=f"ol check {MODULE} --test {entry.name}",
            )
            if fails and place % 4 == 0
            else CheckedTest(entry, "pass", examples=100)
            for place, entry in enumerate(self.catalog)
        )
        failed = tuple(test.entry.name for test in tests if test.status == "fail")
        causes = (Cause(failed, "a hint of one sentence", "s01", "a mistake in one sentence"),) if fails else ()
        return Judged(GradeStatus.GRADED, "", tests, causes, "L5", 1.2)


def handed_in(count: int) -> Iterator[Received]:
    """As many submissions, all different."""
    for number in range(count):
        yield Received(f"s{number}", f"s{number}", f"Student {number}", files={"unit.py": f"# {number}\n"})


def resident_mib() -> float:
    """Memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def measure(count: int, seconds: float) -> str:
    """The measured tables, as Markdown."""
    course = load_course()
    module = course.module(MODULE)
    catalog = tuple(read_catalog(course.test_files(module)))
    rules = scheme(module, catalog)
    judges = AtOnce(catalog)
    lines = ["| verdicts | seconds for this tenth | verdicts a second | file, MB | judge's memory, MiB |"]
    lines.append("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "grades.sqlite"
        with Store(path) as store:
            batch = Batch(lambda: handed_in(count), store, {"seed": "0"}, rules, catalog)
            began = time.perf_counter()
            batch.note_all()
            noted_s = time.perf_counter() - began
            done, last = 0, time.perf_counter()
            step = max(1, count // STEPS)

            def on_done(key: str) -> None:
                nonlocal done, last
                done += 1
                if done % step == 0:
                    now = time.perf_counter()
                    size = sum(one.stat().st_size for one in Path(name).glob("grades.sqlite*")) / 1e6
                    rate = step / (now - last)
                    lines.append(f"| {done:,} | {now - last:.1f} | {rate:,.0f} | {size:.0f} | {resident_mib():.0f} |")
                    last = now

            batch.on_done = on_done
            began = time.perf_counter()
            batch.judge_all(judges)
            settled_s = time.perf_counter() - began
            size = path.stat().st_size
            run = GradingRun(module, rules.tests, Decimal(rules.max_points), 0, "", "L5", {}, {})
            some = [grade for grade, _ in zip(grades(store, rules, catalog), range(PUBLISHED), strict=False)]
            began = time.perf_counter()
            publish(Path(name) / "out", run, lambda: some)
            published_s = (time.perf_counter() - began) / len(some)
            files = sum(one.stat().st_size for one in (Path(name) / "out").rglob("*") if one.is_file()) / len(some)
    cores = WANTED * seconds / (NIGHT_H * 3600)
    writes = WANTED / (NIGHT_H * 3600)
    rate = count / settled_s
    facts = {
        "noting a submission before it is judged": f"{1e6 * noted_s / count:.0f} µs",
        "storing a verdict": f"{1e6 * settled_s / count:.0f} µs, so {rate:,.0f} a second at most",
        "kept in the store": f"{size / count / 1e3:.1f} kB a submission",
        "files of a student": f"{1e3 * published_s:.1f} ms and {files / 1e3:.0f} kB",
        f"judging, {seconds} s of a core each": f"{WANTED * seconds / 3600:.0f} hours of one core",
        f"cores for {WANTED:,} in {NIGHT_H} hours": f"{cores:.0f}, with a worker each",
        "verdicts a second then": f"{writes:.1f}, {100 * writes / rate:.1f} % of what the store takes",
        "the store then": f"{WANTED * size / count / 1e6:.0f} MB",
        "all files then": f"{WANTED * published_s / 60:.0f} minutes and {WANTED * files / 1e9:.1f} GB",
    }
    return "\n".join(
        [*lines, "", "| what | measured, and what follows |", "|---|---|"]
        + [f"| {a} | {b} |" for a, b in facts.items()]
    )


def main() -> None:
    """Print the tables, and put them into a document where one is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=1.2)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    tables = measure(asked.count, asked.seconds)
    print(tables)
    if asked.write is not None:
        before, rest = asked.write.read_text("utf-8").split(BEGIN)
        asked.write.write_text(f"{before}{BEGIN}\n{tables}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
