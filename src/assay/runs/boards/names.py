"""What a board calls its models, and what became of a sample in its words."""

from __future__ import annotations

from collections.abc import Mapping

from assay.core.model import Model
from assay.ranking.measured import Status
from assay.runs.history import IMPORTED
from assay.store.boards import BoardSample

UNNAMED_GEVAL = "geval"
"""What the judge of imported G-Eval is called, whose name the file does not give."""


def shown(name: str) -> str:
    """Return a name without the provider of imported models, which is nobody."""
    return name.removeprefix(f"{IMPORTED}/")


def geval_by(judge: str) -> str:
    """Return whose G-Eval it is in words; imported files do not name its judge."""
    return "a judge that the imported file does not name" if judge == UNNAMED_GEVAL else judge


def plain_model(name: str) -> Model:
    """Return a model of which only the name that the board shows is known."""
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream) if upstream else Model(IMPORTED, name)


def named(models: Mapping[int, Model]) -> dict[int, str]:
    """Return a name for each model row; settings of one model that differ get their fingerprint's start."""
    plain = {row: shown(model.name) for row, model in models.items()}
    names = list(plain.values())
    return {
        row: plain[row] if names.count(plain[row]) == 1 else f"{plain[row]} ({model.fingerprint[:6]})"
        for row, model in models.items()
    }


def sample_status(sample: BoardSample) -> Status:
    """Return what became of a stored sample; an answer without a score is ungraded."""
    if sample.status == "error":
        return Status.ERROR
    if sample.status == "invalid":
        return Status.INVALID
    return Status.OK if sample.scored else Status.UNGRADED


def is_truncated(sample: BoardSample) -> bool:
    """Return whether an invalid answer's output budget went into hidden reasoning."""
    return sample.status == "invalid" and "token limit" in (sample.error or "")
