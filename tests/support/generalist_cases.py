"""The cases of one category of the generalist suite, for tests of their facts and their code."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import assay
from assay.core.case import Case
from assay.files.marked_yaml import read
from assay.files.suite_use_case import read_use_case
from assay.grading import registry
from assay.grading.programs.answer import extract_code

SUITE = Path(assay.__file__).parent / "suites" / "generalist"
DERIVATIONS = Path(__file__).parent.parent / "suites" / "derivations"


def cases(category: str) -> Mapping[str, Case]:
    """Return the category's cases by id."""
    path = SUITE / f"{category}.yaml"
    use_case = read_use_case(read(path, path.name), registry, {})
    assert use_case is not None
    return {case.id: case for case in use_case.cases}


def derivation(name: str) -> ModuleType:
    """Return the module `derivations/<name>.py`: a second route to a gold answer."""
    spec = importlib.util.spec_from_file_location(f"derivations_{name}", DERIVATIONS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def block(case: Case) -> str:
    """Return the first fenced block of the prompt."""
    return case.messages[-1].content.split("```")[1].partition("\n")[2]


def defined(source: str) -> dict[str, Any]:
    """Return what our own code defines."""
    space: dict[str, Any] = {}
    exec(source, space)
    return space


def solution(case: Case, exemplar: int = 0) -> Callable[..., Any]:
    """Return what an exemplar's code defines under the entry's name."""
    entry = str(case.graders[0].parameters["entry"])
    source = extract_code(case.exemplars[exemplar].answer, entry)
    assert source is not None
    function: Callable[..., Any] = defined(source)[entry]
    return function


def failures(case: Case, exemplar: int) -> list[str]:
    """Return the names of the unit tests that an exemplar's code fails."""
    given = case.graders[0].parameters
    space = defined(given["tests"])
    space[str(given["entry"])] = solution(case, exemplar)
    found = []
    for name in [name for name in space if name.startswith("test_")]:
        try:
            space[name]()
        except Exception:  # noqa: BLE001 - wrong exemplars fail in every way
            found.append(name)
    return found
