"""What a subject says that it offers, checked name by name before anything is built from it."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

from harness.subject import wire
from harness.subject.failures import error_class
from harness.subject.wire import WireError

_NAMES = 4096
"""The most names that a module or a class may have."""
_FIELDS = 255
"""The most fields of a record, whose class is compiled."""


def read_offers(tree: Any, modules: Sequence[str], reader: wire.Reader) -> dict[str, list[dict[str, Any]]]:
    """What a subject offers for each module, in full; a plain list of names is functions, for every module."""
    if type(tree) is not dict or tree.get("protocol") != wire.PROTOCOL:
        found = tree.get("protocol") if type(tree) is dict else tree
        message = f"a greeting of protocol {found!r:.40} where {wire.PROTOCOL} is spoken here"
        raise WireError(message)
    offers = tree.get("offers")
    if type(offers) is list:
        offers = dict.fromkeys(modules, offers)
    if type(offers) is not dict:
        message = "offers are a list of names, or such a list for each module"
        raise WireError(message)
    return {module: [_offer(one, reader) for one in _listed(offers.get(module, []))] for module in modules}


def _listed(tree: object) -> list[Any]:
    if type(tree) is not list or len(tree) > _NAMES:
        message = f"a list of at most {_NAMES} is needed"
        raise WireError(message)
    return tree


def _identifier(tree: object) -> str:
    found = wire.name(tree)
    if not found.isidentifier():
        message = f"{found!r:.80} is no name that Python could import"
        raise WireError(message)
    return found


def _public(tree: object) -> str:
    found = _identifier(tree)
    if found.startswith("_"):
        message = f"{found!r:.80} is no public name"
        raise WireError(message)
    return found


def _offer(tree: Any, reader: wire.Reader) -> dict[str, Any]:
    if type(tree) is str:
        return {"name": _public(tree), "kind": "function"}
    if type(tree) is not dict:
        message = "an offer is a name or an object"
        raise WireError(message)
    offer: dict[str, Any] = {"name": _public(tree.get("name")), "kind": wire.name(tree.get("kind", "function"))}
    match offer["kind"]:
        case "class":
            for key in ("methods", "statics"):
                offer[key] = [one for one in map(_identifier, _listed(tree.get(key, []))) if one not in _RESERVED]
        case "record":
            offer["fields"] = list(map(_identifier, _listed(tree.get("fields"))))
            record_class(offer["name"], tuple(offer["fields"]))
        case "error":
            offer["bases"] = list(map(wire.name, _listed(tree.get("bases"))))
            error_class(offer["name"], offer["bases"])
        case "value":
            offer["value"] = reader.read(tree.get("value"))
        case "function":
            pass
        case unknown:
            message = f"no kind of offer {unknown!r}"
            raise WireError(message)
    return offer


_RESERVED = frozenset(
    {
        *(
            "__new__",
            "__init__",
            "__init_subclass__",
            "__class__",
            "__class_getitem__",
            "__del__",
            "__dict__",
            "__eq__",
        ),
        *("__getattr__", "__getattribute__", "__setattr__", "__repr__", "__hash__", "__instancecheck__"),
        *("__prepare__", "__set_name__", "__slots__", "__mro_entries__", "owner", "ref"),
    }
)
"""Names of a class that say how it is made and compared here, which is not the subject's to say."""


def record_class(name: str, fields: tuple[str, ...]) -> Any:
    """A named tuple's class; WireError where the names cannot be those of one."""
    if len(fields) > _FIELDS:
        message = f"a record of more than {_FIELDS} fields"
        raise WireError(message)
    try:
        return collections.namedtuple(name, fields, module=__name__)
    except ValueError as error:
        message = f"a record that cannot be one: {error}"
        raise WireError(message) from None
