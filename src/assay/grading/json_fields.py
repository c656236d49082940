"""JSON in the answer, field by field against gold values, with partial credit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.fields.compound import comparison
from assay.grading.fields.document import Document, find_document
from assay.grading.fields.extras import Shape, extra_keys, shape_of
from assay.grading.fields.money import exact_value
from assay.grading.fields.path import Absent, Step, look_up, parse_path
from assay.grading.fields.typed import ABSENT_OPTION, Comparison, Outcome, shown
from assay.grading.prepared import Prepared
from assay.grading.text.answer import cut, visible

PARAMETERS = frozenset({"fields", "extra", "extra_penalty", "trailing_commas"})
EXTRA = ("report", "penalise", "ignore")
MOST_EXTRAS = 20
DEFAULT_PENALTY = 0.05


@dataclass(frozen=True, slots=True)
class Field:
    """One declared field, ready to compare."""

    path: str
    steps: tuple[Step, ...]
    kind: str
    weight: float
    compare: Comparison
    expected: Any
    declares: bool
    absent_is_null: bool

    def judge(self, root: Any) -> tuple[float, dict[str, Any]]:
        """Return the field's score in a document, with its evidence."""
        got = look_up(root, self.steps)
        if isinstance(got, Absent):
            outcome = self.compare(None) if self.absent_is_null else Outcome(0.0, f"absent: {got.why}")
        else:
            outcome = self.compare(got)
        evidence = {"path": self.path, "type": self.kind, "score": outcome.score, "verdict": outcome.verdict}
        if self.declares:
            evidence["expected"] = self.expected
        if not isinstance(got, Absent):
            evidence["got"] = shown(got)
        return outcome.score, evidence


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a spec, and what is done about keys that it does not declare."""

    fields: tuple[Field, ...]
    total: float
    array: bool
    shape: Shape | None
    penalty: float
    trailing_commas: bool


class JsonFields:
    """Marks the weighted share of declared fields that are right.

    Parameters: `fields` (path -> {type, expect, weight, options of the type}); `extra`: `report`
    (default), `penalise` (each undeclared key costs `extra_penalty`, default 0.05) or `ignore`;
    `trailing_commas` (true: overlook them). Paths are those of `json_path`, types and options those of
    `fields.typed` and `fields.compound`. No JSON in the answer marks 0.
    """

    name: ClassVar[str] = "json_fields"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = [
            f"unknown parameter {name!r}: write one of {', '.join(sorted(PARAMETERS))}"
            for name in sorted(set(given) - PARAMETERS)
        ]
        if given.get("extra", "report") not in EXTRA:
            found.append(f"extra must be one of {', '.join(EXTRA)}, not {given['extra']!r}")
        penalty = exact_value(given.get("extra_penalty", 0))
        if penalty is None or not 0 <= penalty <= 1:
            found.append(f"extra_penalty must be a number from 0 to 1, not {given['extra_penalty']!r}")
        if not isinstance(given.get("trailing_commas", False), bool):
            found.append(f"trailing_commas must be true or false, not {given['trailing_commas']!r}")
        fields = given.get("fields")
        if not isinstance(fields, Mapping) or not fields:
            found.append("no fields: map each path to {type: ..., expect: ...}")
            return tuple(found)
        for path, declared in fields.items():
            try:
                _field(str(path), declared)
            except ValueError as fault:
                found.append(f"fields: {path!r}: {fault}")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the comparison is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the share of fields that are right, with the evidence of each."""
        form = _PREPARED(spec)
        document = find_document(visible(answer), array=form.array, trailing_commas=form.trailing_commas)
        if document.error:
            return Grade(0.0, {"document": "none", "verdict": document.error, "fields": []})
        return _graded(form, document)


def _graded(form: Form, document: Document) -> Grade:
    score, fields = 0.0, []
    for field in form.fields:
        mark, evidence = field.judge(document.root)
        score += mark * field.weight
        fields.append(evidence)
    value = score / form.total
    right = sum(evidence["score"] == 1 for evidence in fields)
    found: dict[str, Any] = {
        "document": document.where,
        "verdict": f"{right} of {len(fields)} fields are right",
        "fields": fields,
    }
    if document.documents > 1:
        found["documents"] = f"{document.documents} found, the last one counts"
    if document.repaired:
        found["repaired"] = "trailing commas"
    if document.duplicates:
        found["duplicate_keys"] = [cut(key, 60) for key in document.duplicates[:MOST_EXTRAS]]
    if form.shape is not None:
        extras = extra_keys(document.root, form.shape)
        if extras:
            found["extra_keys"] = [cut(path, 80) for path in extras[:MOST_EXTRAS]]
            found["extra_count"] = len(extras)
            value = max(0.0, value - form.penalty * len(extras))
    return Grade(min(1.0, value), found)


def _field(path: str, declared: Any) -> Field:
    if not isinstance(declared, Mapping):
        raise ValueError("declare the field as {type: ..., expect: ...}")
    weight = exact_value(declared.get("weight", 1))
    if weight is None or weight <= 0:
        raise ValueError(f"weight must be a number above 0, not {declared['weight']!r}")
    absent_is_null = declared.get(ABSENT_OPTION, False)
    if not isinstance(absent_is_null, bool):
        raise ValueError(f"{ABSENT_OPTION} must be true or false, not {absent_is_null!r}")
    return Field(
        path=path,
        steps=parse_path(path),
        kind=str(declared.get("type")),
        weight=float(weight),
        compare=comparison(declared),
        expected=shown(declared.get("expect")),
        declares="expect" in declared,
        absent_is_null=absent_is_null,
    )


def _form(spec: GraderSpec) -> Form:
    given = spec.parameters
    declared = given["fields"]
    fields = tuple(_field(str(path), field) for path, field in declared.items())
    extra = given.get("extra", "report")
    root_list = any(not field.steps and field.kind == "list" for field in fields)
    return Form(
        fields=fields,
        total=sum(field.weight for field in fields),
        array=root_list or any(field.steps and not isinstance(field.steps[0], str) for field in fields),
        shape=None if extra == "ignore" else shape_of(declared),
        penalty=float(given.get("extra_penalty", DEFAULT_PENALTY)) if extra == "penalise" else 0.0,
        trailing_commas=given.get("trailing_commas", False),
    )


_PREPARED: Prepared[Form] = Prepared(_form)
