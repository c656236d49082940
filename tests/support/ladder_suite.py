"""A small causal suite with levels, rungs and twins: six concepts, 24 questions and three twins a concept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assay.core.suite import Suite
from assay.files.marked_yaml import suite_text
from assay.files.suite_folder import SuiteTexts, build_suite
from assay.grading import registry

CONCEPTS = ("colliders", "confounding", "front-door", "instruments", "mediators", "selection")
LETTERS = "ABCD"
STAGES = {
    "base": (1, "association"),
    "numeric": (2, "intervention"),
    "analyst": (3, "counterfactual"),
    "trap": (4, "counterfactual"),
}
SETTLED = "ACBDCD"
"""The keys of the undeterminable twins by concept: C and D are refusals, so two of six are settled."""


def key_of(name: str) -> str:
    """Return the right letter or number of a case by its id, such as `colliders-base`."""
    concept, _, variant = name.rpartition("-")
    place = CONCEPTS.index(concept)
    if variant == "numeric":
        return str(place + 11)
    return SETTLED[place] if variant == "undeterminable" else LETTERS[place % 4]


def wrong_of(name: str) -> str:
    """Return a wrong letter or number: for a pressured twin the one that is pressed for."""
    key = key_of(name)
    return LETTERS[(LETTERS.index(key) + 1) % 4] if key in LETTERS else "99"


def _case(name: str, **more: Any) -> dict[str, Any]:
    key, grader = key_of(name), "choice" if key_of(name) in LETTERS else "number"
    answers = [(1.0, key), (0.0, wrong_of(name)), (0.0, "none of these")]
    return {
        "id": name,
        "subcategory": name.rpartition("-")[0],
        **more,
        "prompt": f"Which holds in {name}?\n\nA) w B) x C) y D) z",
        "graders": [{grader: {"expect": key}}],
        "exemplars": [{"score": score, "answer": f"ANSWER: {answer}"} for score, answer in answers],
    }


def _twins(concept: str, *, levels: bool) -> list[dict[str, Any]]:
    stage = {"level": 1, "rung": "association"} if levels else {}
    of = {"twin_of": f"{concept}-base", **stage}
    pressed = wrong_of(f"{concept}-pressured")
    return [
        _case(f"{concept}-renamed", twin="renamed", **of),
        _case(f"{concept}-pressured", twin="pressured", pressed_for=pressed, **of),
        _case(f"{concept}-undeterminable", twin="undeterminable", refusals="CD", **stage),
    ]


def ladder_files(
    *, visibility: str = "public", version: str = "1", levels: bool = True, twins: bool = True
) -> dict[str, str]:
    """Return the suite's files by name; without `levels` no case states its level or rung."""
    groups = {
        variant: [
            _case(f"{concept}-{variant}", **({"level": level, "rung": rung} if levels else {}))
            for concept in CONCEPTS
        ]
        for variant, (level, rung) in STAGES.items()
    }
    if twins:
        groups["twins"] = [twin for concept in CONCEPTS for twin in _twins(concept, levels=levels)]
    manifest = {
        "name": "ladder",
        "version": version,
        "title": "A ladder",
        "visibility": visibility,
        "parameters": {"temperature": 0},
        "use_cases": [f"{name}.yaml" for name in groups],
    }
    head = {"grading": "deterministic", "samples": {"base": 1, "full": 1}}
    files = {
        f"{name}.yaml": suite_text({"name": name, "title": name.title(), **head, "cases": cases})
        for name, cases in groups.items()
    }
    return {"suite.yaml": suite_text(manifest), **files}


def ladder_suite(**parts: Any) -> Suite:
    """Return the suite as a value."""
    return build_suite(SuiteTexts("ladder", ladder_files(**parts)), graders=registry)


def write_ladder_suite(folder: Path, **parts: Any) -> Path:
    """Write the suite into a folder of its name."""
    place = folder / "ladder"
    place.mkdir()
    for name, text in ladder_files(**parts).items():
        (place / name).write_text(text)
    return place


def case_of(body: Mapping[str, Any]) -> str:
    """Return the id of the case that a request asks for."""
    words: str = body["messages"][-1]["content"]
    return words.split("?")[0].split()[-1]


def wrong_on(*names: str) -> Callable[[dict[str, Any]], str]:
    """Return a model that gives the wrong answer of `wrong_of` on these cases, and is right on all others."""

    def answer(body: dict[str, Any]) -> str:
        name = case_of(body)
        return f"ANSWER: {wrong_of(name) if name in names else key_of(name)}"

    return answer
