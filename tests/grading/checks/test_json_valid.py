"""JSON answers."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.json_valid import JsonValid

PARAMETERS_1: dict[str, Any] = {
    "keys": ["a", "b.c", "items[*].p"],
    "types": {"a": "integer", "b.c": "string|null", "items": "array", "items[*].p": "number"},
}
PARAMETERS_2: dict[str, Any] = {"bare": False}
PARAMETERS_3: dict[str, Any] = {"types": {"$": "array"}}
PASSING = [
    (PARAMETERS_1, '{"a":1,"b":{"c":null},"items":[{"p":1.5},{"p":2}]}'),
    (PARAMETERS_1, '\n {"a":1,"b":{"c":"x"},"items":[]} \n'),
    (PARAMETERS_1, '<think>hm</think>{"a":1,"b":{"c":"x"},"items":[]}'),
    (PARAMETERS_2, "```json\n[1,2]\n```"),
    (PARAMETERS_2, 'Here you go: {"a":1} ok?'),
    (PARAMETERS_2, "3"),
    (PARAMETERS_2, '"x"'),
    (PARAMETERS_3, '[{"a":1}]'),
]
FLAGGED = [
    (PARAMETERS_1, '```json\n{"a":1,"b":{"c":null},"items":[]}\n```', "FENCED"),
    (PARAMETERS_1, '{"a":1,"b":{"c":null},"items":[]}\n\nHope this helps!', "PROSE_AROUND"),
    (PARAMETERS_1, 'Here: {"a":1,"b":{"c":null},"items":[]}', "PROSE_AROUND"),
    (PARAMETERS_1, '{"a":"1","b":{"c":null},"items":[]}', "WRONG_TYPE"),
    (PARAMETERS_1, '{"a":1,"b":{},"items":[]}', "MISSING_KEY"),
    (PARAMETERS_1, '{"a":1,"b":{"c":null},"items":[{"q":1}]}', "MISSING_KEY"),
    (PARAMETERS_1, "{'a':1}", "NOT_JSON"),
    (PARAMETERS_1, '{"a":1,"b":{"c":null},"items":[],}', "PROSE_AROUND"),
    (PARAMETERS_1, "", "NOT_JSON"),
    (PARAMETERS_1, "sorry", "NOT_JSON"),
    (PARAMETERS_1, '{"a":true,"b":{"c":null},"items":[]}', "WRONG_TYPE"),
    (PARAMETERS_1, "[1]", "MISSING_KEY"),
    (PARAMETERS_2, "no json", "NOT_JSON"),
    (PARAMETERS_2, '```json\n{"a":1,\n```', "NOT_JSON"),
    (PARAMETERS_3, '{"a":1}', "WRONG_TYPE"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("json_valid", parameters)
    assert JsonValid().problems(spec) == ()
    return JsonValid().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that is the JSON asked for passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer with anything around, missing or mistyped is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
