"""The json_fields grader as a whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.fields.compound import inferred
from assay.grading.json_fields import json_fields

CASE = Case("invoice", "extraction", (), ())
FIELDS: dict[str, Any] = {
    "vendor.name": {"type": "text", "expect": "Müller GmbH"},
    "total": {"type": "money", "expect": {"amount": "1234.50", "currency": "EUR"}, "weight": 2},
    "due": {"type": "date", "expect": "2024-05-17"},
    "lines[sku=B].qty": {"type": "integer", "expect": 2},
}
GOOD = {
    "vendor": {"name": "Müller GmbH"},
    "total": "1.234,50 €",
    "due": "2024-05-17",
    "lines": [{"sku": "A", "qty": 1}, {"sku": "B", "qty": 2}],
}


def grade(answer: Any, fields: dict[str, Any] = FIELDS, **parameters: Any) -> Grade:
    """Grade one answer (text, or a value to write as JSON) after checking that the parameters are sound."""
    spec = GraderSpec("json_fields", {"fields": fields, **parameters})
    assert json_fields.problems(spec) == ()
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return json_fields.read(CASE, spec, text, ())


def test_all_fields_right_mark_1() -> None:
    """A sound document marks 1, in a fence with prose around it too."""
    assert grade(GOOD).value == 1
    assert grade(f"Here it is:\n```json\n{json.dumps(GOOD)}\n```\nRegards").value == 1


def test_weights_give_partial_credit() -> None:
    """The mark is the weighted share of the fields that are right."""
    assert grade({**GOOD, "total": "1.234,50 $"}).value == pytest.approx(3 / 5)
    assert grade({**GOOD, "due": "17.05.2024"}).value == pytest.approx(4 / 5)


def test_each_field_has_its_evidence() -> None:
    """Path, type, expected, got, verdict and score are reported for every field."""
    evidence = grade({**GOOD, "due": "17.05.2024"}).evidence
    assert evidence["fields"][2] == {
        "path": "due",
        "type": "date",
        "score": 0.0,
        "verdict": "'17.05.2024' is not an ISO date (YYYY-MM-DD)",
        "expected": "2024-05-17",
        "got": "17.05.2024",
    }


def test_evidence_is_plain_json_and_cut() -> None:
    """Huge values are shortened, and everything can be written as JSON."""
    evidence = grade({**GOOD, "due": "x" * 100_000, "vendor": {"name": ["y" * 100_000]}}).evidence
    assert len(json.dumps(evidence)) < 3000


@pytest.mark.parametrize(
    "answer", ["I could not read the invoice.", "", '{"vendor": {"name": "Müller GmbH"}', "[1]"]
)
def test_no_document_marks_0_with_the_reason(answer: str) -> None:
    """Without JSON there is nothing to credit."""
    found = grade(answer)
    assert found.value == 0
    assert "JSON" in found.evidence["verdict"]


def test_trailing_commas_are_overlooked_only_where_declared() -> None:
    """The same slip fails by default and passes, noted, where it is allowed."""
    broken = json.dumps(GOOD)[:-1] + ",}"
    assert grade(broken).value == 0
    allowed = grade(broken, trailing_commas=True)
    assert (allowed.value, allowed.evidence["repaired"]) == (1, "trailing commas")


def test_a_key_with_two_values_is_not_right() -> None:
    """A document that gives both the right and a wrong value hedges."""
    found = grade('{"a": 1, "a": 2}', {"a": {"type": "number", "expect": 2}})
    assert (found.value, found.evidence["duplicate_keys"]) == (0, ["a"])


@pytest.mark.parametrize(
    ("answer", "option", "value"),
    [({"a": None}, False, 1), ({}, False, 0), ({}, True, 1), ({"a": None}, True, 1), ({"a": 0}, True, 0)],
)
def test_absent_and_null_are_told_apart_unless_declared(answer: Any, option: bool, value: float) -> None:
    """A missing key is null only with `absent_is_null`."""
    assert grade(answer, {"a": {"type": "null", "absent_is_null": option}}).value == value


def test_extra_keys_are_reported_and_cost_nothing_by_default() -> None:
    """Undeclared keys are listed with their paths, inside matched list elements too."""
    answer = {**GOOD, "note": "x", "vendor": {"name": "Müller GmbH", "vat": 1}}
    found = grade(answer)
    assert found.value == 1
    assert found.evidence["extra_keys"] == ["vendor.vat", "lines[0].sku", "lines[1].sku", "note"]


def test_extra_keys_cost_where_declared() -> None:
    """Each undeclared key takes its penalty off, down to 0."""
    fields = {"a": {"type": "number", "expect": 1}}
    assert grade({"a": 1, "b": 2, "c": 3}, fields, extra="penalise").value == pytest.approx(0.9)
    assert grade({"a": 1, "b": 2, "c": 3}, fields, extra="penalise", extra_penalty=0.6).value == 0
    assert "extra_keys" not in grade({"a": 1, "b": 2}, fields, extra="ignore").evidence


def test_keys_of_a_list_matched_by_key_are_known() -> None:
    """A list of objects declares its elements' keys, so they are no extras."""
    fields = {"lines": {"type": "list", "by": "sku", "expect": GOOD["lines"]}}
    assert "extra_keys" not in grade({"lines": GOOD["lines"]}, fields).evidence


