"""The questions shown in docs/methodology/causal.md are what the generator draws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.causal.form import FormQuestion
from assay.core.case import LETTERS
from assay.studies.causal.generate import bundles_request, question_of
from assay.studies.causal.texts import form_prompt

PAGE = (Path(__file__).parents[2] / "docs" / "methodology" / "causal.md").read_text(encoding="utf-8")
SEED = "for the documents"
SHOWN = re.findall(r"^### (\S+)$", PAGE, re.MULTILINE)


def shown(question: FormQuestion) -> str:
    """Return a question as the page shows it: its prompt, its key, and why each option is right or wrong."""
    lines = [f"### {question.item.id}", "", "```text", form_prompt(question), "```", ""]
    lines += [f"Right is **{question.item.letter}**.", ""]
    for letter, answer in zip(LETTERS, question.answers, strict=True):
        lines.append(f"- {letter}, *{answer.kind.value if answer.kind else 'right'}*: {answer.why}")
    return "\n".join(lines)


def test_every_variant_has_an_example() -> None:
    """One each."""
    assert [name.rpartition("-")[2] for name in SHOWN] == ["base", "trap", "analyst", "transfer", "numeric"]


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_is_what_its_seed_gives(name: str) -> None:
    """To the letter, with its explanation."""
    assert shown(question_of(SEED, 0, bundles_request(), name)) in PAGE
