"""Whether judges prefer answers of their own model, and of their own family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.model import Model
from assay.grading.model_family import family, same_model
from assay.stats.judge_bias import Preference, own_preference
from assay.stats.resample import BootstrapDraws
from assay.studies.marks import FloatArray, MarkMatrix

Kin = Callable[[Model, Model], bool]
ByJudge = dict[str, Preference]


def own_preferences(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[ByJudge, ByJudge]:
    """Return each judge's preference for its own model, and for its family, itself included.

    Only judges that marked such an answer, which another judge marked too, are in them.
    """
    models = sorted({answer.model for answer in marks.answers if answer.model is not None})
    if len(models) < 2:
        return {}, {}
    table = _by_model(marks, models)
    return (
        _preferences(marks, models, table, same_model, draws),
        _preferences(marks, models, table, _related, draws),
    )


def _related(judge: Model, model: Model) -> bool:
    kin = family(judge)
    return same_model(judge, model) or (kin is not None and kin == family(model))


def _by_model(marks: MarkMatrix, models: list[str]) -> FloatArray:
    """Return marks of shape (models, items, judges), the mean over a model's answers to an item."""
    at_model = {model: place for place, model in enumerate(models)}
    at_item: dict[str, int] = {}
    cells = [
        (at_model[answer.model], at_item.setdefault(answer.item, len(at_item)), place)
        for place, answer in enumerate(marks.answers)
        if answer.model is not None
    ]
    rows, columns, places = (np.array(part, dtype=np.int64) for part in zip(*cells, strict=True))
    total = np.zeros((len(models), len(at_item), len(marks.judges)))
    count = np.zeros_like(total)
    given = marks.table[:, places].T
    np.add.at(total, (rows, columns), np.where(np.isnan(given), 0.0, given))
    np.add.at(count, (rows, columns), ~np.isnan(given))
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _preferences(
    marks: MarkMatrix, models: list[str], table: FloatArray, kin: Kin, draws: BootstrapDraws | None
) -> ByJudge:
    own = np.array(
        [[kin(marks.models[judge], marks.models[model]) for judge in marks.judges] for model in models]
    )
    found = {
        judge: own_preference(table, own, place, draws)
        for place, judge in enumerate(marks.judges)
        if own[:, place].any()
    }
    return {judge: each for judge, each in found.items() if each.excess.value is not None}
