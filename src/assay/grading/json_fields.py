"""The `json_fields` grader: JSON in the answer, compared with expected values field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.fields.compound import comparison
from assay.grading.fields.document import Document, find_document
from assay.grading.fields.path import Absent, Step, look_up, parse_path
from assay.grading.fields.typed import ABSENT_OPTION, Comparison, FieldOutcome, shown
from assay.grading.fields.values import exact_value
from assay.grading.parameters import Parameters
from assay.grading.text.answer import cut, visible

PARAMETERS = ("fields", "extra", "extra_penalty", "trailing_commas")
EXTRA = ("report", "penalise", "ignore")
MOST_EXTRAS = 20
DEFAULT_PENALTY = 0.05


@dataclass(frozen=True, slots=True)
class JsonField:
    """One declared field with its comparison."""

    path: str
    steps: tuple[Step, ...]
    kind: str
    weight: float
    compare: Comparison
    expected: Any
    declares: bool
    absent_is_null: bool

    def score(self, root: Any) -> tuple[float, dict[str, Any]]:
        """Return the field's score in a document, and its evidence."""
        got = look_up(root, self.steps)
        if isinstance(got, Absent):
            outcome = self.compare(None) if self.absent_is_null else FieldOutcome(0.0, f"absent: {got.why}")
        else:
            outcome = self.compare(got)
        evidence = {"path": self.path, "type": self.kind, "score": outcome.score, "verdict": outcome.verdict}
        if self.declares:
            evidence["expected"] = self.expected
        if not isinstance(got, Absent):
            evidence["got"] = shown(got)
        return outcome.score, evidence


@dataclass(frozen=True, slots=True)
class JsonForm:
    """The fields of a spec, and the treatment of keys that it does not declare."""

    fields: tuple[JsonField, ...]
    total: float
    array: bool
    shape: Shape | None
    penalty: float
    trailing_commas: bool


def _grade(form: JsonForm, document: Document) -> Grade:
    score, fields = 0.0, []
    for field in form.fields:
        mark, field_evidence = field.score(document.root)
        score += mark * field.weight
        fields.append(field_evidence)
    value = score / form.total
    right = sum(field_evidence["score"] == 1 for field_evidence in fields)
    evidence: dict[str, Any] = {
        "document": document.where,
        "verdict": f"{right} of {len(fields)} fields are right",
        "fields": fields,
    }
    if document.documents > 1:
        evidence["documents"] = f"{document.documents} found, the last one counts"
    if document.repaired:
        evidence["repaired"] = "trailing commas"
    if document.duplicates:
        evidence["duplicate_keys"] = [cut(key, 60) for key in document.duplicates[:MOST_EXTRAS]]
    if form.shape is not None:
        extras = extra_keys(document.root, form.shape)
        if extras:
            evidence["extra_keys"] = [cut(path, 80) for path in extras[:MOST_EXTRAS]]
            evidence["extra_count"] = len(extras)
            value = max(0.0, value - form.penalty * len(extras))
    return Grade(min(1.0, value), evidence)


def _field(path: str, declared: Any) -> JsonField:
    if not isinstance(declared, Mapping):
        raise ValueError("declare the field as {type: ..., expect: ...}")
    weight = exact_value(declared.get("weight", 1))
    if weight is None or weight <= 0:
        raise ValueError(f"weight must be a number above 0, not {declared['weight']!r}")
    absent_is_null = declared.get(ABSENT_OPTION, False)
    if not isinstance(absent_is_null, bool):
        raise ValueError(f"{ABSENT_OPTION} must be true or false, not {absent_is_null!r}")
    return JsonField(
        path=path,
        steps=parse_path(path),
        kind=str(declared.get("type")),
        weight=float(weight),
        compare=comparison(declared),
        expected=shown(declared.get("expect")),
        declares="expect" in declared,
        absent_is_null=absent_is_null,
    )


def _form(parameters: Parameters) -> JsonForm:
    declared = parameters["fields"]
    fields = tuple(_field(str(path), field) for path, field in declared.items())
    extra = parameters.get("extra", "report")
    root_list = any(not field.steps and field.kind == "list" for field in fields)
    return JsonForm(
        fields=fields,
        total=sum(field.weight for field in fields),
        array=root_list or any(field.steps and not isinstance(field.steps[0], str) for field in fields),
        shape=None if extra == "ignore" else shape_of(declared),
        penalty=float(parameters.get("extra_penalty", DEFAULT_PENALTY)) if extra == "penalise" else 0.0,
        trailing_commas=parameters.get("trailing_commas", False),
    )


