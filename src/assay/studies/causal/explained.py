"""Finding the question that a user asks about, drawing it again from its seed, and explaining it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from assay.causal.explain import explain
from assay.causal.form import GENERATOR
from assay.core.errors import InvalidInput, NotFound
from assay.files.form_record import asked, record_of
from assay.files.suite_folder import find_suite
from assay.files.suite_seal import open_suite
from assay.grading import registry
from assay.results.causal import Explanation, FormRequest
from assay.studies.causal.generate import question_of
from assay.studies.causal.texts import asked_of


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
    if told.generator != GENERATOR:
        raise InvalidInput(
            f"{form} was made by generator {told.generator}, and this is {GENERATOR}: use the version of "
            "Assay that made it"
        )
    seed = seed or told.seed
    if seed is None:
        raise InvalidInput(f"{form} is sealed and does not tell its seed: give it with --seed")
    found = question_of(seed, told.retries, told.request, name)
    if asked_of(found) != next(iter(asked([case]))):
        raise InvalidInput(
            f"{name!r} is not what the seed gives: the seed is another one, or the form was altered by hand"
        )
    return explain(found)


@dataclass(frozen=True, slots=True)
class _Record:
    generator: int
    seed: str | None
    retries: int
    request: FormRequest


def _record(path: Path) -> _Record:
    beside = record_of(path)
    try:
        found: dict[str, Any] = orjson.loads(beside.read_bytes())
        wanted = found["request"]
        return _Record(
            found["generator"],
            found["seed"],
            found["retries"],
            FormRequest(
                wanted["plan"],
                wanted["questions"],
                tuple(each["level"] for each in wanted["levels"]),
                tuple(each["concept"] for each in wanted["concepts"]),
                tuple(each["rung"] for each in wanted["rungs"]),
                wanted["twins"],
            ),
        )
    except FileNotFoundError:
        text = f"there is no {str(beside)!r}: only forms of `assay causal generate` can be explained"
        raise InvalidInput(text) from None
    except (ValueError, KeyError, TypeError):
        text = f"{str(beside)!r} is no record of a form: make the form again from its seed"
        raise InvalidInput(text) from None
