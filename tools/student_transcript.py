"""Write docs/student.md: a student's way through M05.2, command by command, with what each command really prints.

python tools/student_transcript.py            write it
python tools/student_transcript.py --check    compare it with what the commands print now; 1 if it is no longer true
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.course import Course, load_course
from harness.mutation.curated import load_curated
from harness.records import Mutant

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "student.md"
MODULE = "M05.2"
UNIT = "tinyllm/tok/bytes_unicode.py"
WIDTH = 80

HEAD = """\
# A student's way through M05.2

Every block below is what the commands print. `tools/student_transcript.py` wrote this page by running them, and tox
checks that it is still true.
"""


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    page = "".join(transcript())
    if "--check" not in arguments:
        PAGE.write_text(page, "utf-8")
        return 0
    before = PAGE.read_text("utf-8")
    if before == page:
        print(f"{PAGE.name} is true")
        return 0
    sys.stdout.writelines(
        difflib.unified_diff(before.splitlines(True), page.splitlines(True), "the page", "what is printed now")
    )
    return 1


def transcript() -> Iterator[str]:
    """The page, part by part."""
    course = load_course()
    yield HEAD
    with tempfile.TemporaryDirectory(prefix="tokproof-student-") as name:
        home = Path(name)
        code = home / "python" / UNIT
        yield section("Start", "The stubs come from the contract. Nothing that is there already is touched.")
        yield command(home, "start", MODULE)
        yield command(home, "check", MODULE, code=2)
        for mutant in pitfalls(course):
            yield section(f"Pitfall {mutant.pitfall}: {mutant.operator}", f"The mistake: {mutant.description}")
            code.write_text(mutant.sources[UNIT], "utf-8")
            yield command(home, "check", MODULE, code=1)
        yield section("Right", "Every pitfall mended. The verdict says what was proven and what was only tried.")
        code.write_text(course.unit_path(UNIT).read_text("utf-8"), "utf-8")
        yield command(home, "check", MODULE)
        yield command(home, "status")
        yield section("Beside the reference", "Another right answer, in other words: what differs is how, not what.")
        code.write_text((course.root / "mutants" / MODULE / "w07.py").read_text("utf-8"), "utf-8")
        yield command(home, "status")
        yield command(home, "check", MODULE)
        yield command(home, "diff", MODULE, most=24)


def pitfalls(course: Course) -> list[Mutant]:
    """For each pitfall of the module's text, in its order, the mutant that stands for it."""
    first: dict[int, Mutant] = {}
    for mutant in load_curated(course, course.module(MODULE)):
        if mutant.pitfall is not None:
            first.setdefault(mutant.pitfall, mutant)
    return [first[number] for number in sorted(first)]


def section(title: str, text: str) -> str:
    """A heading and what is to be known."""
    return f"\n## {title}\n\n{text}\n"


def command(home: Path, *arguments: str, code: int = 0, most: int | None = None) -> str:
    """A block with a command and its output; the exit code must be `code`."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(WIDTH), "NO_COLOR": "1", "FORCE_COLOR": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    shown = f"ol {' '.join(arguments)}"
    if done.returncode != code or done.stderr:
        raise SystemExit(f"{shown} ended with {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    if most is not None and len(lines) > most:
        lines = [*lines[:most], "..."]
    wide = [line for line in lines if len(line) > WIDTH]
    if wide:
        raise SystemExit(f"{shown} prints more than {WIDTH} columns: {wide[0]}")
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f"\n    $ {shown}\n{body}\n    $ echo $?\n    {code}\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