def _problems(parameters: Parameters) -> list[str]:
    problems = []
    if parameters.get("extra", "report") not in EXTRA:
        problems.append(f"extra must be one of {', '.join(EXTRA)}, not {parameters['extra']!r}")
    penalty = exact_value(parameters.get("extra_penalty", 0))
    if penalty is None or not 0 <= penalty <= 1:
        problems.append(f"extra_penalty must be a number from 0 to 1, not {parameters['extra_penalty']!r}")
    if not isinstance(parameters.get("trailing_commas", False), bool):
        problems.append(f"trailing_commas must be true or false, not {parameters['trailing_commas']!r}")
    fields = parameters.get("fields")
    if not isinstance(fields, Mapping) or not fields:
        problems.append("no fields: map each path to {type: ..., expect: ...}")
        return problems
    for path, declared in fields.items():
        try:
            _field(str(path), declared)
        except ValueError as error:
            problems.append(f"fields: {path!r}: {error}")
    return problems


@check(
    "json_fields",
    version="1",
    names=PARAMETERS,
    prepare=_form,
    problems=_problems,
    about=HelpText("""
        Marks the weighted share of the expected fields that the JSON in the answer has right.

        It tests extraction: each field has a type with its own rules, so `"1.234,50 €"` can equal an amount
        of 1234.50 EUR while a date in an ambiguous form is refused.

        The evidence lists expected and actual value for each field. JSON that does not parse scores 0, and
        its error is given with line and column. If the values are right in another format, see the field's
        options in the suite format.
    """),
)
def json_fields(answer: str, form: JsonForm) -> Grade:
    """Return the weighted share of declared fields that are right; 0 without JSON.

    Parameters: `fields` (path -> {type, expect, weight, options of the type}); `extra`: `report` (default),
    `penalise` (each undeclared key costs `extra_penalty`, default 0.05) or `ignore`; `trailing_commas` (true:
    ignore them). For paths see `fields.path`, for types and options `fields.typed` and `fields.compound`.
    """
    document = find_document(visible(answer), array=form.array, trailing_commas=form.trailing_commas)
    if document.error:
        return Grade(0.0, {"document": "none", "verdict": document.error, "fields": []})
    return _grade(form, document)


EVERY = "[]"
Shape = dict[str, "Shape | None"]
"""Declared keys by level; None for a value with any content. `[]` stands for every element of a list."""


def shape_of(fields: Mapping[str, Any]) -> Shape:
    """Return the shape of a document with these declared fields."""
    root: Shape = {}
    for path, declared in fields.items():
        here = root
        steps = [step if isinstance(step, str) else EVERY for step in parse_path(str(path))]
        inner = _inner(declared)
        if not steps:
            _merge(root, inner)
            continue
        open_below = False
        for step in steps[:-1]:
            below = here.setdefault(step, {})
            if below is None:
                open_below = True
                break
            here = below
        if open_below:
            continue
        last = here.setdefault(steps[-1], inner)
        if last is not None and inner is not None:
            _merge(last, inner)
    return root


def extra_keys(root: Any, shape: Shape) -> list[str]:
    """Return the paths of undeclared keys in the document's order, except below leaves."""
    return list(_extras(root, shape, ""))


def _extras(value: Any, shape: Shape | None, path: str) -> Iterator[str]:
    if shape is None:
        return
    if isinstance(value, list):
        if EVERY in shape:
            for at, item in enumerate(value):
                yield from _extras(item, shape[EVERY], f"{path}[{at}]")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            below = f"{path}.{key}" if path else str(key)
            if key not in shape:
                yield below
            else:
                yield from _extras(item, shape[key], below)


def _inner(declared: Any) -> Shape | None:
    """Return the shape below a declared field; None if it may have any content."""
    if not isinstance(declared, Mapping) or declared.get("type") not in ("list", "object"):
        return None
    members = declared.get("fields")
    if declared["type"] == "object":
        members = members or declared.get("expect")
        return {str(name): _inner(member) for name, member in members.items()} if members else None
    if members:
        return {EVERY: {str(name): _inner(member) for name, member in members.items()}}
    if isinstance(declared.get("of"), Mapping):
        return {EVERY: _inner(declared["of"])}
    expect = declared.get("expect")
    if not isinstance(expect, list | tuple) or not all(isinstance(item, Mapping) for item in expect):
        return None
    return {EVERY: {str(name): None for item in expect for name in item}}


def _merge(into: Shape, more: Shape | None) -> None:
    for key, below in (more or {}).items():
        merged = into.setdefault(key, below)
        if merged is not None and below is not None:
            _merge(merged, below)
