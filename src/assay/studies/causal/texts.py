"""A causal form as the files of a suite: one use case a variant, the concept as each case's subcategory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.causal.form import GENERATOR, Form
from assay.causal.item import Item, Variant
from assay.causal.question import Question
from assay.causal.sheet import prompt
from assay.core.case import LETTERS
from assay.files import form_record
from assay.files.marked_yaml import suite_text
from assay.files.suite_folder import MANIFEST

MARKER = "Answer:"
MAX_TOKENS = 16_384
TITLES = {
    Variant.BASE: "Base: interacting issues in a narrative",
    Variant.TRAP: "Trap: where the obvious principle does not apply",
    Variant.TRANSFER: "Transfer: formal reasoning on graphs",
    Variant.NUMERIC: "Numeric: several steps on tables and probabilities",
    Variant.ANALYST: "Analyst: which of two assessments holds",
}
DESCRIPTION = (
    "Twenty concepts of causal inference, each tested from five angles: multiple choice with four options, "
    "chance 25%. Questions are generated from structural causal models; every key was computed twice, by "
    "routes that share no code."
)


@dataclass(frozen=True, slots=True)
class FormLabel:
    """What a form is called. `version` None: made of the generator's number and a digest of the questions."""

    name: str = "causal"
    version: str | None = None
    visibility: Literal["public", "private"] = "private"


def form_texts(form: Form, label: FormLabel) -> dict[str, str]:
    """Return the suite's files by name, the manifest first."""
    groups = {
        variant: [q for q in form.questions if q.item.variant == variant]
        for variant in Variant
        if any(q.item.variant == variant for q in form.questions)
    }
    files = {
        f"{variant}.yaml": suite_text(_use_case(variant, questions)) for variant, questions in groups.items()
    }
    return {MANIFEST: suite_text(_manifest(form, label, list(files))), **files}


def content_digest(items: Sequence[Item]) -> str:
    """Return the SHA-256 of what is asked and what is right, in order."""
    return form_record.content_digest((item.id, prompt(item), item.letter) for item in items)


def _manifest(form: Form, label: FormLabel, files: list[str]) -> dict[str, Any]:
    digest = content_digest(form.items)
    canary = random.Random(f"canary/{form.seed}/{digest}").getrandbits(128)
    return {
        "name": label.name,
        "version": label.version or f"{GENERATOR}.{digest[:10]}",
        "title": "The causal suite",
        "visibility": label.visibility,
        "canary": f"assay-canary-{canary:032x}",
        "description": DESCRIPTION,
        "parameters": {"temperature": 0},
        "use_cases": files,
    }


def _use_case(variant: Variant, questions: Sequence[Question]) -> dict[str, Any]:
    return {
        "name": variant.value,
        "title": TITLES[variant],
        "grading": "deterministic",
        "samples": {"base": 1, "full": 1},
        "cases": [_case(question) for question in questions],
    }


def _case(question: Question) -> dict[str, Any]:
    item = question.item
    wrong = [letter for letter in LETTERS if letter != item.letter]
    return {
        "id": item.id,
        "subcategory": item.concept,
        "prompt": prompt(item),
        "max_tokens": MAX_TOKENS,
        "graders": [{"choice": {"expect": item.letter, "marker": MARKER}}],
        "derivation": question.answers[item.key].why,
        "exemplars": [
            {
                "score": 1.0,
                "answer": f"Having gone through the options, one holds.\n\n{MARKER} {item.letter}",
            },
            *({"score": 0.0, "answer": f"{MARKER} {letter}"} for letter in wrong),
        ],
    }
