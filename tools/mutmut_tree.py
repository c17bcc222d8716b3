"""mutmut, whole, on a module of the course, in a tree of its own.

mutmut works in a folder ``./mutants`` and wants import paths equal to file paths, and this repository has a folder of
that name for other things. So the reference's package and the module's tests are laid out in a scratch folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.course import Course
from harness.profiles import VARIABLE, Profile
from harness.records import Module

# Exit codes of mutmut's children, as its own documentation and `mutmut.models` have them.
_WORDS = {0: "survived", 1: "killed", 3: "killed", 5: "no tests", 33: "no tests", 36: "timeout", 24: "timeout"}


@dataclass(frozen=True)
class Tree:
    """A scratch tree in which mutmut can be run."""

    home: Path
    units: tuple[str, ...]

    def run(self, *arguments: str) -> str:
        """Output of one mutmut command; what it needs to be comparable with ours is in the environment."""
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(Path.cwd()), str(self.home)]),
            VARIABLE: Profile.SCORE,
            "PYTHONHASHSEED": "0",
        }
        done = subprocess.run(
            [sys.executable, "-m", "mutmut", *arguments],
            cwd=self.home,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"mutmut {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def results(self) -> dict[str, dict[str, str]]:
        """For each unit, the word on each of mutmut's mutants, by mutmut's name for it."""
        found = {}
        for unit in self.units:
            meta = self.home / "mutants" / f"{unit}.meta"
            codes = json.loads(meta.read_text())["exit_code_by_key"]
            found[unit] = {name: _WORDS.get(code, f"exit {code}") for name, code in codes.items()}
        return found

    def mutated_file(self, unit: str) -> str:
        """The text in which mutmut keeps all mutants of a unit, a function each."""
        return (self.home / "mutants" / unit).read_text()


def lay_out(course: Course, module: Module, home: Path) -> Tree:
    """Copy what mutmut needs below `home`."""
    package = module.units[0].partition("/")[0]
    shutil.copytree(course.reference / package, home / package, ignore=shutil.ignore_patterns("__pycache__"))
    tests = home / "tests" / module.id
    shutil.copytree(course.tests(module), tests, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(course.root / "tests" / "conftest.py", home / "tests" / "conftest.py")
    only = ", ".join(f'"{unit}"' for unit in module.sources)
    (home / "pyproject.toml").write_text(
        "[tool.mutmut]\n"
        f'source_paths = ["{package}"]\n'
        f"only_mutate = [{only}]\n"
        f'pytest_add_cli_args_test_selection = ["tests/{module.id}"]\n'
        "[tool.pytest.ini_options]\n"
        'addopts = ["--import-mode=importlib", "-p", "no:cacheprovider"]\n'
    )
    return Tree(home, module.sources)
