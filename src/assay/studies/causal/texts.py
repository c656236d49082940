"""A causal form as the files of a suite: one use case a variant, the concept as each case's subcategory."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.causal import sheet
from assay.causal.form import GENERATOR, Form, FormQuestion
from assay.causal.item import Item, Variant
from assay.core.case import LETTERS
from assay.files import form_record
from assay.files.form_record import TWINS
from assay.files.marked_yaml import suite_text
from assay.files.suite_folder import MANIFEST
from assay.results.causal import FormRequest
from assay.studies.causal.library import instructions

MARKER = "Answer:"
MAX_TOKENS = 16_384
TITLES: Mapping[str, str] = {
    Variant.BASE: "Base: interacting issues in a narrative",
    Variant.TRAP: "Trap: where the obvious principle does not apply",
    Variant.TRANSFER: "Transfer: formal reasoning on graphs",
    Variant.NUMERIC: "Numeric: several steps on tables and probabilities",
    Variant.ANALYST: "Analyst: which of two assessments holds",
    TWINS: "Twins: renamed, pressured and undeterminable questions",
}
PLANS = {
    "bundles": ("The causal suite", "{concepts} concepts of causal inference, each tested from five angles."),
    "ladder": ("The causal ladder", "The three rungs of the ladder of causation, at levels 1 to {deepest}."),
}
DESCRIPTION = (
    "Questions are generated from causal graphs and structural causal models. Sentences occur equally often "
    "under every answer; every key was computed by two routes that share no code; every text was read back "
    "and compared with its model. Questions with options have four (chance 25%), open ones ask for a number."
)


@dataclass(frozen=True, slots=True)
class FormLabel:
    """What a form is called. `version` None: made of the generator's number and a digest of the questions."""

    name: str = "causal"
    version: str | None = None
    visibility: Literal["public", "private"] = "private"


def form_texts(form: Form, wanted: FormRequest, label: FormLabel) -> dict[str, str]:
    """Return the suite's files by name, the manifest first."""
    groups: dict[str, list[FormQuestion]] = {}
    for question in form.questions:
        groups.setdefault(TWINS if question.twin else question.item.variant, []).append(question)
    files = {f"{name}.yaml": suite_text(_use_case(name, questions)) for name, questions in groups.items()}
    return {MANIFEST: suite_text(_manifest(form, wanted, label, list(files))), **files}


def form_prompt(question: FormQuestion) -> str:
    """Return what a model is shown: the stem, the options if there are any, and how to write the answer."""
    item = question.item
    forms = instructions()["number" if question.open else "choice"]
    end = forms[zlib.crc32(item.id.encode()) % len(forms)]
    return f"{item.stem}\n\n{end}" if question.open else sheet.prompt(item, end)


def asked_of(question: FormQuestion) -> tuple[str, str, str]:
    """Return a question's id, prompt and right letter; the letter is empty for an open one."""
    return question.item.id, form_prompt(question), "" if question.open else question.item.letter


def form_digest(form: Form) -> str:
    """Return the SHA-256 of what a form asks and what is right, in order."""
    return form_record.content_digest(map(asked_of, form.questions))


def items_digest(items: Sequence[Item]) -> str:
    """Return the SHA-256 of what is asked and what is right, in order, whatever the instructions."""
    return form_record.content_digest((item.id, sheet.prompt(item, ""), item.letter) for item in items)


def _manifest(form: Form, wanted: FormRequest, label: FormLabel, files: list[str]) -> dict[str, Any]:
    digest = form_digest(form)
    canary = random.Random(f"canary/{form.seed}/{digest}").getrandbits(128)
    title, about = PLANS[wanted.plan]
    about = about.format(concepts=len(wanted.concepts), deepest=max(wanted.levels))
    return {
        "name": label.name,
        "version": label.version or f"{GENERATOR}.{digest[:10]}",
        "title": title,
        "visibility": label.visibility,
        "canary": f"assay-canary-{canary:032x}",
        "description": f"{about} {DESCRIPTION}",
        "parameters": {"temperature": 0},
        "use_cases": files,
    }


def _use_case(name: str, questions: Sequence[FormQuestion]) -> dict[str, Any]:
    return {
        "name": name,
        "title": TITLES[name],
        "grading": "deterministic",
        "samples": {"base": 1, "full": 1},
        "cases": [_case(question) for question in questions],
    }


def _case(question: FormQuestion) -> dict[str, Any]:
    item = question.item
    return {
        "id": item.id,
        "subcategory": item.concept,
        "level": question.level,
        "rung": question.rung,
        **dict(_twin(question)),
        "prompt": form_prompt(question),
        "max_tokens": MAX_TOKENS,
        "derivation": question.why,
        **_graded(item, None if question.open is None else question.open.grader),
    }


def _twin(question: FormQuestion) -> Iterator[tuple[str, str]]:
    for name in ("twin", "twin_of", "pressed_for", "refusals"):
        if (value := getattr(question, name)) is not None:
            yield name, str(value)


def _graded(item: Item, number: Mapping[str, object] | None) -> dict[str, Any]:
    """Return the grader of a case, with answers whose score is known."""
    if number is not None:
        answers = [(1.0, str(number["expect"])), (0.0, "7777"), (0.0, "unknown")]
        grader = {"number": {**number, "marker": MARKER}}
    else:
        answers = [(1.0, item.letter), *((0.0, letter) for letter in LETTERS if letter != item.letter)]
        grader = {"choice": {"expect": item.letter, "marker": MARKER}}
    exemplars = [{"score": score, "answer": f"{MARKER} {text}"} for score, text in answers]
    return {"graders": [grader], "exemplars": exemplars}
