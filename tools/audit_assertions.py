"""Delete each assertion of a module's tests in turn and list those whose loss nothing notices.

An assertion is noticed when its test, without it, kills fewer mutants than before: of the curated ones, which are asked
first, or of the generated ones. One that is kept although nothing notices says why in a comment on its first line:
``# kept: reason``. Where a test cannot do without what an assertion calls, a push into a stream for example, the call
stays and only the comparison goes; where it cannot do without the assertion at all, that is noticed.

    python tools/audit_assertions.py M05.2
    python tools/audit_assertions.py M05.2 --test test_image_size
    python tools/audit_assertions.py --all
"""

from __future__ import annotations

import argparse
import ast
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from harness.catalog import read_catalog
from harness.course import Course, load_course
from harness.engine.baseline import measure
from harness.engine.equivalence import equivalence_of
from harness.engine.parent import WarmParent
from harness.engine.schedule import Scheduler
from harness.engine.score import DEFAULT_SEED
from harness.mutation.catalogue import load_mutants
from harness.records import Module, Mutant, Status, Tier

JOBS = 2
AT_ONCE = 40
"""Suspects that are tried before it is asked whether one has passed."""


@dataclass(frozen=True)
class Assertion:
    """One assertion of one test, and the file's text without it, in both readings of "without"."""

    path: Path
    test: str
    line: int
    shown: str
    without: str
    still_called: str
    """What the assertion looks at is evaluated, and nobody looks at it."""
    reason: str
    """Why it is kept although nothing notices; empty where nothing is said."""


def main() -> int:
    """Audit the modules named, or all; 1 if an assertion is neither noticed nor explained."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="ID")
    parser.add_argument("--all", action="store_true", help="every module of the course")
    parser.add_argument(
        "--test", action="append", metavar="NAME", help="only the assertions of this test; may be repeated"
    )
    options = parser.parse_args()
    if options.all == bool(options.modules):
        parser.error("name modules, or --all")
    course = load_course()
    modules = course.modules if options.all else [course.module(name) for name in options.modules]
    return 1 if sum(audit(course, module, options.test) for module in modules) else 0


def audit(course: Course, module: Module, only: Collection[str] | None) -> int:
    """Print what is found for one module; return how many assertions are neither noticed nor explained.

    `only` are the tests whose assertions are looked at, where not all are.
    """
    mutants = load_mutants(course, module, generated=True)
    generated = [one for one in mutants if one.tier is Tier.GENERATED]
    curated = [one for one in mutants if one.tier not in (Tier.WHEAT, Tier.GENERATED)]
    assertions = [one for path in course.test_files(module) for one in read_assertions(path)]
    if only is not None:
        assertions = [one for one in assertions if one.test in only]
    if not assertions:
        raise SystemExit(
            f"{module.id}: no assertion in {', '.join(only or ()) or 'its tests'}: `ol tests {module.id}` lists tests"
        )
    idle = explained = 0
    with bench(course, module) as killed_by:

        @cache
        def killed(test: str, *, among_generated: bool) -> list[Mutant]:
            return killed_by(generated if among_generated else curated, test)

        for assertion in assertions:
            if is_noticed(course, module, assertion, killed(assertion.test, among_generated=False)):
                continue
            where = f"{assertion.path.name}:{assertion.line} ({assertion.test}): {assertion.shown}"
            if assertion.reason:
                # It needs no second search: the generated ones are many.
                explained += 1
                print(f"{module.id}: kept, {assertion.reason}: {where}", flush=True)
            elif not is_noticed(course, module, assertion, killed(assertion.test, among_generated=True)):
                idle += 1
                print(f"{module.id}: nothing notices the loss of {where}", flush=True)
    print(f"{module.id}: {len(assertions)} assertions, {explained} kept for a stated reason, {idle} idle")
    return idle


def is_noticed(course: Course, module: Module, assertion: Assertion, suspects: list[Mutant]) -> bool:
    """Whether its test lets one of the suspects, all of which it kills, pass without it."""
    if not suspects:
        return False
    for text in (assertion.without, assertion.still_called):
        try:
            return lets_one_pass(course, module, assertion, text, suspects)
        except FailsOnReference:
            continue
    return True


def lets_one_pass(course: Course, module: Module, assertion: Assertion, text: str, suspects: list[Mutant]) -> bool:
    """Whether one of the suspects passes the assertion's test where `text` stands in the place of its file."""
    with (
        tempfile.TemporaryDirectory(prefix="tokproof-audit-") as name,
        bench(copy_with(course, module, assertion.path, text, Path(name)), module, assertion.test) as killed_by,
    ):
        shares = (suspects[start : start + AT_ONCE] for start in range(0, len(suspects), AT_ONCE))
        return any(len(killed_by(share, assertion.test)) < len(share) for share in shares)


class FailsOnReference(Exception):
    """A test that does not pass on the reference, so that nothing it fails says anything."""


