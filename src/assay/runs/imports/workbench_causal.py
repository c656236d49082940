"""The keyed suite that stands for the causal questions of seed 002: known by id and key, not by text."""

from __future__ import annotations

from collections.abc import Mapping

import yaml
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.files.loader import Dumper
from assay.files.suite_folder import MANIFEST, Texts, build_suite
from assay.grading import registry
from assay.runs.imports.workbench_suite import UNPUBLISHED
from assay.store.suites import list_suites, read_suite

VARIANTS = {"Q1": "base", "Q2": "trap", "Q3": "transfer", "Q4": "numeric", "Q5": "analyst"}
"""A question's variant by the second half of its id: the order of the seed's table."""


def causal_suite(engine: Engine, name: str, keys: Mapping[str, str]) -> Suite:
    """Return the suite that questions with these keys belong to.

    It is the newest stored one that has them all and whose grader is today's, or a new one.
    """
    for stored in list_suites(engine):
        if stored.name != name:
            continue
        known = suite_keys(read_suite(engine, stored.digest))
        if keys.items() <= known.items():
            made = built(name, known)
            if made.digest == stored.digest:
                return made
    return built(name, keys)


def stored_keys(engine: Engine, name: str) -> dict[str, str]:
    """Return the keys of the newest stored suite of that name; none where there is no such suite."""
    for stored in list_suites(engine):
        if stored.name == name:
            return suite_keys(read_suite(engine, stored.digest))
    return {}


def suite_keys(suite: Suite) -> dict[str, str]:
    """Return the keys that a suite was made of."""
    return {case.id: str(case.graders[0].parameters["expect"]) for case in suite.cases if case.graders}


def built(name: str, keys: Mapping[str, str]) -> Suite:
    """Build the suite of these questions; its version comes from its digest, so that it never changes."""
    return build_suite(Texts(name, causal_texts(name, keys)), graders=registry)


def causal_texts(name: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the suite's files by name: a use case for each variant, a concept for each bundle."""
    grouped: dict[str, list[str]] = {}
    for question in sorted(keys):
        grouped.setdefault(question.partition("_")[2], []).append(question)
    files = {
        f"{VARIANTS[position]}.yaml": _written(_use_case(VARIANTS[position], grouped[position], keys))
        for position in sorted(grouped)
    }
    manifest = {
        "name": name,
        "version": "0",
        "title": "The causal evaluation of seed 002, as recorded",
        "visibility": "private",
        "description": f"Recorded elsewhere and imported. The questions' texts are {UNPUBLISHED}.",
        "parameters": {"temperature": 0},
        "use_cases": list(files),
    }
    first = build_suite(Texts(name, {MANIFEST: _written(manifest), **files}), graders=registry)
    return {MANIFEST: _written({**manifest, "version": first.digest[:12]}), **files}


def _use_case(variant: str, questions: list[str], keys: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": variant,
        "title": variant.capitalize(),
        "grading": "deterministic",
        "samples": {"base": 1, "full": 1},
        "cases": [
            {
                "id": question,
                "subcategory": question.partition("_")[0],
                "prompt": f"Question {question} of the causal evaluation. Its text is {UNPUBLISHED}.",
                "graders": [{"choice": {"expect": keys[question]}}],
            }
            for question in questions
        ],
    }


def _written(document: object) -> str:
    return yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
