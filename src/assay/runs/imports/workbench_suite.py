"""The suite that stands for the workbench's prompts: they are known by id and kind, their texts are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import yaml
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.files.loader import Dumper
from assay.files.suite_folder import MANIFEST, Texts, build_suite
from assay.files.workbench import Prompt
from assay.grading import registry
from assay.store.suites import list_suites, read_suite

UNPUBLISHED = "not published by the project that made the recordings"
GEVAL = "geval"
"""The name of G-Eval's judge: the results do not tell which model it was."""


def workbench_suite(engine: Engine, name: str, prompts: Iterable[Prompt], judges: Sequence[str]) -> Suite:
    """Return the suite that these prompts belong to: the newest stored one that has them all, or a new one.

    A stored one is told the kinds of prompts that only this file knows.
    """
    given = {prompt.id: prompt for prompt in prompts}
    for stored in list_suites(engine):
        if stored.name != name:
            continue
        known = {prompt.id: prompt for prompt in suite_prompts(read_suite(engine, stored.digest))}
        if any(known.get(id_, prompt).category != prompt.category for id_, prompt in given.items()):
            continue
        if given.keys() <= known.keys():
            told = {id_: prompt for id_, prompt in given.items() if prompt.check_type is not None}
            made = built(name, {**known, **told}.values(), judges)
            return made if made.digest == stored.digest else read_suite(engine, stored.digest)
    return built(name, given.values(), judges)


def suite_prompts(suite: Suite) -> list[Prompt]:
    """Return the prompts that a suite was made of."""
    return [
        Prompt(
            case.id,
            case.use_case,
            case.metadata.get("subcategory"),
            case.metadata.get("difficulty"),
            case.metadata.get("check_type"),
        )
        for case in suite.cases
    ]


def built(name: str, prompts: Iterable[Prompt], judges: Sequence[str]) -> Suite:
    """Build the suite of these prompts; its version comes from its digest, so that it never changes."""
    return build_suite(Texts(name, suite_texts(name, prompts, judges)), graders=registry)


def suite_texts(name: str, prompts: Iterable[Prompt], judges: Sequence[str]) -> dict[str, str]:
    """Return the suite's files by name. Its panel are the judges as the recorded provider knows them."""
    grouped: dict[str, list[Prompt]] = {}
    for prompt in sorted(prompts, key=lambda prompt: (prompt.category, prompt.id)):
        grouped.setdefault(prompt.category, []).append(prompt)
    files = {f"{category}.yaml": _written(_use_case(category, group)) for category, group in grouped.items()}
    manifest = {
        "name": name,
        "version": "0",
        "title": "The generalist evaluation of seed 002, as recorded",
        "visibility": "private",
        "description": f"Recorded elsewhere and imported. The prompts' texts are {UNPUBLISHED}.",
        "parameters": {"temperature": 0},
        "panel": {"judges": [f"recorded/{judge}" for judge in judges], "geval": f"recorded/{GEVAL}"},
        "use_cases": list(files),
    }
    first = build_suite(Texts(name, {MANIFEST: _written(manifest), **files}), graders=registry)
    return {MANIFEST: _written({**manifest, "version": first.digest[:12]}), **files}


def _use_case(category: str, prompts: Sequence[Prompt]) -> dict[str, object]:
    return {
        "name": category,
        "title": category.replace("_", " ").capitalize(),
        "grading": "judge",
        "samples": {"base": 1, "full": 1},
        "rubric": f"1-5, by a rubric {UNPUBLISHED}.",
        "cases": [_case(prompt) for prompt in prompts],
    }


def _case(prompt: Prompt) -> dict[str, object]:
    told = {
        "id": prompt.id,
        "subcategory": prompt.subcategory,
        "difficulty": prompt.difficulty,
        "check_type": prompt.check_type,
        "prompt": f"Prompt {prompt.id} of the generalist evaluation. Its text is {UNPUBLISHED}.",
        "graders": [{"rubric": {}}, {"geval": {"ideal": f"An ideal answer {UNPUBLISHED}."}}],
    }
    return {key: value for key, value in told.items() if value is not None}


def _written(document: object) -> str:
    return yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
