"""A small keyed suite: four concepts in five variants, in a folder or as a value."""

from __future__ import annotations

from pathlib import Path

from assay.core.ask import Message
from assay.core.canonical import digest
from assay.core.case import Case, Exemplar, GraderSpec, Grading
from assay.core.suite import Suite, UseCase

CONCEPTS = ("colliders", "confounding", "front-door", "mediators")
VARIANTS = ("base", "trap", "transfer", "numeric", "analyst")
LETTERS = "ABCD"
MANIFEST = """\
name: {name}
version: 1.0.0
title: A keyed suite
visibility: {visibility}
parameters: {{temperature: 0}}
use_cases: [{files}]
"""
USE_CASE = """\
name: {variant}
title: {title}
grading: deterministic
samples: {{base: 1, full: 1}}
cases:
"""
CASE = """\
  - id: {concept}-{variant}
    subcategory: {concept}
    prompt: |
      {stem}
      A) {option} one
      B) {option} two
      C) {option} three
      D) {option} four
    graders:
      - choice: {{expect: {key}}}
    exemplars:
      - {{score: 1.0, answer: "{said} ANSWER: {key}"}}
      - {{score: 0.0, answer: "{said} ANSWER: {wrong}"}}
      - {{score: 0.0, answer: "{said} I cannot say."}}
"""


def key_of(concept: int, variant: int) -> str:
    """Return the right letter of a question."""
    return LETTERS[(concept + variant) % 4]


def write_keyed_suite(
    folder: Path,
    *,
    name: str = "causal",
    visibility: str = "public",
    stem: str = "Which holds for",
    option: str = "Option",
    said: str = "So",
) -> Path:
    """Write the suite into a folder of its name; `stem`, `option` and `said` stand in its texts."""
    place = folder / name
    place.mkdir()
    files = ", ".join(f"{variant}.yaml" for variant in VARIANTS)
    (place / "suite.yaml").write_text(MANIFEST.format(name=name, visibility=visibility, files=files))
    for row, variant in enumerate(VARIANTS):
        cases = [
            CASE.format(
                concept=concept,
                variant=variant,
                stem=f"{stem} {concept} {variant}?",
                option=option,
                said=said,
                key=key_of(column, row),
                wrong=LETTERS[(column + row + 1) % 4],
            )
            for column, concept in enumerate(CONCEPTS)
        ]
        text = USE_CASE.format(variant=variant, title=variant.title()) + "".join(cases)
        (place / f"{variant}.yaml").write_text(text)
    return place


def keyed_suite(*, visibility: str = "public", concept: str = "subcategory", version: str = "1") -> Suite:
    """Return the suite as a value; `concept` is the name under which each case has its concept."""
    use_cases = tuple(
        UseCase(
            variant,
            variant.title(),
            Grading.DETERMINISTIC,
            1,
            1,
            tuple(
                Case(
                    f"{name}-{variant}",
                    variant,
                    (Message("user", f"{name} {variant} {key_of(column, row)}"),),
                    (GraderSpec("choice", {"expect": key_of(column, row)}),),
                    exemplars=(Exemplar(f"ANSWER: {key_of(column, row)}", 1.0),),
                    metadata={concept: name},
                )
                for column, name in enumerate(CONCEPTS)
            ),
        )
        for row, variant in enumerate(VARIANTS)
    )
    name = digest({"visibility": visibility, "concept": concept, "version": version})
    return Suite("causal", version, "Keyed", visibility, use_cases, name, parameters={"temperature": 0})  # type: ignore[arg-type]
