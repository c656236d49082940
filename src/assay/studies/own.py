"""Self-preference of judges: for answers of their own model, and of their own family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.model import Model
from assay.grading.model_family import family, same_model
from assay.stats.judge_bias import Preference, own_preference
from assay.stats.resample import BootstrapDraws
from assay.studies.marks import FloatArray, MarkMatrix

Related = Callable[[Model, Model], bool]
ByJudge = dict[str, Preference]


def own_preferences(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[ByJudge, ByJudge]:
    """Return each judge's preference for its own model, and for its family (which includes the model).

    The results have only judges that marked such an answer which another judge marked too.
    """
    models = sorted({answer.model for answer in marks.answers if answer.model is not None})
    if len(models) < 2:
        return {}, {}
    table = _by_model(marks, models)
    return (
        _preferences(marks, models, table, same_model, draws),
        _preferences(marks, models, table, _same_family, draws),
    )


def _same_family(judge: Model, model: Model) -> bool:
    judge_family = family(judge)
    return same_model(judge, model) or (judge_family is not None and judge_family == family(model))


def _by_model(marks: MarkMatrix, models: list[str]) -> FloatArray:
    """Return mean marks of shape (models, items, judges), over a model's answers to an item."""
    model_number = {model: number for number, model in enumerate(models)}
    item_number: dict[str, int] = {}
    cells = [
        (model_number[answer.model], item_number.setdefault(answer.item, len(item_number)), column)
        for column, answer in enumerate(marks.answers)
        if answer.model is not None
    ]
    of_model, of_item, columns = (np.array(part, dtype=np.int64) for part in zip(*cells, strict=True))
    total = np.zeros((len(models), len(item_number), len(marks.judges)))
    count = np.zeros_like(total)
    values = marks.table[:, columns].T
    np.add.at(total, (of_model, of_item), np.where(np.isnan(values), 0.0, values))
    np.add.at(count, (of_model, of_item), ~np.isnan(values))
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _preferences(
    marks: MarkMatrix, models: list[str], table: FloatArray, related: Related, draws: BootstrapDraws | None
) -> ByJudge:
    own = np.array(
        [[related(marks.models[judge], marks.models[model]) for judge in marks.judges] for model in models]
    )
    preferences = {
        judge: own_preference(table, own, number, draws)
        for number, judge in enumerate(marks.judges)
        if own[:, number].any()
    }
    return {judge: known for judge, known in preferences.items() if known.excess.value is not None}
