"""Causal forms for benchmarks: drawn from a seed, and their questions kept in a file between runs."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from assay.causal.blueprint import BUNDLED, bundles
from assay.causal.form import Form, draw_form
from assay.causal.item import Item, Variant
from assay.studies.causal.generate import bundles_request, content, draw_unchecked, ladder_request

FIRST_FRESH = 1_000_000
"""The seed of the first form that no learner has learned from."""
PLANS = ("bundles", "ladder", "numbers")
"""What a form holds: everything, or the 20 numeric questions of bundles alone, which are drawn faster."""


@dataclass(frozen=True, slots=True)
class AskedItem(Item):
    """A question with options, and the rung of the ladder of causation on which it stands."""

    rung: str = ""


def asked(form: Form) -> tuple[AskedItem, ...]:
    """Return the questions of a form that have options."""
    chosen = [question for question in form.questions if question.item.options]
    return tuple(
        AskedItem(**{field.name: getattr(each.item, field.name) for field in fields(Item)}, rung=each.rung)
        for each in chosen
    )


def drawn_form(plan: str, seed: str) -> Form:
    """Draw and prove the form of a seed, without a lint."""
    if plan == "numbers":
        cells = [cell for cell in bundles(BUNDLED) if cell.variant is Variant.NUMERIC]
        return draw_form(seed, content(), cells)
    return draw_unchecked(seed, bundles_request() if plan == "bundles" else ladder_request())


def kept(path: Path | None) -> dict[int, Sequence[AskedItem]]:
    """Return the questions of the forms in a file, by their seeds; nothing without a file."""
    found: dict[int, Sequence[AskedItem]] = pickle.loads(path.read_bytes()) if path and path.exists() else {}
    return found


def keep(path: Path, forms: Mapping[int, Sequence[AskedItem]]) -> None:
    """Write the questions of forms into a file."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(pickle.dumps(forms))
    part.replace(path)
