"""What the wire costs: a module's tests over it against in-process, calls a second, and a start at each level.

Run from the project's root on a quiet machine: ``python benchmarks/wire.py [MODULE]``. A call waits for two changes of
process, so that the times of a busy machine say little; the judge's own time beside them says what its code costs.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType

from hypothesis import settings

from harness import profiles
from harness.course import Course, load_course
from harness.records import Module
from harness.subject.launch import InProcess, Request, Subject, Wired, start_cost_s
from harness.subject.sandbox import Level, strongest

CALLS = 20_000
STARTS = 7
ROUNDS = 3


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", nargs="?", default="M05.2")
    course = load_course()
    module = course.module(parser.parse_args().module)
    sys.path.insert(0, str(course.reference))
    profiles.register()
    settings.load_profile(profiles.Profile.SCORE)
    profiles.neutralise_harvest()
    compare_tests(course, module)
    count_calls()
    time_starts(course, module)


def compare_tests(course: Course, module: Module) -> None:
    """The same tests on the same reference, the import of the tests left out."""
    units = course.read_units(module)
    paths = {unit: str(course.unit_path(unit)) for unit in units}
    here = [run_tests(course, module, InProcess(units, paths)) for _ in range(ROUNDS)]
    print(f"{module.id} in-process  {min(here):6.2f} s")
    for level in sorted({Level.L0, strongest()}):
        there = []
        calls = 0
        for _ in range(ROUNDS):
            with Wired(Request(units=units, serve=module.units, level=level)) as wired:
                there.append(run_tests(course, module, wired))
                calls = wired.link.calls
        per_call_us = (min(there) - min(here)) / calls * 1e6
        print(
            f"{module.id} wire {level.name}     {min(there):6.2f} s   ratio {min(there) / min(here):.2f}"
            f"   {calls} calls, {per_call_us:.0f} us more for each"
        )


def run_tests(course: Course, module: Module, subject: Subject) -> float:
    """Seconds that the tests of a module take on a subject."""
    elapsed_s = 0.0
    with subject.installed():
        for path in course.test_files(module):
            spec = importlib.util.spec_from_file_location(f"benchmark_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            tests = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(tests)
            began = time.perf_counter()
            for name, test in list(vars(tests).items()):
                if name.startswith("test_") and isinstance(test, FunctionType):
                    test()
            elapsed_s += time.perf_counter() - began
    return elapsed_s


SOURCE = "def nothing(x): return 1\ndef same(x): return x\n"
ARGUMENTS = {"an integer": 5, "bytes": b"Hi there", "text": "HiĠthere", "a list of ten": list(range(10))}


def count_calls() -> None:
    """Calls a second of a function that does nothing, one by one and in batches."""
    with served(strongest()) as wired:
        subject = wired.modules["pkg.bench"]
        print(f"\n{'call':24} {'us':>7} {'a second':>10}   (the judge's own time)")
        for label, argument in ARGUMENTS.items():
            report(f"nothing({label})", CALLS, repeated(subject.nothing, argument))
        report("same(a list of ten)", CALLS, repeated(subject.same, [*range(10)]))
        calls = [("nothing", (b"Hi there",))] * CALLS
        report("nothing(bytes), batched", CALLS, lambda: wired.link.batch("pkg.bench", calls))


def repeated(function: Callable[[object], object], argument: object) -> Callable[[], None]:
    """Many calls, one after the other, of which no result is kept."""

    def act() -> None:
        for _ in range(CALLS):
            function(argument)

    return act


def report(label: str, count: int, act: Callable[[], object]) -> None:
    """Run `act`, which makes `count` calls, and print what one of them costs."""
    act()
    began, began_cpu = time.perf_counter(), time.process_time()
    act()
    each, own = (time.perf_counter() - began) / count, (time.process_time() - began_cpu) / count
    print(f"{label:24} {each * 1e6:7.1f} {1 / each:10,.0f}   {own * 1e6:.1f} us")


@contextmanager
def served(level: Level) -> Iterator[Wired]:
    """A subject of two small functions."""
    with Wired(Request(units={"pkg/bench.py": SOURCE}, serve=("pkg/bench.py",), level=level)) as wired:
        yield wired


def time_starts(course: Course, module: Module) -> None:
    """From nothing to the greeting, and to the end, at each level that holds."""
    units = course.read_units(module)
    print(f"\n{'start':24} {'median ms':>9}")
    for level in [one for one in Level if one <= strongest()]:
        costs = [start_cost_s(Request(units=units, serve=module.units, level=level)) for _ in range(STARTS)]
        print(f"{module.id + ' at ' + level.name:24} {statistics.median(costs) * 1e3:9.0f}")


if __name__ == "__main__":
    main()
