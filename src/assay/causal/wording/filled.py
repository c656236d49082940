"""Sentences with gaps, filled with what a scene gives."""

from __future__ import annotations

import dataclasses
from typing import Any

from assay.causal.wording.graphs import sentence


def filled(text: str, scene: Any, **more: str) -> str:
    """Fill `{units}` with the scene's field or one given besides, and `{Units}` with it capitalised."""
    words = {each.name: getattr(scene, each.name) for each in dataclasses.fields(scene)} | more
    return text.format(**words, **{name[0].upper() + name[1:]: sentence(str(w)) for name, w in words.items()})