@contextmanager
def bench(
    course: Course, module: Module, only: str | None = None
) -> Iterator[Callable[[Sequence[Mutant], str], list[Mutant]]]:
    """Makes a function that tells which mutants a test kills by itself, each in a process of its own.

    A mutant that hangs or crashes is not among them: it would do so without any assertion. `only` is the one test that
    will be asked about, where there is but one.
    """
    with WarmParent(course, module, jobs=JOBS) as parent:
        units = course.read_units(module)
        tests = parent.greeting.tests if only is None else (only,)
        baseline = measure(parent, units, run_seed=DEFAULT_SEED, only=tests)
        if failing := [run.name for run in baseline.outcome.runs if not run.passed and run.name in tests]:
            raise FailsOnReference(failing)
        catalog = read_catalog(course.test_files(module))
        equivalence = equivalence_of(course, module, parent, units)
        scheduler = Scheduler(parent, baseline, units, catalog, equivalence, DEFAULT_SEED)
        reaching: dict[str, frozenset[str]] = {}

        def killed_by(mutants: Sequence[Mutant], test: str) -> list[Mutant]:
            for mutant in mutants:
                if mutant.id not in reaching:
                    reaching[mutant.id] = tests_that_get_to(scheduler, mutant)
            reached = [mutant for mutant in mutants if test in reaching[mutant.id]]
            with parent.pool() as pool:
                verdicts = list(pool.map(lambda mutant: scheduler.judge_cell(mutant, test), reached))
            return [one.mutant for one in verdicts if one.status is Status.KILLED]

        yield killed_by


def tests_that_get_to(scheduler: Scheduler, mutant: Mutant) -> frozenset[str]:
    """The tests that run what the mutant changes; none where its text does not parse."""
    try:
        plan = scheduler.plan(mutant)
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset((*plan.quick, *plan.slow))


def copy_with(course: Course, module: Module, path: Path, text: str, home: Path) -> Course:
    """The course in another place, with `text` in the place of one test file."""
    for folder in ("reference", "mutants", "tests"):
        shutil.copytree(
            course.root / folder, home / folder, ignore=shutil.ignore_patterns("harness", "__pycache__", "*.pyc")
        )
    shutil.copy(course.root / "course.toml", home / "course.toml")
    moved = replace(course, root=home)
    (moved.tests(module) / path.name).write_text(text)
    return moved


def read_assertions(path: Path) -> Iterator[Assertion]:
    """Every assertion of a test file: ``assert`` statements and ``with pytest.raises(...)`` blocks."""
    source = path.read_text()
    lines = source.splitlines()
    tree = ast.parse(source)
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or not function.name.startswith("test_"):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Assert) or _is_raises(node):
                assert isinstance(node, ast.Assert | ast.With)
                first = lines[node.lineno - 1]
                _, _, reason = first.partition("# kept:")
                texts = _without(source, node, calls=False), _without(source, node, calls=True)
                yield Assertion(path, function.name, node.lineno, first.strip(), *texts, reason.strip())


def _is_raises(node: ast.AST) -> bool:
    if not isinstance(node, ast.With):
        return False
    call = node.items[0].context_expr
    return isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.raises"


def _without(source: str, node: ast.Assert | ast.With, *, calls: bool) -> str:
    """The text without the assertion; what stood inside a ``pytest.raises`` still runs, and may do as it likes.

    With `calls`, what stood in an ``assert`` is evaluated too.

    Where the raised error is looked at later, those assertions go as well: they would have nothing to look at.
    """
    tree = ast.parse(source)
    doomed = [(node.lineno, node.col_offset)]
    name = _bound_name(node)
    if name:
        doomed += [
            (other.lineno, other.col_offset)
            for other in ast.walk(tree)
            if isinstance(other, ast.Assert) and node.lineno < other.lineno and _uses_soon(other, name, node)
        ]
    return ast.unparse(ast.fix_missing_locations(_Remover(doomed, calls=calls).visit(tree)))


def _bound_name(node: ast.Assert | ast.With) -> str:
    if isinstance(node, ast.With) and isinstance(node.items[0].optional_vars, ast.Name):
        return node.items[0].optional_vars.id
    return ""


def _uses_soon(other: ast.Assert, name: str, node: ast.stmt) -> bool:
    """Whether an assertion at most a few lines below looks at the error that the block caught."""
    uses = any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(other))
    return uses and other.lineno - (node.end_lineno or node.lineno) <= 4


class _Remover(ast.NodeTransformer):
    def __init__(self, doomed: list[tuple[int, int]], *, calls: bool) -> None:
        self._doomed = doomed
        self._calls = calls

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        if (node.lineno, node.col_offset) not in self._doomed:
            return node
        return ast.Expr(node.test) if self._calls else ast.Pass()

    def visit_With(self, node: ast.With) -> ast.stmt:
        self.generic_visit(node)
        if (node.lineno, node.col_offset) not in self._doomed:
            return node
        swallow = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
        return ast.Try(node.body, [swallow], [], [])


if __name__ == "__main__":
    raise SystemExit(main())
