"""A scene and questions for tests of the causal benchmark's questions with numbers."""

from __future__ import annotations

import random

from assay.causal.draft import Draft, proved
from assay.causal.numbers.draw import draw
from assay.causal.numbers.open_draft import OpenDraft, proved_open
from assay.causal.numbers.recipe import Recipe
from assay.causal.stories.language import Noun
from assay.causal.stories.scene import Action, Factor, Scene

WARDS = Scene(
    "ward-lights",
    "a general hospital",
    ("ward", "wards"),
    Action(
        Noun("night-time dimming"),
        ("dimmed its lights at night", "dimmed their lights at night"),
        ("kept its lights bright at night", "kept their lights bright at night"),
    ),
    Action(
        Noun("complaints about sleep", plural=True),
        ("received many complaints about sleep", "received many complaints about sleep"),
        ("received few complaints about sleep", "received few complaints about sleep"),
    ),
    tuple(
        Factor(
            Noun(noun, plural=noun in ("visits by relatives", "night rounds")),
            f"{high} {noun}",
            f"{low} {noun}",
        )
        for noun, high, low in (
            ("corridor noise", "loud", "faint"),
            ("bed occupancy", "high", "low"),
            ("use of sleeping tablets", "heavy", "light"),
            ("staff morale", "good", "poor"),
            ("visits by relatives", "many", "few"),
            ("room heating", "strong", "weak"),
            ("pain among patients", "severe", "mild"),
            ("use of call bells", "frequent", "rare"),
            ("night rounds", "long", "short"),
        )
    ),
    ("the head nurse", "the hospital manager"),
)


def drawn(recipe: Recipe, seed: int, scene: Scene = WARDS) -> tuple[Draft | OpenDraft, int]:
    """Draw a question of one of the recipe's levels, which take turns by seed, and its level."""
    levels = sorted({level for task in recipe.tasks for level in task.levels})
    level = levels[seed % len(levels)]
    return draw(recipe, scene, level, random.Random(f"{recipe.concept}/{seed}")), level


def prove(question: Draft | OpenDraft) -> None:
    """Prove a question by both routes."""
    if isinstance(question, Draft):
        proved(question)
    else:
        proved_open(question)
