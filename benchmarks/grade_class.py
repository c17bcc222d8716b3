"""A made class of a thousand, graded as an instructor would: nothing misgraded, and what it costs.

    python benchmarks/grade_class.py [--count 1000] [--kills 10] [--cluster] [--twice] [--keep DIR]

The class of M05.2: honest code in many writings, every curated mutant in three, broken files, and forty attacks of the
zoo, half of them in a module whose other functions are honest. What such an attack may earn is what the same module
earns where the attacked function is not there, or harmless and wrong; an attack without honest functions earns nothing.
`--kills` grades it again with a judge that is killed that many times
and resumed, `--cluster` on a local cluster of which a worker is killed half way, `--twice` once more: each has to come
to the same files, byte by byte.
"""

from __future__ import annotations

import argparse
import ast
import csv
import hashlib
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import rewritings

from harness.course import Course, load_course
from harness.mutation.curated import load_curated
from harness.process import children
from harness.records import Module, Mutant, Tier

MODULE = "M05.2"
ROOT = Path(__file__).resolve().parents[1]
ZOO = ROOT / "tests" / "harness" / "attacks"
ATTACKS = 40
COPIES = 50
ODD_NAMES = (
    "Zoë Müller-Ångström",
    "=HYPERLINK(1)",
    "@sum",
    "-2+3",
    "محمد",
    "李 雷",
    "O'Brien",
    "a" * 120,
    "x.y.z",
    "tab\there",
)
FUNCTIONS = 7


@dataclass(frozen=True, slots=True)
class Made:
    """One submission and what has to come of it."""

    student: str
    files: Mapping[str, bytes]
    kind: str
    """``honest``, ``mutant``, ``broken``, ``attack`` or ``ceiling``."""
    ceilings: tuple[str, ...] = ()
    """For an attack: students of whom one must have as many points; none where it must earn nothing."""


