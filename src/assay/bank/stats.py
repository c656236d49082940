"""The bank's contents by source and discipline (seed 003, tables 5 and 6), and a preview of a draw."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sqlalchemy import Engine

from assay.core.question import SourceKind
from assay.questions.draw import allocation
from assay.questions.taxonomy import disciplines
from assay.results.bank import (
    BankDraw,
    BankStats,
    DisciplineGrowth,
    Growth,
    ServedQuestion,
    SourceShare,
)
from assay.store.bank.changes import current_revision
from assay.store.bank.counts import QuestionCount, count_duplicates, count_held, count_kinds, count_states
from assay.store.bank.draw import Eligibility, draw
from assay.store.bank.questions import questions_by_id
from assay.store.bank.units import count_units
from assay.store.engine import reading


def bank_stats(engine: Engine) -> BankStats:
    """Return the numbers of questions in the bank."""
    held = count_held(engine)
    names = {discipline.code: discipline.english for discipline in disciplines()}
    growths = sorted(
        (
            DisciplineGrowth(names.get(code, code), _growth(part for part in held if part.discipline == code))
            for code in dict.fromkeys(part.discipline for part in held)
        ),
        key=lambda grown: (-(grown.growth.percentage or 0.0), grown.discipline),
    )
    return BankStats(
        sources=by_source(held),
        disciplines=tuple(growths),
        total=_growth(held),
        kinds=count_kinds(engine),
        states=count_states(engine),
        held=sum(part.originals + part.variants for part in held),
        synthetic=sum(part.synthetic for part in held),
        near_duplicates=count_duplicates(engine),
    )


def by_source(held: Iterable[QuestionCount]) -> tuple[SourceShare, ...]:
    """Return the numbers and shares of each kind of source that has questions."""
    parts = list(held)
    whole = _growth(parts)
    kinds = [(kind, _growth(part for part in parts if part.source == kind.value)) for kind in SourceKind]
    return tuple(
        SourceShare(
            kind,
            grown.original,
            _share(grown.original, whole.original),
            grown.rewritten,
            _share(grown.rewritten, whole.rewritten),
        )
        for kind, grown in kinds
        if grown.original or grown.rewritten
    )


def preview_draw(engine: Engine, *, n: int | None, seed: int, written: str) -> BankDraw:
    """Return the questions that an exam with this seed would draw; nothing is changed.

    `written` is the allocation. Raises InvalidInput for an invalid allocation, Conflict if the bank has too
    few questions.
    """
    with reading(engine) as connection:
        revision = current_revision(connection)
        counts = allocation(written, n, sizes=count_units(connection))
        drawn = draw(connection, counts, np.random.default_rng(seed), Eligibility())
    stored = questions_by_id(engine, [item.question for item in drawn])
    served = tuple(
        ServedQuestion(position, stored[item.question].version, stored[item.question].question)
        for position, item in enumerate(drawn)
    )
    return BankDraw(seed, revision, counts, served)


def _growth(held: Iterable[QuestionCount]) -> Growth:
    parts = list(held)
    original = sum(part.originals for part in parts)
    return Growth(original, original + sum(part.variants - part.expanded for part in parts))


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
