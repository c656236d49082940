"""The names of models and the statuses of samples on a board."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.model import Model
from assay.ranking.board.measured import Status
from assay.runs.watch.history import IMPORTED
from assay.store.boards import BoardSample

UNNAMED_GEVAL = "geval"
"""The name of the judge of an imported G-Eval, which the file does not give."""


def shown(name: str) -> str:
    """Return a model's name as boards show it: without the provider `imported`."""
    return name.removeprefix(f"{IMPORTED}/")


def geval_by(judge: str) -> str:
    """Return the judge of a G-Eval in words, since imported files do not name it."""
    return "a judge that the imported file does not name" if judge == UNNAMED_GEVAL else judge


def plain_model(name: str) -> Model:
    """Return a model of which only its name on the board is known."""
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream) if upstream else Model(IMPORTED, name)


def named(models: Mapping[int, Model]) -> dict[int, str]:
    """Return the name of each model row; models of one name get part of their fingerprint."""
    plain = {row: shown(model.name) for row, model in models.items()}
    names = list(plain.values())
    return {
        row: plain[row] if names.count(plain[row]) == 1 else f"{plain[row]} ({model.fingerprint[:6]})"
        for row, model in models.items()
    }


def sample_status(sample: BoardSample) -> Status:
    """Return the status of a stored sample; an answer without a score is ungraded."""
    if sample.status == "error":
        return Status.ERROR
    if sample.status == "invalid":
        return Status.INVALID
    return Status.OK if sample.scored else Status.UNGRADED


def is_truncated(sample: BoardSample) -> bool:
    """Return whether an answer is invalid because hidden reasoning used up its output budget."""
    return sample.status == "invalid" and "token limit" in (sample.error or "")
