"""Build the project and run its main job from an empty folder: from the wheel, from the sdist, and editable.

Each way gets a virtual environment of its own, so that nothing but the built artefact can answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Build once, then try each way in."""
    with tempfile.TemporaryDirectory(prefix="tokproof-package-") as name:
        scratch = Path(name)
        run([sys.executable, "-m", "build", "--outdir", str(scratch / "dist"), str(ROOT)], cwd=scratch)
        wheel = next((scratch / "dist").glob("*.whl"))
        sdist = next((scratch / "dist").glob("*.tar.gz"))
        check_contents(wheel)
        for label, arguments in (
            ("wheel", [str(wheel)]),
            ("sdist", [str(sdist)]),
            ("editable", ["--editable", str(ROOT)]),
        ):
            check_install(label, arguments, scratch / label)
    return 0


def check_contents(wheel: Path) -> None:
    """The wheel holds the course and the type marker, and none of the engine's own tests."""
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "harness/py.typed",
        "harness/reports/templates/score.html.jinja",
        "harness/_course/course.toml",
        "harness/_course/mutants/M05.2/manifest.toml",
    ):
        assert needed in names, f"{wheel.name} lacks {needed}"
    stray = [name for name in names if name.startswith(("tests/", "harness/_course/tests/harness"))]
    assert not stray, f"{wheel.name} carries {stray[:3]}"


def check_install(label: str, arguments: list[str], home: Path) -> None:
    """Install into an environment of its own and run the main job in an empty folder."""
    venv.create(home / "venv", with_pip=True)
    python = str(home / "venv" / "bin" / "python")
    run([python, "-m", "pip", "install", "-q", *arguments], cwd=home)
    empty = home / "empty"
    empty.mkdir()
    shown = run([str(home / "venv" / "bin" / "ol"), "score", "M05.2", "--json"], cwd=empty)
    document = json.loads(shown)
    assert document["score"] == 100.0, document["counts"]
    assert all(document["controls"].values()), document["control_notes"]
    left = {str(path.relative_to(empty)) for path in empty.rglob("*") if path.is_file()}
    assert left == {".ol/results/score-M05.2.json", ".ol/results/history.jsonl"}, f"the run left {left}"
    run([python, "-m", "harness", "tests", "M05.2"], cwd=empty)
    print(f"{label}: {document['counts']['killed']} mutants killed in {document['elapsed_s']} s")


def run(command: list[str], *, cwd: Path) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
