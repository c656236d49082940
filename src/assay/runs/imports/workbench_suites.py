"""The suites made for imported workbench results: their cases are known by id, kind and key, not by text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.files.marked_yaml import Dumper
from assay.files.suite_folder import MANIFEST, SuiteTexts, build_suite
from assay.files.workbench import WorkbenchPrompt
from assay.grading import registry
from assay.store.suites import list_suites, read_suite

UNPUBLISHED = "not published by the project that made the recordings"
GEVAL = "geval"
"""The name of G-Eval's judge, since the results do not name the model."""
VARIANTS = {"Q1": "base", "Q2": "trap", "Q3": "transfer", "Q4": "numeric", "Q5": "analyst"}
"""A causal question's variant by the second half of its id, in the order of the seed's table."""


def judged_suite(
    engine: Engine, name: str, prompts: Iterable[WorkbenchPrompt], judges: Sequence[str]
) -> Suite:
    """Return the suite of these prompts: the newest stored one that has them all, or a new one.

    The kinds of prompts that only this file has are added to a stored suite.
    """
    given = {prompt.id: prompt for prompt in prompts}
    for stored in list_suites(engine):
        if stored.name != name:
            continue
        known = {prompt.id: prompt for prompt in suite_prompts(read_suite(engine, stored.digest))}
        if any(known.get(id_, prompt).category != prompt.category for id_, prompt in given.items()):
            continue
        if given.keys() <= known.keys():
            typed = {id_: prompt for id_, prompt in given.items() if prompt.check_type is not None}
            suite = _build(name, judged_texts(name, {**known, **typed}.values(), judges))
            return suite if suite.digest == stored.digest else read_suite(engine, stored.digest)
    return _build(name, judged_texts(name, given.values(), judges))


def suite_prompts(suite: Suite) -> list[WorkbenchPrompt]:
    """Return the prompts that a judged suite was made of."""
    return [
        WorkbenchPrompt(
            case.id,
            case.use_case,
            case.metadata.get("subcategory"),
            case.metadata.get("difficulty"),
            case.metadata.get("check_type"),
        )
        for case in suite.cases
    ]


def judged_texts(name: str, prompts: Iterable[WorkbenchPrompt], judges: Sequence[str]) -> dict[str, str]:
    """Return a judged suite's files by name. Its panel are the judges as the recorded provider names them."""
    grouped: dict[str, list[WorkbenchPrompt]] = {}
    for prompt in sorted(prompts, key=lambda prompt: (prompt.category, prompt.id)):
        grouped.setdefault(prompt.category, []).append(prompt)
    use_cases = {
        category: {
            "title": category.replace("_", " ").capitalize(),
            "grading": "judge",
            "samples": {"base": 1, "full": 1},
            "rubric": f"1-5, by a rubric {UNPUBLISHED}.",
            "cases": [_prompt_case(prompt) for prompt in group],
        }
        for category, group in grouped.items()
    }
    manifest = {
        "title": "The generalist evaluation of seed 002, as recorded",
        "description": f"Recorded elsewhere and imported. The prompts' texts are {UNPUBLISHED}.",
        "panel": {"judges": [f"recorded/{judge}" for judge in judges], "geval": f"recorded/{GEVAL}"},
    }
    return _texts(name, manifest, use_cases)


def _prompt_case(prompt: WorkbenchPrompt) -> dict[str, object]:
    case = {
        "id": prompt.id,
        "subcategory": prompt.subcategory,
        "difficulty": prompt.difficulty,
        "check_type": prompt.check_type,
        "prompt": f"Prompt {prompt.id} of the generalist evaluation. Its text is {UNPUBLISHED}.",
        "graders": [{"rubric": {}}, {"geval": {"ideal": f"An ideal answer {UNPUBLISHED}."}}],
    }
    return {key: value for key, value in case.items() if value is not None}


def causal_suite(engine: Engine, name: str, keys: Mapping[str, str]) -> Suite:
    """Return the suite of the questions with these keys.

    It is the newest stored one that has them all and was made with the current grader, or a new one.
    """
    for stored in list_suites(engine):
        if stored.name != name:
            continue
        known = suite_keys(read_suite(engine, stored.digest))
        if keys.items() <= known.items():
            suite = _build(name, causal_texts(name, known))
            if suite.digest == stored.digest:
                return suite
    return _build(name, causal_texts(name, keys))


def stored_keys(engine: Engine, name: str) -> dict[str, str]:
    """Return the keys of the newest stored suite of that name; none if there is no such suite."""
    for stored in list_suites(engine):
        if stored.name == name:
            return suite_keys(read_suite(engine, stored.digest))
    return {}


def suite_keys(suite: Suite) -> dict[str, str]:
    """Return the keys that a causal suite was made of."""
    return {case.id: str(case.graders[0].parameters["expect"]) for case in suite.cases if case.graders}


def causal_texts(name: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Return a causal suite's files by name: a use case for each variant, a concept for each bundle."""
    grouped: dict[str, list[str]] = {}
    for question in sorted(keys):
        grouped.setdefault(question.partition("_")[2], []).append(question)
    use_cases = {
        VARIANTS[position]: {
            "title": VARIANTS[position].capitalize(),
            "grading": "deterministic",
            "samples": {"base": 1, "full": 1},
            "cases": [
                {
                    "id": question,
                    "subcategory": question.partition("_")[0],
                    "prompt": f"Question {question} of the causal evaluation. Its text is {UNPUBLISHED}.",
                    "graders": [{"choice": {"expect": keys[question]}}],
                }
                for question in grouped[position]
            ],
        }
        for position in sorted(grouped)
    }
    manifest: dict[str, object] = {
        "title": "The causal evaluation of seed 002, as recorded",
        "description": f"Recorded elsewhere and imported. The questions' texts are {UNPUBLISHED}.",
    }
    return _texts(name, manifest, use_cases)


def _texts(
    name: str, manifest: Mapping[str, object], use_cases: Mapping[str, Mapping[str, object]]
) -> dict[str, str]:
    """Return the files of a private suite, whose version is the start of its digest and never changes."""
    files = {f"{use_case}.yaml": _yaml({"name": use_case, **body}) for use_case, body in use_cases.items()}
    whole = {
        "name": name,
        "version": "0",
        "visibility": "private",
        "parameters": {"temperature": 0},
        **manifest,
        "use_cases": list(files),
    }
    first = _build(name, {MANIFEST: _yaml(whole), **files})
    return {MANIFEST: _yaml({**whole, "version": first.digest[:12]}), **files}


def _build(name: str, texts: Mapping[str, str]) -> Suite:
    return build_suite(SuiteTexts(name, texts), graders=registry)


def _yaml(document: object) -> str:
    return yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
