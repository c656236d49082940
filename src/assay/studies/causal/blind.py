"""A form with its questions withheld: what a model can pick by the options alone."""

from __future__ import annotations

from collections.abc import Sequence

from assay.causal.item import Item
from assay.causal.sheet import prompt
from assay.core.case import LETTERS
from assay.core.suite import Suite
from assay.files.marked_yaml import suite_text
from assay.files.suite_folder import MANIFEST, SuiteTexts, build_suite
from assay.grading import registry
from assay.studies.causal.texts import MARKER, items_digest

WITHHELD = (
    "The question is withheld. Below are its options, exactly one of which is right. Pick the one that is "
    "most likely to be right, by whatever the options themselves give away; do not decline."
)
END = "Close your reply with the line `Answer: X`, X being the letter that you pick."
MAX_TOKENS = 2_048


def blind_suite(items: Sequence[Item], name: str) -> Suite:
    """Return a private suite, `NAME-blind`, that shows the options of a form's questions and nothing else."""
    variants = list(dict.fromkeys(item.variant for item in items))
    files = {
        f"{variant}.yaml": suite_text(_use_case(variant, [i for i in items if i.variant == variant]))
        for variant in variants
    }
    manifest = {
        "name": f"{name}-blind",
        "version": items_digest(items)[:10],
        "title": "Options without their questions",
        "visibility": "private",
        "description": "An attack on a form: whoever beats chance here picks by the look of the options.",
        "parameters": {"temperature": 0},
        "use_cases": list(files),
    }
    texts = {MANIFEST: suite_text(manifest), **files}
    return build_suite(SuiteTexts(f"{name}-blind", texts), graders=registry)


def _use_case(variant: str, items: Sequence[Item]) -> dict[str, object]:
    return {
        "name": variant,
        "title": f"{variant.capitalize()}, options only",
        "grading": "deterministic",
        "samples": {"base": 1, "full": 1},
        "cases": [_case(item) for item in items],
    }


def _case(item: Item) -> dict[str, object]:
    shown = Item(item.id, item.concept, item.variant, WITHHELD, item.options, item.key)
    wrong = [letter for letter in LETTERS if letter != item.letter]
    return {
        "id": item.id,
        "subcategory": item.concept,
        "prompt": prompt(shown, END),
        "max_tokens": MAX_TOKENS,
        "graders": [{"choice": {"expect": item.letter, "marker": MARKER}}],
        "exemplars": [
            {"score": 1.0, "answer": f"{MARKER} {item.letter}"},
            *({"score": 0.0, "answer": f"{MARKER} {letter}"} for letter in wrong),
        ],
    }
