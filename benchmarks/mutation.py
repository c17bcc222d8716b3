"""Compare `ol score` with mutmut on the same tests, mutants, Hypothesis profile and number of jobs, in one session.

    python benchmarks/mutation.py [MODULE] [--rounds 5]

The two take turns, so that a slow minute of the machine slows both. Printed are medians and their ratios, of two
measures: the mutation phase (a mutant's share of the time in which mutants run) and the whole command (start, baseline,
and controls on our side; start, statistics, clean run and forced failure on mutmut's). Ours is measured without its
cache, as on a machine that never ran it. Mutants are those that both make; wheats, of which mutmut has no counterpart,
are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from mutmut_tree import lay_out  # noqa: E402
from second_opinion import JOBS, read_ours, read_theirs  # noqa: E402

from harness.course import load_course  # noqa: E402

OURS_ONCE = """
import json, sys
from harness.course import load_course
from harness.engine.score import Options, Start, score
from harness.mutation.catalogue import load_mutants
course = load_course(); module = course.module(sys.argv[1]); wanted = set(json.loads(sys.argv[2]))
options = Options(jobs=int(sys.argv[3]))
with Start(course, module, options) as start:
    mutants = [one for one in load_mutants(course, module, generated=True) if one.id in wanted]
    report = score(course, module, mutants, options, start=start)
print(json.dumps([report.mutation_s, len(report.verdicts)]))
"""


def main() -> int:
    """Measure, print, and return 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("module", nargs="?", default="M05.2")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    course = load_course()
    module = course.module(arguments.module)
    with tempfile.TemporaryDirectory(prefix="tokproof-benchmark-") as name:
        tree = lay_out(course, module, Path(name))
        tree.run("run", "--max-children", str(JOBS))
        ours_by_key = read_ours(course, module)
        common = sorted(ours_by_key[key].mutant.id for key, _ in read_theirs(tree) if key in ours_by_key)
        figures: dict[str, list[float]] = {"our phase": [], "their phase": [], "our whole": [], "their whole": []}
        for number in range(arguments.rounds):
            shutil.rmtree(tree.home / "mutants")
            began = time.perf_counter()
            output = tree.run("run", "--max-children", str(JOBS))
            figures["their whole"].append(time.perf_counter() - began)
            rate = float(re.findall(r"([0-9.]+) mutations/second", output)[-1])
            figures["their phase"].append(1 / rate)
            began = time.perf_counter()
            phase_s, judged = ours_once(module.id, common)
            figures["our whole"].append(time.perf_counter() - began)
            assert judged == len(common), (judged, len(common))
            figures["our phase"].append(phase_s / judged)
            print(f"round {number + 1}: " + ", ".join(f"{name} {values[-1]:.3f} s" for name, values in figures.items()))
    median = {name: statistics.median(values) for name, values in figures.items()}
    print(f"{module.id}: {len(common)} mutants, {JOBS} jobs, medians of {arguments.rounds}")
    for label, key in (("mutation phase, a mutant", "phase"), ("whole command", "whole")):
        ours, theirs = median[f"our {key}"], median[f"their {key}"]
        print(f"{label}: ours {ours * 1000:.1f} ms, mutmut {theirs * 1000:.1f} ms, ratio {ours / theirs:.3f}")
    return 0


def ours_once(module_id: str, ids: list[str]) -> tuple[float, int]:
    """Seconds of our mutation phase, and how many mutants it judged, in a process with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="tokproof-cache-") as cache:
        done = subprocess.run(
            [sys.executable, "-c", OURS_ONCE, module_id, json.dumps(ids), str(JOBS)],
            env={**os.environ, "PYTHONPATH": str(ROOT), "TOKPROOF_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    phase_s, judged = json.loads(done.stdout)
    return phase_s, judged


if __name__ == "__main__":
    raise SystemExit(main())
