"""A small causal form on disk: a few concepts, proved and written as any other."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from assay.studies.causal.form_files import write_form
from assay.studies.causal.generate import Made, bundles_request, make_form
from assay.studies.causal.texts import FormLabel

SEED = "a seed for the tests of causal forms"
FEW = ("confounding", "transportability", "mediation", "instruments")


@lru_cache
def small_made(seed: str = SEED, concepts: int = 2) -> Made:
    """Return a form of bundles on the first of the few concepts."""
    return make_form(seed, bundles_request(FEW[:concepts]))


def written_form(
    folder: Path,
    *,
    visibility: Literal["public", "private"] = "private",
    name: str = "causal",
    version: str | None = None,
) -> Path:
    """Write the small form into a folder; return it."""
    write_form(small_made(), folder, FormLabel(name, version, visibility))
    return folder
