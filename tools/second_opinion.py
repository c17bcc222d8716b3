"""An independent second opinion, mutmut whole: do its verdicts and ours agree, mutant by mutant.

    python tools/second_opinion.py M05.2
    python tools/second_opinion.py --all

Two mutants are the same when the functions that they change have the same syntax tree. Those that only one side makes
are counted, and listed with --list. Those that change a default are counted too, and not compared: the function that
mutmut puts before its mutants has the old defaults, and hands them on.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mutmut_tree import Tree, lay_out

from harness.course import Course, load_course
from harness.engine.score import Options, score
from harness.mutation.catalogue import load_mutants
from harness.records import Module, Status, Tier, Verdict

JOBS = 2
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


class Function(NamedTuple):
    """A function's syntax tree in parts, without its name and its decorators, which mutmut changes for its own ends."""

    kind: str
    arguments: str
    returns: str
    body: str


Key = tuple[str, str, Function]
"""Unit, qualified name of the changed function, what it became."""

_SAME = {
    Status.KILLED: "detected",
    Status.TIMEOUT: "detected",
    Status.CRASHED: "detected",
    Status.SURVIVED: "undetected",
    Status.EQUIVALENT: "undetected",
}
_THEIRS = {"killed": "detected", "timeout": "detected", "survived": "undetected", "no tests": "undetected"}


def main(arguments: list[str]) -> int:
    """Compare on the modules named, or on all; 1 where a verdict differs."""
    listing = "--list" in arguments
    names = [name for name in arguments if not name.startswith("--")]
    course = load_course()
    modules = [course.module(name) for name in names] if names else course.modules
    return max(compare(course, module, listing=listing) for module in modules)


def compare(course: Course, module: Module, *, listing: bool) -> int:
    """Print how the two agree on one module; 1 where a verdict differs."""
    with tempfile.TemporaryDirectory(prefix="tokproof-mutmut-") as name:
        tree = lay_out(course, module, Path(name))
        tree.run("run", "--max-children", str(JOBS))
        theirs = dict(read_theirs(tree))
    ours = read_ours(course, module)
    both = ours.keys() & theirs.keys()
    inert = changing_defaults(course, module, both)
    common = both - inert
    differ = [key for key in common if _SAME.get(ours[key].status) != _THEIRS.get(theirs[key])]
    for key in sorted(differ):
        verdict = ours[key]
        print(f"{module.id}: {verdict.mutant.id} in {key[1]}: ours {verdict.status}, mutmut's {theirs[key]}")
        print(verdict.mutant.diff)
    only_ours, only_theirs = ours.keys() - theirs.keys(), theirs.keys() - ours.keys()
    print(
        f"{module.id}: {len(common)} mutants that both make, {len(common) - len(differ)} verdicts agree; "
        f"{len(only_ours)} only ours, {len(only_theirs)} only mutmut's, "
        f"{len(inert)} of a default not compared"
    )
    if listing:
        for key in sorted(only_ours):
            print(f"  only ours: {ours[key].mutant.id} {ours[key].status}: {ours[key].mutant.description}")
        for key in sorted(only_theirs):
            print(f"  only mutmut's: {key[1]} {theirs[key]}")
    if not common:
        print(f"{module.id}: nothing to compare, so there is no second opinion")
    return 1 if differ or not common else 0


def read_ours(course: Course, module: Module) -> Mapping[Key, Verdict]:
    """Our verdicts on all mutants that change one function, by what they change it to."""
    units = course.read_units(module)
    report = score(course, module, load_mutants(course, module, generated=True), Options(jobs=JOBS))
    assert report.controls.hold, report.controls.notes
    found: dict[Key, Verdict] = {}
    for verdict in report.verdicts:
        if verdict.mutant.tier is Tier.WHEAT or verdict.status is Status.INVALID:
            continue
        changed: list[Key] = []
        for unit, text in verdict.mutant.sources.items():
            before = functions(ast.parse(units[unit]))
            after = functions(ast.parse(text))
            changed += [(unit, name, made) for name, made in after.items() if before.get(name) != made]
        if len(changed) == 1:
            found[changed[0]] = verdict
    return found


def changing_defaults(course: Course, module: Module, keys: Iterable[Key]) -> set[Key]:
    """Those whose function has other arguments than the reference's, of which a mutant can change defaults only."""
    before = {unit: functions(ast.parse(text)) for unit, text in course.read_units(module).items()}
    return {(unit, name, made) for unit, name, made in keys if before[unit][name].arguments != made.arguments}


def functions(tree: ast.Module) -> dict[str, Function]:
    """Every top-level function and method, by qualified name."""
    found = {}
    for node in tree.body:
        if isinstance(node, _FUNCTION):
            found[node.name] = dumped(node)
        elif isinstance(node, ast.ClassDef):
            found.update({f"{node.name}.{one.name}": dumped(one) for one in node.body if isinstance(one, _FUNCTION)})
    return found


def dumped(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    """The parts of a function that two mutants have to share."""
    returns = ast.dump(node.returns) if node.returns else ""
    return Function(type(node).__name__, ast.dump(node.args), returns, ast.dump(ast.Module(node.body, [])))


def read_theirs(tree: Tree) -> Iterator[tuple[Key, str]]:
    """The word of mutmut on each of its mutants, by what the mutant changes its function to."""
    for unit, words in tree.results().items():
        mutated = ast.parse(tree.mutated_file(unit))
        bodies = {
            node.name: node for node in ast.walk(mutated) if isinstance(node, _FUNCTION) and "__mutmut_" in node.name
        }
        for name, word in words.items():
            key = name.rpartition(".")[2]
            yield (unit, original_name(key), dumped(bodies[key])), word


def original_name(mangled: str) -> str:
    """The qualified name behind mutmut's: ``x_f__mutmut_3`` is ``f``, ``xǁBoxǁopen__mutmut_3`` is ``Box.open``."""
    stem = mangled.rpartition("__mutmut_")[0]
    return stem[2:] if stem.startswith("x_") else ".".join(stem.split("ǁ")[1:])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
