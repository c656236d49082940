"""Finding the question that a user asks about, drawing it again from its seed, and explaining it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from assay.causal.concepts.registry import CONCEPTS
from assay.causal.explain import explain, explain_ladder
from assay.causal.form import GENERATOR, question
from assay.causal.item import Variant
from assay.causal.ladder import GENERATOR as LADDER
from assay.causal.ladder import one_question
from assay.causal.sheet import prompt
from assay.core.case import Case
from assay.core.errors import InvalidInput, NotFound
from assay.files.form_record import asked, record_of
from assay.files.suite_folder import find_suite
from assay.files.suite_seal import open_suite
from assay.grading import registry
from assay.results.causal import Explanation
from assay.studies.causal.ladder_form import asked_of, content, form_seed


def explain_question(
    name: str, form: str, *, seed: str | None, environment: Mapping[str, str]
) -> Explanation:
    """Explain a question of a form, by its id, such as `front-door-trap`.

    `form` is a built-in suite's name, a form's folder or its sealed file; a sealed one needs `seed`.
    NotFound for an id that the form lacks; InvalidInput where the form was not generated, was altered, or was
    made by another generator.
    """
    path = find_suite(form)
    suite = open_suite(path, graders=registry, environment=environment)
    case = next((case for case in suite.cases if case.id == name), None)
    if case is None:
        raise NotFound(
            f"{form} has no question {name!r}: ids are a concept and a variant, as front-door-trap"
        )
    told = _record(path)
    ladder = told["request"] is not None
    if told["generator"] != (known := LADDER if ladder else GENERATOR):
        raise InvalidInput(
            f"{form} was made by generator {told['generator']}, and this is {known}: use the version of "
            "Assay that made it"
        )
    seed = seed or told["seed"]
    if seed is None:
        raise InvalidInput(f"{form} is sealed and does not tell its seed: give it with --seed")
    if ladder:
        return _explain_ladder(case, told, seed)
    told_of = {each.metadata.get("subcategory") for each in suite.cases}
    concepts = [each for each in CONCEPTS if each.name in told_of]
    concept = next((each for each in concepts if each.name == case.metadata.get("subcategory")), None)
    if concept is None or case.use_case not in [variant.value for variant in Variant]:
        raise InvalidInput(f"{name!r} was not generated: its concept and variant are unknown here")
    draw = told["redraws"].get(name, 0)
    found = question(seed, told["retries"], concept, Variant(case.use_case), draw, concepts=concepts)
    if (name, prompt(found.item), found.item.letter) != next(iter(asked([case]))):
        raise InvalidInput(
            f"{name!r} is not what the seed gives: the seed is another one, or the form was altered by hand"
        )
    return explain(found.item, found.draft, found.answers)


def _explain_ladder(case: Case, told: Mapping[str, Any], seed: str) -> Explanation:
    wanted = told["request"]
    found = one_question(
        form_seed(seed, told["retries"]),
        content([each["concept"] for each in wanted["concepts"]]),
        case.id,
        size=wanted["questions"],
        levels=[each["level"] for each in wanted["levels"]],
        rungs=[each["rung"] for each in wanted["rungs"]],
        twins=wanted["twins"],
    )
    if asked_of(found) != next(iter(asked([case]))):
        raise InvalidInput(
            f"{case.id!r} is not what the seed gives: it is another seed, or the form was altered"
        )
    return explain_ladder(found)


def _record(path: Path) -> dict[str, Any]:
    beside = record_of(path)
    try:
        found: dict[str, Any] = orjson.loads(beside.read_bytes())
        redraws = {each["id"]: each["draw"] for each in found["redraws"]}
        told = {key: found[key] for key in ("generator", "seed", "retries")}
        return {**told, "redraws": redraws, "request": found.get("request")}
    except FileNotFoundError:
        text = f"there is no {str(beside)!r}: only forms of `assay causal generate` can be explained"
        raise InvalidInput(text) from None
    except (ValueError, KeyError, TypeError):
        text = f"{str(beside)!r} is no record of a form: make the form again from its seed"
        raise InvalidInput(text) from None