def made_class(course: Course, module: Module, count: int) -> Iterator[Made]:
    """The submissions of a class, always the same."""
    (unit,) = module.units
    reference = course.unit_path(unit).read_text("utf-8")
    curated = load_curated(course, module)
    writings: list[Callable[[str], str]] = [str, *rewritings.WRITINGS.values()]
    special = [*_mutants(curated, unit), *_broken(reference), *_attacks(reference)]
    right = [reference, *(one.sources[unit] for one in curated if one.tier is Tier.WHEAT)]
    places = {"flat": "bytes_unicode.py", "as it should be": f"python/{unit}", "deep": f"hw 3/my code/{unit}"}
    for number in range(count - len(special)):
        base = right[number % len(right)]
        text = writings[number // len(right) % len(writings)](base)
        own = 0 if number < COPIES else number  # the first ones copied from each other
        name = ODD_NAMES[number] if number < len(ODD_NAMES) else f"student{number:04}"
        place = list(places.values())[number % len(places)]
        yield Made(name, {place: f"# homework {own}\n{text}".encode()}, "honest")
    yield from special


def _mutants(curated: Sequence[Mutant], unit: str) -> Iterator[Made]:
    for mutant in curated:
        if mutant.tier is not Tier.WHEAT:
            for name, writing in rewritings.WRITINGS.items():
                text = writing(mutant.sources[unit])
                yield Made(f"{mutant.id}-{name}", {"bytes_unicode.py": text.encode()}, "mutant")


def _broken(reference: str) -> Iterator[Made]:
    broken: dict[str, Mapping[str, bytes]] = {
        "nothing": {"readme.txt": b"sorry"},
        "does-not-parse": {"bytes_unicode.py": b"def encode_bytes(:\n"},
        "not-utf8": {"bytes_unicode.py": b"# caf\xe9\n" + reference.encode()},
        "nul": {"bytes_unicode.py": reference.encode() + b"\0"},
        "large": {"bytes_unicode.py": b"#" * (2 << 20)},
        "empty": {"bytes_unicode.py": b""},
        "misnamed": {"byte_unicode.py": reference.encode()},
        "two-of-them": {"a/bytes_unicode.py": reference.encode(), "b/bytes_unicode.py": b"x = 1\n"},
        "raises-at-import": {"bytes_unicode.py": b"1 / 0\n" + reference.encode()},
        "needs-what-nobody-has": {"bytes_unicode.py": b"import numpy_of_mine\n" + reference.encode()},
        "a-notebook": {"bytes_unicode.ipynb": b"{}"},
        "deep": {"bytes_unicode.py": b"x = " + b"(" * 5000 + b")" * 5000},
    }
    for name, files in broken.items():
        yield Made(f"broken-{name}", files, "broken")


def _attacks(reference: str) -> Iterator[Made]:
    """Attacks of the zoo on our functions: on all of them, or on one among honest ones."""
    found = sorted(ZOO.glob("*/*.py"))
    chosen = [found[place * len(found) // ATTACKS] for place in range(ATTACKS)]
    names = [one.name for one in ast.parse(reference).body if isinstance(one, ast.FunctionDef)][:FUNCTIONS]
    ceilings: set[tuple[str, str, str]] = set()
    for number, path in enumerate(chosen):
        attack = (
            path.read_text("utf-8").replace("COURSE_ROOT", str(ROOT)).replace("SHARED_FOLDER", tempfile.gettempdir())
        )
        student = f"attack-{path.parent.name}-{path.stem}"
        if number % 2:
            name = names[number % len(names)]
            ceilings |= {(name, "missing", "nowhere"), (name, "wrong", "6")}
            text = f"{reference}\n\n{attack}\n\n{_calling([name], 'double(3)')}"
            yield Made(
                student,
                {"bytes_unicode.py": text.encode()},
                "attack",
                (f"ceiling-{name}-missing", f"ceiling-{name}-wrong"),
            )
        else:
            text = f"{attack}\n\n{_calling(names, 'double(3)')}"
            yield Made(student, {"bytes_unicode.py": text.encode()}, "attack")
    for name, what, answer in sorted(ceilings):
        text = f"{reference}\n\n{_calling([name], answer)}"
        yield Made(f"ceiling-{name}-{what}", {"bytes_unicode.py": text.encode()}, "ceiling")


def _calling(names: Sequence[str], what: str) -> str:
    return "\n\n".join(f"def {name}(*arguments, **named):\n    return {what}\n" for name in names)


def write_class(made: Sequence[Made], folder: Path) -> None:
    """One file, folder, zip or tar a student, in turn."""
    folder.mkdir(parents=True)
    for number, one in enumerate(made):
        form = number % 4
        if form == 2:
            with zipfile.ZipFile(folder / f"{one.student}.zip", "w") as archive:
                for name, data in one.files.items():
                    archive.writestr(name, data)
        elif form == 3:
            with tarfile.open(folder / f"{one.student}.tar.gz", "w:gz") as archive:
                for name, data in one.files.items():
                    member = tarfile.TarInfo(name)
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
        else:
            for name, data in one.files.items():
                path = folder / one.student / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


def command(folder: Path, out: Path, *more: str) -> list[str]:
    """`ol grade` without times, so that two runs can be compared."""
    words = ["grade", MODULE, str(folder), "--out", str(out), "--no-times", "-j", "2", *more]
    return [sys.executable, "-m", "harness", *words]


def run_to_its_end(words: Sequence[str]) -> tuple[float, int]:
    """Seconds, and the most memory in MiB that the judge itself held."""
    began, most = time.monotonic(), 0
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, _resident_mib(process.pid))
            time.sleep(0.2)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return time.monotonic() - began, most


def _resident_mib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) >> 10 for line in lines if line.startswith("VmRSS:")), 0)


