"""The zoo: submissions that want a pass without earning it, or want out. None gets what it wants.

Each file of `attacks/` says in its docstring which level stops it, and where it was seen to succeed one level below.
Its `double` is wrong, unless the attempt worked: then it is right, so that a pass means that an escape succeeded. No
attack does an honest thing, so none may earn a single test.
"""

from __future__ import annotations

import importlib.util
import os
import py_compile
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

import pluggy
import pytest
from hypothesis import HealthCheck, Phase, settings

from harness import process
from harness.subject import sandbox
from harness.subject.channel import SubjectGone
from harness.subject.launch import Request, Wired
from harness.subject.sandbox import Level, State

HERE = Path(__file__).parent
ZOO = HERE / "attacks"
UNIT = "tinypkg/double.py"
LIMIT_S = 1.0
"""How long one call may take; the longest attack is over after a few of these."""
SLOWEST_S = 12.0
FEW = "attacks"
settings.register_profile(
    FEW,
    max_examples=5,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sandbox.strongest() < Level.L3, reason="the zoo needs a sandbox of level L3"),
]


@dataclass(frozen=True)
class Attack:
    path: Path
    stopped_by: Level
    passes_below: bool

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def has_own_user() -> bool:
    """Whether a subject gets a user id that is not ours."""
    return os.geteuid() == 0


def read_attack(path: Path) -> Attack:
    text = path.read_text()
    level = re.search(r"^STOPPED BY: (L[0-5])$", text, re.MULTILINE)
    assert level, f"{path} does not say what stops it"
    alone = re.search(r"^WITHOUT ROOT: (L[0-5])$", text, re.MULTILINE)
    if alone and not has_own_user():
        level = alone
    return Attack(path, Level[level[1]], "\nBELOW: it passes\n" in text)


ATTACKS = [read_attack(path) for path in sorted(ZOO.glob("*/*.py"))]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the tiny course that every user id can read, as an installed one is."""
    root = Path("/tmp") / f"tokproof-zoo-course-{os.getpid()}"
    shutil.copytree(HERE / "courses" / "tiny", root)
    py_compile.compile(str(root / "reference" / UNIT))
    for one in (root, *root.rglob("*")):
        one.chmod(0o755 if one.is_dir() else 0o644)
    shared = Path(f"{root}-shared")  # where everybody may write, but not where other programs of the machine look
    shared.mkdir()
    shared.chmod(0o1777)
    yield root
    shutil.rmtree(root)
    shutil.rmtree(shared)


@pytest.fixture(autouse=True)
def few_examples() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.load_profile(FEW)
    yield
    settings.load_profile(before)


@dataclass(frozen=True)
class Verdict:
    word: str
    """``pass``, ``fail``, or what became of the subject."""
    earned: tuple[str, ...]
    detail: str


def judge(source: str, course: Path, level: Level) -> Verdict:
    """What a command says of a submission: a pass is every test passed and the wire in order to the end."""
    wired = Wired(Request(units={UNIT: source}, serve=(UNIT,), level=level, call_limit_s=LIMIT_S, start_limit_s=5.0))
    earned, failed = [], []
    try:
        with wired, wired.installed():
            for name, test in load(course / "tests" / "T1" / "test_double.py").items():
                try:
                    test()
                except Exception as error:
                    failed.append(f"{name}: {type(error).__name__}: {error}")
                except pytest.fail.Exception as error:
                    failed.append(f"{name}: {error}")
                else:
                    earned.append(name)
            wired.close()
    except SubjectGone as gone:
        return Verdict(gone.end, (), gone.detail)
    return Verdict("fail" if failed else "pass", tuple(earned), "; ".join(failed))


def load(path: Path) -> dict[str, FunctionType]:
    spec = importlib.util.spec_from_file_location("zoo_tests", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: test for name, test in vars(module).items() if name.startswith("test_")}


def source_of(attack: Attack, course: Path) -> str:
    text = attack.path.read_text().replace("COURSE_ROOT", str(course)).replace("SHARED_FOLDER", f"{course}-shared")
    return text.replace("SITE_PACKAGES", str(Path(pluggy.__file__).parent.parent))


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


LEVELS = sorted({Level.L3, Level.L4, sandbox.strongest()} & set(range(sandbox.strongest() + 1)))


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_earns_nothing(attack: Attack, level: Level, course: Path) -> None:
    if level < attack.stopped_by:
        pytest.skip(f"{attack.stopped_by.name} stops it: {level.name} is asserted not to")
    before = snapshot(course)
    began = time.monotonic()
    source = source_of(attack, course)
    verdict = judge(source, course, level)
    if attack.path.stem == "leftovers_of_an_earlier_run":
        verdict = judge(source, course, level)
    assert verdict.word != "pass", verdict
    assert verdict.earned == (), verdict
    assert time.monotonic() - began < SLOWEST_S
    assert snapshot(course) == before
    assert process.children() == []


BELOW = [attack for attack in ATTACKS if attack.passes_below]


@pytest.mark.skipif(not has_own_user(), reason="one level below means something else for a user who is not root")
@pytest.mark.parametrize("attack", BELOW, ids=lambda attack: attack.name)
def test_one_level_below_the_attack_succeeds(attack: Attack, course: Path) -> None:
    """What a level cannot stop is written down in the threat model, and true."""
    verdict = judge(source_of(attack, course), course, Level(attack.stopped_by - 1))
    assert verdict.word == "pass", verdict


@pytest.mark.parametrize("level", [Level.L0, Level.L1, Level.L2, *LEVELS], ids=lambda level: level.name)
def test_an_honest_submission_passes_at_every_level(level: Level, course: Path) -> None:
    source = (course / "reference" / UNIT).read_text()
    assert judge(source, course, level) == Verdict(
        "pass",
        (
            "test_three_doubles_to_six",
            "test_halving_undoes_doubling",
            "test_negative_numbers_are_refused",
        ),
        "",
    )


def test_the_next_submission_is_judged_as_if_nothing_had_been(course: Path) -> None:
    honest = (course / "reference" / UNIT).read_text()
    for attack in ATTACKS[:: len(ATTACKS) // 8]:
        judge(source_of(attack, course), course, sandbox.strongest())
        assert judge(honest, course, sandbox.strongest()).word == "pass", attack.name


def test_no_process_and_no_file_is_left_behind() -> None:
    assert process.children() == []
    left = [path for path in Path("/tmp").glob("tokproof-*") if "course" not in path.name]
    own = [path for path in left if path.lstat().st_uid in sandbox._UIDS]
    assert own == []


def test_the_families_are_all_there() -> None:
    families = {attack.path.parent.name for attack in ATTACKS}
    assert families == {"forging", "values", "reaching", "poisoning", "resources", "escape"}
    assert len(ATTACKS) >= 60


def test_every_level_stops_something(course: Path) -> None:
    del course
    held = {probe.level for probe in sandbox.probe() if probe.state is State.HOLDS}
    assert {attack.stopped_by for attack in ATTACKS} >= held - {Level.L5}
