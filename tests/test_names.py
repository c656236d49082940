"""A public class, and a module that tests import by its bare name, mean one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).parents[1]
SOURCE = PROJECT / "src" / "assay"
IMPORTED = (PROJECT / "tests" / "support", PROJECT / "benchmarks")


def test_a_public_class_name_stands_for_one_idea() -> None:
    """Whoever reads a name needs not ask which one is meant."""
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_benchmark_hides_behind_a_helper_of_the_tests() -> None:
    """Both folders are on the tests' path, so of two modules with one name only the first is found."""
    helpers, benchmarks = ({path.stem for path in folder.glob("*.py")} for folder in IMPORTED)
    assert helpers & benchmarks == set()
