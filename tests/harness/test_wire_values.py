"""What crosses the wire, in both directions, and what is refused; with a real worker at the other end."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from harness.subject.channel import End, SubjectGone
from harness.subject.launch import Request, Wired
from harness.subject.sandbox import Level
from harness.subject.standins import Foreign, ForeignUsed
from harness.subject.wire import WireError

SUBJECT = """
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, runtime_checkable

LIMIT = 7
TABLE = {1: "a"}
Rate = namedtuple("Rate", "count total")

class BadId(ValueError):
    def __init__(self, token_id):
        super().__init__(f"bad id {token_id}")
        self.token_id = token_id

class Liar(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = int.__hash__
    def __repr__(self): return "42"

class Words(str): pass
class Many(list):
    def __len__(self): return 0
    def __iter__(self): return iter(())
class Table(OrderedDict): pass
class Always:
    def __eq__(self, other): return True
    def __hash__(self): return 0

def same(x): return x
def both(x, *, y=None): return [x, y]
def kind(x): return type(x).__name__
def raising(name, *args): raise {"BadId": BadId, **__builtins__}[name](*args)
def liar(n): return Liar(n)
def words(s): return Words(s)
def many(*x): return Many(x)
def ordered():
    table = Table(b=1, a=2)
    table.move_to_end("b")
    return table
def view(): return MappingProxyType({1: "a"})
def foreign(): return _Private()
def foreign_key(): return {_Private(): 1}
def generator(): return (n for n in (1, 2))
def nested(depth):
    value = []
    for _ in range(depth): value = [value]
    return value
def endless():
    value = []
    value.append(value)
    return value
def change(x):
    if isinstance(x, dict): x["new"] = 1
    elif isinstance(x, set): x.add(9)
    elif isinstance(x, tuple): x[0].append(9)
    else: x.append(9)
def shared(): return TABLE
def edit_shared(): TABLE[2] = "b"
def index(x): return x.__index__()
def rate(): return Rate(3, 4)
def total(rate): return rate.total
def save(path, text): path.write_text(text)
def load(path): return path.read_text()
def listing(folder): return sorted(one.name for one in folder.iterdir())
class Message(Exception):
    def __str__(self): raise ValueError("no text")
def unshowable(): raise Message

class _Private: pass

@runtime_checkable
class Counts(Protocol):
    def push(self, item): ...

class Counter:
    VERSION = 1
    def __init__(self, start=0): self.total = start; self.items = []
    def push(self, item): self.items.append(item); self.total += 1; return self
    def __len__(self): return self.total
    def __eq__(self, other): return True
    @classmethod
    def of(cls, *items):
        made = cls()
        for item in items: made.push(item)
        return made
    @staticmethod
    def zero(): return 0
    @property
    def last(self): return self.items[-1]
"""
LEVEL = Level.L1
UNIT = "pkg/subject.py"


@pytest.fixture(scope="module")
def wired() -> Iterator[Wired]:
    with Wired(Request(units={UNIT: SUBJECT}, serve=(UNIT,), level=LEVEL, writable=True)) as started:
        yield started
        started.close()


@pytest.fixture
def subject(wired: Wired) -> Any:
    (module,) = wired.modules.values()
    assert isinstance(module, ModuleType)
    return module


VALUES = [
    None,
    True,
    False,
    0,
    -1,
    2**53,
    2**53 + 1,
    -(2**64),
    10**400,
    0.0,
    -0.0,
    0.1,
    math.inf,
    "",
    "Ġ\n\u2028😀\x00",
    "\ud800",
    b"",
    bytes(range(256)),
    bytearray(b"ab"),
    [],
    [1, [2, ["x"]]],
    (),
    (1, ("a", b"b")),
    {},
    {1: "a", "1": b"a", b"1": None, None: True, (1, 2): [3]},
    set(),
    {1, "a", b"a"},
    frozenset({1, (2, 3)}),
]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_comes_back_as_it_went(value: object, subject: Any) -> None:
    back = subject.same(value)
    assert back == value
    assert subject.kind(value) == type(value).__name__
    assert isinstance(back, type(value))
    if isinstance(value, float):
        assert math.copysign(1, back) == math.copysign(1, value)


def test_nan_crosses_although_nothing_equals_it(subject: Any) -> None:
    assert math.isnan(subject.same(math.nan))


def test_the_order_of_a_map_is_kept(subject: Any) -> None:
    assert list(subject.same({2: 0, 1: 0})) == [2, 1]
    assert list(subject.ordered()) == ["a", "b"]


def test_keywords_are_passed_by_name(subject: Any) -> None:
    assert subject.both(1, y=b"2") == [1, b"2"]


def test_a_subclass_of_a_builtin_arrives_as_its_base_value(subject: Any) -> None:
    assert type(subject.liar(5)) is int
    assert subject.liar(5) != 6
    assert type(subject.words("a\ud800")) is str
    assert subject.words("a\ud800") == "a\ud800"
    assert subject.many(1, 2) == [1, 2]


def test_a_read_only_view_of_a_map_arrives_as_a_map_of_its_own(subject: Any) -> None:
    assert subject.view() == {1: "a"}
    subject.view()[3] = "c"
    assert subject.view() == {1: "a"}


def test_a_subclass_goes_as_its_base_value(subject: Any) -> None:
    assert subject.kind(OrderedDict(a=1)) == "dict"


def test_what_is_no_plain_value_is_foreign_and_says_its_type(subject: Any) -> None:
    for value in (subject.foreign(), subject.generator(), subject.foreign_key()):
        assert isinstance(value, Foreign)
        for operation in (
            lambda one: one == 1,
            lambda one: one != 1,
            bool,
            hash,
            str,
            len,
            iter,
            list,
            lambda one: one + 1,
            lambda one: 1 + one,
            lambda one: one < 1,
            lambda one: one.anything,
            lambda one: one(),
            lambda one: one[0],
            lambda one: 1 in one,
            int,
            float,
            bytes,
            lambda one: f"{one}",
            abs,
            lambda one: setattr(one, "a", 1),
        ):
            with pytest.raises(ForeignUsed, match="type"):
                operation(value)
    assert "_Private" in repr(subject.foreign())
    assert "generator" in repr(subject.generator())
    with pytest.raises(ForeignUsed):
        subject.same(subject.foreign())


def test_nesting_has_an_end(subject: Any) -> None:
    assert subject.nested(50) != []
    with pytest.raises(Exception, match="nested deeper"):
        subject.nested(100)
    with pytest.raises(Exception, match="holds itself"):
        subject.endless()
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(WireError, match="nested deeper"):
        subject.same(deep)


def test_an_argument_that_cannot_cross_is_refused_here(subject: Any) -> None:
    with pytest.raises(WireError, match="object"):
        subject.same(object())


@pytest.mark.parametrize(
    ("before", "after"),
    [([1], [1, 9]), ({"a": 1}, {"a": 1, "new": 1}), ({1}, {1, 9}), (([1],), ([1, 9],))],
    ids=["list", "dict", "set", "inside a tuple"],
)
def test_an_argument_that_was_changed_comes_back_changed(before: Any, after: Any, subject: Any) -> None:
    held = before
    subject.change(before)
    assert held is before
    assert before == after


def test_a_mutable_result_is_the_subjects_own_object(subject: Any) -> None:
    table = subject.shared()
    assert subject.shared() is table
    table[1] = "z"
    assert subject.shared()[1] == "z"
    assert subject.same(table) is table
    subject.edit_shared()
    assert table[2] == "b"
    table.pop(2)
    table[1] = "a"
    assert subject.TABLE == {1: "a"}
    assert subject.same([1]) is not subject.same([1])


@pytest.mark.parametrize("value", [[1, "a"], {1: "a"}, {1}, set(), bytearray(b"a")])
def test_a_mutable_result_is_written_as_what_it_stands_for(value: object, subject: Any) -> None:
    assert repr(subject.same(value)) == repr(value)
    assert type(subject.both(value)[0]) is not type(value)
    assert repr(subject.both(value)) == repr([value, None])


def test_an_error_forgets_nothing_that_was_sent_before(subject: Any) -> None:
    table, other = subject.shared(), subject.same([1])
    with pytest.raises(ValueError):
        subject.raising("ValueError")
    with pytest.raises(Exception, match="holds itself"):
        subject.endless()
    assert subject.shared() is table
    other.append(2)
    assert subject.same(other) is other
    assert other == [1, 2]


def test_what_nobody_holds_is_forgotten(wired: Wired, subject: Any) -> None:
    for _ in range(50):
        subject.same([1])
    assert wired.link._held.take_dropped().count(",") <= 3


def test_constants_and_named_tuples_are_there(subject: Any) -> None:
    assert subject.LIMIT == 7
    assert subject.rate() == (3, 4)
    assert subject.rate().total == 4
    assert isinstance(subject.rate(), subject.Rate)
    assert subject.total(subject.Rate(1, 2)) == 2


def test_something_with_an_index_is_no_int_there(subject: Any) -> None:
    class Seven:
        def __index__(self) -> int:
            return 7

    assert subject.index(Seven()) == 7
    assert subject.kind(Seven()) == "Index"


def test_objects_stay_there_and_their_methods_are_called(subject: Any) -> None:
    counter = subject.Counter(start=2)
    assert isinstance(counter, subject.Counter)
    assert isinstance(counter, subject.Counts)
    assert not isinstance(3, subject.Counts)
    assert counter.push("a") is counter
    assert len(counter) == 3
    assert counter.last == "a"
    assert counter.total == 3
    counter.total = 8
    assert len(counter) == 8
    assert subject.Counter.of(1, 2).items == [1, 2]
    assert subject.Counter.zero() == 0
    with pytest.raises(AttributeError):
        counter.nothing  # noqa: B018
    with pytest.raises(ForeignUsed, match="cannot be compared"):
        counter == 8  # noqa: B015
    with pytest.raises(AttributeError):
        subject.nothing  # noqa: B018


@pytest.mark.parametrize("name", ["ValueError", "TypeError", "KeyError", "IndexError", "OSError", "AssertionError"])
def test_an_error_keeps_its_type_and_message(name: str, subject: Any) -> None:
    kind = vars(__import__("builtins"))[name]
    with pytest.raises(kind) as caught:
        subject.raising(name, "say Ġ")
    assert str(caught.value) == str(kind("say Ġ"))
    assert caught.value.args == ("say Ġ",)


def test_an_error_of_the_subjects_own_is_below_its_builtin(subject: Any) -> None:
    with pytest.raises(ValueError, match="bad id 5") as caught:
        subject.raising("BadId", 5)
    assert type(caught.value).__name__ == "BadId"
    assert isinstance(caught.value, subject.BadId)
    assert caught.value.token_id == 5  # type: ignore[attr-defined]


def test_a_unicode_error_has_its_five_arguments(subject: Any) -> None:
    with pytest.raises(UnicodeDecodeError) as caught:
        subject.raising("UnicodeDecodeError", "utf-8", b"a\xff", 1, 2, "why")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end, error.reason) == ("utf-8", b"a\xff", 1, 2, "why")


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"])
def test_what_is_no_exception_becomes_a_runtime_error(name: str, subject: Any) -> None:
    with pytest.raises(RuntimeError, match=name):
        subject.raising(name)


def test_an_error_without_a_text_still_arrives(subject: Any) -> None:
    with pytest.raises(Exception, match="cannot be shown"):
        subject.unshowable()


def test_files_are_lent_and_what_is_written_comes_back(subject: Any, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Ġ")
    assert subject.load(tmp_path / "in.txt") == "Ġ"
    assert subject.listing(tmp_path) == ["in.txt"]
    subject.save(tmp_path / "out.txt", "new")
    assert (tmp_path / "out.txt").read_text() == "new"
    subject.save(tmp_path / "out.txt", "newer")
    assert (tmp_path / "out.txt").read_text() == "newer"
    subject.save(tmp_path / "in.txt", "overwritten")
    assert (tmp_path / "in.txt").read_text() == "Ġ"


def test_a_batch_answers_each_call(wired: Wired) -> None:
    calls: list[tuple[str, tuple[object, ...]]] = [("same", (1,)), ("raising", ("KeyError", "k")), ("kind", (b"",))]
    first, second, third = wired.link.batch("pkg.subject", calls)
    assert first == 1
    assert isinstance(second, KeyError)
    assert third == "bytes"


def test_a_subject_that_does_not_import_is_refused_with_its_error() -> None:
    with pytest.raises(SubjectGone) as caught:
        Wired(Request(units={UNIT: "import nothing_of_that_name"}, serve=(UNIT,))).start()
    assert caught.value.end is End.REFUSED
    assert "nothing_of_that_name" in caught.value.detail


def test_a_fresh_process_stands_behind_the_same_names() -> None:
    source = "calls = []\ndef count():\n    calls.append(1)\n    return len(calls)\n"
    with Wired(Request(units={UNIT: source}, serve=(UNIT,))) as wired, wired.installed():
        import pkg.subject  # type: ignore[import-not-found]

        assert [pkg.subject.count(), pkg.subject.count()] == [1, 2]
        wired.restart()
        assert pkg.subject.count() == 1


def test_nothing_below_the_subjects_packages_is_found_elsewhere() -> None:
    with (
        Wired(Request(units={"tinyllm/tok/mine.py": "A = 1"}, serve=("tinyllm/tok/mine.py",))) as wired,
        wired.installed(),
        pytest.raises(ImportError),
    ):
        import tinyllm.tok.bytes_unicode
    import tinyllm.tok.bytes_unicode  # noqa: F401
