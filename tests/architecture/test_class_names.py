"""A public class name means one thing in the whole product."""

import ast
from collections import defaultdict

from tests.architecture.checkout import modules, tree

SHARED: dict[str, str] = {}
"""Names that several classes have, each with the reason."""


def public_classes() -> dict[str, list[str]]:
    """The places that define each public top-level class name."""
    places = defaultdict(list)
    for path in modules():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{path}:{node.lineno}")
    return places


def test_public_class_names_are_unique() -> None:
    repeated = {name: places for name, places in public_classes().items() if len(places) > 1}
    assert {name: places for name, places in repeated.items() if name not in SHARED} == {}


def test_each_exception_is_still_needed() -> None:
    places = public_classes()
    assert [name for name in SHARED if len(places.get(name, ())) < 2] == []
