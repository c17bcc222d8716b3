"""What a test imports in the place of a subject's modules: the same names, each asking over the wire."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from harness.subject import wire
from harness.subject.link import Link
from harness.subject.objects import RemoteClass, RemoteObject, initialised_there, stand_in_method


def build_module(link: Link, name: str, offers: Sequence[Mapping[str, Any]]) -> ModuleType:
    """A module whose public names are stand-ins for what the subject offers."""
    module = ModuleType(name, "Stands for a module of a subject in another process.")
    for offer in offers:
        setattr(module, offer["name"], _stand_in(link, name, offer))
    return module


def _stand_in(link: Link, module: str, offer: Mapping[str, Any]) -> object:
    name = offer["name"]
    match offer["kind"]:
        case "class":
            link.classes[name] = _class(link, module, offer)
            return link.classes[name]
        case "record":
            link.records[name] = collections.namedtuple(name, offer["fields"], module=module)
            return link.records[name]
        case "error":
            return link.errors.declare(name, offer["bases"], module)
        case "value":
            return offer["value"]
    return _function(link, module, name)


def _function(link: Link, module: str, name: str) -> Callable[..., Any]:
    call, head = link.call, f'{link.module_head(module)}"call":{wire.quote(name)}'

    def stand_in(*args: object, **kwargs: object) -> Any:
        return call(head, args, kwargs)

    stand_in.__name__ = name.rpartition(".")[2]
    stand_in.__qualname__ = name
    stand_in.__module__ = module
    return stand_in


def _class(link: Link, module: str, offer: Mapping[str, Any]) -> type:
    name = offer["name"]
    head = f'{link.module_head(module)}"call":{wire.quote(name)}'

    def construct(cls: type, *args: object, **kwargs: object) -> object:
        return link.call(head, args, kwargs)

    members: dict[str, Any] = {"__new__": construct, "__init__": initialised_there, "__module__": module}
    members |= {one: stand_in_method(one) for one in offer["methods"]}
    members |= {one: staticmethod(_function(link, module, f"{name}.{one}")) for one in offer["statics"]}
    kind = RemoteClass(name, (RemoteObject,), members)
    kind.asks = f'"module":{wire.quote(module)},"is":{wire.quote(name)}'
    return kind


@contextmanager
def imported(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Let ``import`` find these modules, and nothing else below their packages, for as long as the block lasts.

    The packages above them are empty: a submodule that the subject lacks must not be found in a reference.
    """
    packages: dict[str, ModuleType] = {}
    for name in modules:
        parts = name.split(".")[:-1]
        for count in range(1, len(parts) + 1):
            package = ".".join(parts[:count])
            if package not in modules and package not in packages:
                packages[package] = ModuleType(package)
                packages[package].__path__ = []
    found = {**packages, **modules}
    tops = {name.partition(".")[0] for name in found}
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in tops}
    for name in before:
        del sys.modules[name]
    sys.modules.update(found)
    for name, module in found.items():
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(found[parent], last, module)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
            del sys.modules[name]
        sys.modules.update(before)
