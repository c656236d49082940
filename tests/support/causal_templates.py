"""The texts of a concept's wordings, gaps and all, as one string for each wording."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from typing import Any

from assay.causal.concept import Concept


def template_texts(concept: Concept) -> list[str]:
    """Return the text of each wording of each cell; no run of words reaches from one part into the next."""
    texts = []
    for cell in concept.cells.values():
        for number, words in enumerate(sys.modules[cell.__module__].WORDINGS):
            parts = _strings(dataclasses.astuple(words))
            mark = f"{cell.__name__}{number}"
            texts.append(" ".join(f"{part} {mark}x{place}" for place, part in enumerate(parts)))
    return texts


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _strings(each)
