"""Making a form: what it is to hold, drawn from a seed until gross luck has not spoiled it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.causal.blueprint import BUNDLED, BUNDLES_LEVEL, Cell, bundles, ladder
from assay.causal.form import GENERATOR, Content, Form, FormQuestion, draw_form, draw_question
from assay.causal.item import Item, Variant
from assay.causal.lint.form import lint_form
from assay.core.case import LEVELS, RUNGS
from assay.core.errors import AssayError, InvalidInput
from assay.results.causal import FormLint, FormRequest
from assay.studies.causal.library import concepts, library
from assay.studies.causal.recipes import recipes
from assay.studies.causal.texts import items_digest

MOST_RETRIES = 50


@dataclass(frozen=True, slots=True)
class Made:
    """A form that passed its lint, what was asked for, and the lints of forms that did not pass."""

    seed: str
    form: Form
    request: FormRequest
    rejected: tuple[FormLint, ...] = ()


def bundles_request(chosen: Sequence[str] = BUNDLED) -> FormRequest:
    """Return what a form of bundles holds: five variants of each concept, by default of the twenty."""
    return FormRequest(
        "bundles", len(chosen) * len(Variant), (BUNDLES_LEVEL,), tuple(sorted(chosen)), RUNGS, 0
    )


def ladder_request(
    *,
    size: int = 100,
    levels: Sequence[int] = (),
    chosen: Sequence[str] = (),
    rungs: Sequence[str] = (),
    twins: int = 0,
) -> FormRequest:
    """Return what a ladder is to hold; nothing given means everything.

    InvalidInput for what does not exist.
    """
    if wrong := [level for level in levels if level not in LEVELS]:
        raise InvalidInput(f"invalid --level {wrong[0]}: choose from 1 to {LEVELS[-1]}")
    if unknown := [rung for rung in rungs if rung not in RUNGS]:
        raise InvalidInput(f"invalid --rungs {unknown[0]!r}: choose from {', '.join(RUNGS)}")
    known = sorted({*concepts(), *recipes()})
    if foreign := [name for name in chosen if name.replace("-", "_") not in known]:
        raise InvalidInput(f"invalid --concepts {foreign[0]!r}: choose from {', '.join(known)}")
    if not 5 <= size <= 1000:
        raise InvalidInput(f"invalid --questions {size}: give 5 to 1000")
    if not 0 <= twins <= 1000:
        raise InvalidInput(f"invalid --twins {twins}: give 0 to 1000")
    return FormRequest(
        "ladder",
        size,
        tuple(sorted(set(levels))) or LEVELS,
        tuple(sorted({name.replace("-", "_") for name in chosen})),
        tuple(rung for rung in RUNGS if rung in rungs) or RUNGS,
        twins,
    )


def make_form(seed: str, wanted: FormRequest, *, step: Callable[[], None] = lambda: None) -> Made:
    """Draw forms from a seed until one passes its lint.

    Raises Disagreement, Unproved or Unreadable where a key is not proved, AssayError when no form passes.
    """
    rejected: list[FormLint] = []
    for retry in range(MOST_RETRIES):
        drawn = draw_unchecked(seed, wanted, retry, step=step)
        found = linted_form(drawn)
        if found.passed:
            return Made(seed, drawn, wanted, tuple(rejected))
        rejected.append(found)
    raise AssayError(f"{MOST_RETRIES} forms from one seed failed their lint: the generator leaks, report it")


def draw_unchecked(
    seed: str, wanted: FormRequest, retry: int = 0, *, step: Callable[[], None] = lambda: None
) -> Form:
    """Draw and prove a form that was not linted: the first of a seed, or a later one."""
    name, data = _form_seed(seed, retry), content(wanted.concepts)
    return draw_form(name, data, _cells(name, data, wanted), twins=wanted.twins, step=step)


def question_of(seed: str, retry: int, wanted: FormRequest, name: str) -> FormQuestion:
    """Draw and prove one question of a made form again, by its id."""
    data, drawn = content(wanted.concepts), _form_seed(seed, retry)
    cells = _cells(drawn, data, wanted)
    return draw_question(drawn, data, cells, name, twins=wanted.twins)


def content(chosen: Sequence[str] = ()) -> Content:
    """Return the package's words, concepts and recipes; only those of some concepts if any are chosen."""
    told, counted = concepts(), recipes()
    if chosen:
        told = {name: each for name, each in told.items() if name in chosen}
        counted = {name: each for name, each in counted.items() if name in chosen}
    return Content(library(), told, counted)


def linted(items: Sequence[Item], *, alike: bool = True) -> FormLint:
    """Lint a form, `alike` as in `lint_form`; what is random is seeded with the form's own content."""
    return lint_form(items, rng=np.random.default_rng(int(items_digest(items)[:16], 16)), alike=alike)


def linted_form(form: Form) -> FormLint:
    """Lint a form's questions without its twins, which repeat them on purpose."""
    items = [each.item for each in form.questions if each.twin is None and each.item.options]
    return linted(items, alike=False)


def _cells(seed: str, data: Content, wanted: FormRequest) -> tuple[Cell, ...]:
    if wanted.plan == "bundles":
        return bundles(wanted.concepts)
    return ladder(
        seed,
        data.concepts,
        data.recipes,
        size=wanted.questions,
        levels=wanted.levels,
        rungs=wanted.rungs,
    )


def _form_seed(seed: str, retry: int) -> str:
    """Return the seed of the form that is drawn after so many others of a seed were rejected."""
    return f"{GENERATOR}/{seed}/{retry}"