def run_with_kills(words: Sequence[str], kills: int, seconds: float) -> int:
    """Kill the judge that many times at moments spread over the run, resume each time; how often it was killed."""
    moments = random.Random(20190214)
    killed = 0
    for _ in range(kills):
        resuming = [*words, "--resume"] if killed else list(words)
        with subprocess.Popen(resuming, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            try:
                process.wait(timeout=moments.uniform(0.3, seconds / kills))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed += 1
    run_to_its_end([*words, "--resume"])
    return killed


def run_losing_a_worker(words: Sequence[str], seconds: float) -> None:
    """Kill one worker of the local cluster half way."""
    with subprocess.Popen([*words, "--cluster", "local"], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        time.sleep(seconds / 2)
        workers = [pid for pid in children(process.pid) if b"resource_tracker" not in _command_line(pid)]
        if not workers:
            raise SystemExit("no worker of the cluster was found")
        os.kill(workers[0], signal.SIGKILL)
    if process.returncode:
        raise SystemExit(f"the cluster's run ended with {process.returncode}")


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def digest_of(out: Path) -> dict[str, str]:
    """SHA-256 of every file that a run leaves but the store."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith(("grades.sqlite", "."))
    }


def misgraded(made: Sequence[Made], out: Path) -> list[str]:
    """What is wrong with a table of grades, a line each."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    by_student = {row["student"].removeprefix("'"): row for row in rows.values()}
    wrong = []
    for one in made:
        row = by_student.get(one.student) or by_student.get(one.student.encode("unicode_escape").decode())
        if row is None:
            wrong.append(f"{one.student!r} has no row")
            continue
        points, most = float(row["points"] or -1), float(row["max_points"])
        allowed = max((float(by_student[ceiling]["points"]) for ceiling in one.ceilings), default=0.0)
        bad = {
            "honest": points != most,
            "mutant": points >= most or row["status"] != "graded",
            "broken": points != 0,
            "attack": points > allowed,
            "ceiling": points >= most,
        }[one.kind]
        if bad:
            wrong.append(f"{one.kind} {one.student!r}: {points:g} of {most:g} ({row['status']}: {row['reason']})")
        if points < most and not (row["reason"] or row["failed_tests"]):
            wrong.append(f"{one.student!r} lost points without a reason")
    return wrong


def main() -> None:
    """Make the class, grade it as often as asked, and end with 1 where anything is not as it must be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--keep", type=Path, help="leave the class and the results here")
    asked = parser.parse_args()
    course = load_course(ROOT)
    made = list(made_class(course, course.module(MODULE), asked.count))
    with tempfile.TemporaryDirectory() as name:
        home = asked.keep or Path(name)
        shutil.rmtree(home / "class", ignore_errors=True)
        write_class(made, home / "class")
        print(
            f"{len(made)} submissions: {', '.join(f'{n} {kind}' for kind, n in Counter(m.kind for m in made).items())}"
        )
        out = fresh(home / "results")
        seconds, mib = run_to_its_end(command(home / "class", out))
        print(f"graded in {seconds:.0f} s, {len(made) / seconds:.2f} a second; the judge held {mib} MiB at most")
        wrong = misgraded(made, out)
        print("\n".join(wrong) or "nothing misgraded")
        same = digest_of(out)
        if asked.twice:
            again = fresh(home / "again")
            run_to_its_end(command(home / "class", again))
            wrong += compare("a second run", same, digest_of(again))
        if asked.kills:
            killed = fresh(home / "killed")
            times = run_with_kills(command(home / "class", killed), asked.kills, seconds)
            wrong += compare(f"a run killed {times} times and resumed", same, digest_of(killed))
        if asked.cluster:
            clustered = fresh(home / "clustered")
            run_losing_a_worker(command(home / "class", clustered), seconds)
            wrong += compare("a cluster that lost a worker half way", same, digest_of(clustered))
    raise SystemExit(bool(wrong))


def fresh(folder: Path) -> Path:
    """A folder that is not there yet."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def compare(what: str, expected: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """Print whether two runs left the same files, and name those that differ."""
    differing = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    print(f"{what}: {'the same' if not differing else f'{len(differing)} of {len(expected)} files differ'}")
    return [f"{what}: {name} differs" for name in differing[:10]]


if __name__ == "__main__":
    main()
