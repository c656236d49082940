"""What every concept's cells must keep, checked on a few dozen draws of each."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterable

from assay.causal.concept import Concept
from assay.causal.draft import Draft, Kind, proved
from assay.causal.item import Variant

DRAWS = 40
"""Questions of a cell: enough for every state and wording to come up."""
PROVED = 12
"""How many of them are proved; `benchmarks/causal_forms.py` proves tens of thousands."""

_drawn: dict[tuple[str, str, int], list[Draft]] = {}


def drafts(concept: Concept, variant: Variant, count: int = DRAWS) -> list[Draft]:
    """Draw so many questions of one cell; asked again, return the same ones."""
    key = concept.name, variant.value, count
    if key not in _drawn:
        _drawn[key] = _draw(concept, variant, count)
    return _drawn[key]


def _draw(concept: Concept, variant: Variant, count: int) -> list[Draft]:
    rng = random.Random(f"{concept.name} {variant}")
    return [concept.cells[variant](rng, rng.choice(concept.scenes)) for _ in range(count)]


def check_cell(concept: Concept, variant: Variant, count: int = DRAWS) -> None:
    """Assert that all draws are proved, well formed, named after their cell, and repeatable."""
    drawn = drafts(concept, variant, count)
    assert all(proved(draft) in range(4) for draft in drawn[:PROVED])
    for draft in drawn:
        assert all((each.kind is None) != isinstance(each.kind, Kind) for each in draft.answers)
        assert draft.template.startswith(f"{concept.name}/{variant}/")
        prose = "\n".join(line for line in draft.stem.splitlines() if not line.startswith("|"))
        assert not re.search(r"\{[a-z_]+\}|  |\.\.|None", prose), prose
    assert drawn[:5] == _draw(concept, variant, 5)


def check_kinds(concept: Concept, variant: Variant, count: int = DRAWS) -> None:
    """Assert that at least three kinds of distractors, three templates occur."""
    drawn = drafts(concept, variant, count)
    assert len({a.kind for draft in drawn for a in draft.answers} - {None}) >= 3
    assert len({draft.template for draft in drawn}) >= 3


def plant(draft: Draft) -> Draft:
    """Return the draft with a wrong answer passed off as the right one."""
    places = [place for place, each in enumerate(draft.answers) if each.kind is None]
    answers = list(draft.answers)
    false = (places[0] + 1) % len(answers)
    answers[false] = dataclasses.replace(answers[false], kind=None)
    answers[places[0]] = dataclasses.replace(answers[places[0]], kind=Kind.REFLEX)
    return dataclasses.replace(draft, answers=tuple(answers))


def shared_runs(texts: Iterable[str], length: int = 12) -> set[tuple[str, ...]]:
    """Return the runs of so many words that two of the texts share."""
    seen: set[tuple[str, ...]] = set()
    shared = set()
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        runs = {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}
        shared |= runs & seen
        seen |= runs
    return shared


def states(concept: Concept, variant: Variant, count: int = DRAWS) -> set[str]:
    """Return the states drawn in one cell."""
    return {draft.state for draft in drafts(concept, variant, count)}