def test_a_list_can_be_the_document() -> None:
    """`$` and paths that start with a place look for an array."""
    assert grade("Result: [1, 2]", {"$": {"type": "list", "expect": [1, 2]}}).value == 1
    assert grade("[[1], [2]]", {"[1][0]": {"type": "integer", "expect": 2}}).value == 1


@every_row(
    "parameters, part",
    [
        ({}, "no fields"),
        ({"fields": {}}, "no fields"),
        ({"fields": {"a..b": {"type": "text"}}}, "invalid path"),
        ({"fields": {"a": "text"}}, "declare the field"),
        ({"fields": {"a": {"type": "text", "weight": 0}}}, "weight"),
        ({"fields": {"a": {"type": "null", "absent_is_null": 1}}}, "absent_is_null"),
        ({"fields": {"a": {"type": "text"}}, "extra": "x"}, "extra must"),
        ({"fields": {"a": {"type": "text"}}, "extra_penalty": 2}, "extra_penalty"),
        ({"fields": {"a": {"type": "text"}}, "trailing_commas": 1}, "trailing_commas"),
        ({"fields": {"a": {"type": "text"}}, "schema": 1}, "unknown parameter 'schema'"),
    ],
)
def test_unsound_parameters_are_named(parameters: dict[str, Any], part: str) -> None:
    """Every fault of a spec is reported before anything is graded."""
    assert part in "\n".join(json_fields.problems(GraderSpec("json_fields", parameters)))


def test_all_faults_are_told_at_once() -> None:
    """Two bad fields give two problems."""
    spec = GraderSpec("json_fields", {"fields": {"a": {"type": "x"}, "b": {"type": "y"}}})
    assert len(json_fields.problems(spec)) == 2


words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
scalars = st.booleans() | st.integers(-(10**9), 10**9) | words | st.none()
objects = st.dictionaries(
    words, st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6), max_size=5
)


@given(st.dictionaries(words, scalars | objects, min_size=1, max_size=5))
def test_a_document_matches_the_declaration_made_from_it(document: dict[str, Any]) -> None:
    """Declaring every key with its own value and answering with the same JSON marks 1."""
    fields = {f'"{key}"': {**inferred(value), "expect": value} for key, value in document.items()}
    assert grade(document, fields).value == 1


@given(st.dictionaries(words, st.integers(0, 99), min_size=1, max_size=5))
def test_a_document_with_other_values_marks_0(document: dict[str, int]) -> None:
    """Changing every value loses every field."""
    fields = {f'"{key}"': {"type": "integer", "expect": value + 1} for key, value in document.items()}
    assert grade(document, fields).value == 0
