"""The source of a board: a stored suite, the run of each ranked model, and the models that are not ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.results.ranking import Excluded, NotRanked
from assay.runs.board.candidates import BoardConditions, ModelRun, find_candidates, select_runs
from assay.runs.board.names import named, shown
from assay.store.boards import BoardSample, board_samples
from assay.store.runs import StoredRun, read_run
from assay.store.suites import find_digest, read_suite

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class BoardSource:
    """The runs of a suite that count. `chosen` has the run of each model row; `stored` are these runs.

    All of them were sampled and marked under `conditions`. `newer` has a remark for each newer run of a model
    that does not count.
    """

    suite: Suite
    chosen: Mapping[int, int]
    stored: tuple[StoredRun, ...]
    excluded: tuple[Excluded, ...]
    conditions: BoardConditions = BoardConditions()
    not_ranked: tuple[NotRanked, ...] = ()
    newer: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[int, ...]:
        """The numbers of the runs that count."""
        return tuple(run.id for run in self.stored)

    @property
    def models(self) -> dict[int, Model]:
        """The models that count, by row."""
        return {
            row: model for run in self.stored for row, model in run.models if self.chosen.get(row) == run.id
        }

    @property
    def rows(self) -> list[int]:
        """The models' rows in the order of their names on the board."""
        names = self.names
        return sorted(names, key=names.__getitem__)

    @property
    def names(self) -> dict[int, str]:
        """The names of the models on the board, by row."""
        return named(self.models)

    @property
    def simulated(self) -> bool:
        """Whether a run that counts was simulated."""
        return any(run.simulated for run in self.stored)

    def samples(self, engine: Engine) -> list[BoardSample]:
        """Return the samples that count."""
        samples = board_samples(engine, self.runs)
        return [sample for sample in samples if self.chosen.get(sample.model) == sample.run]

    def stopped(self) -> list[str]:
        """Return a remark for each run that did not finish.

        The reason is left out if the suite is private, because a provider's message can quote a question.
        """
        return [
            f"run {run.id} {run.status}{self._reason(run)}" for run in self.stored if run.status != "finished"
        ]

    def _reason(self, run: StoredRun) -> str:
        if run.reason is None:
            return ""
        if self.suite.visibility == "private":
            return f" (the suite is private: `assay show {run.id}` shows the reason)"
        return f": {run.reason}"


def find_suite(engine: Engine, name: str, version: str | None, among: Sequence[int] | None) -> Suite:
    """Return a stored suite; NotFound without one, InvalidInput if a run of `among` is of another suite."""
    digest = find_digest(engine, name, version)
    suite = read_suite(engine, digest)
    for number in among or ():
        if read_run(engine, number).suite != digest:
            raise InvalidInput(f"run {number} is not of suite {suite.name!r} {suite.version}")
    return suite


def find_runs(
    engine: Engine,
    suite: Suite,
    *,
    among: Sequence[int] | None = None,
    exclude: Mapping[str, str] | None = None,
    judges: Sequence[str] = (),
    geval: str | None = None,
) -> BoardSource:
    """Return the newest complete run of each model under the conditions that most models share.

    `judges` and `geval` name other judges than those of most models. `exclude` has the names of models that
    do not count, with the reason; all of these are listed. NotFound if no model can be ranked, InvalidInput
    for a judge without marks.
    """
    reasons = exclude or {}
    everything = find_candidates(engine, suite, among)
    candidates = [candidate for candidate in everything if candidate.model.name not in reasons]
    excluded = tuple(
        Excluded(shown(name), reason, _newest(everything, name)) for name, reason in sorted(reasons.items())
    )
    if not candidates:
        raise NotFound(_explain_no_candidates(suite, [model for model in excluded if model.runs]))
    _check_judges(candidates, judges, geval)
    selection = select_runs(candidates, suite, judges=judges, geval=geval)
    names = named({candidate.row: candidate.model for candidate in candidates})
    not_ranked = tuple(
        NotRanked(names[candidate.row], candidate.run.id, lacks) for candidate, lacks in selection.not_ranked
    )
    if not selection.runs:
        raise NotFound(_explain_none_ranked(suite, not_ranked))
    counting = sorted(set(selection.runs.values()))
    return BoardSource(
        suite,
        selection.runs,
        tuple(read_run(engine, number) for number in counting),
        excluded,
        selection.conditions,
        tuple(sorted(not_ranked, key=lambda lacking: lacking.model)),
        tuple(
            f"{names[candidate.row]}: run {candidate.run.id} is newer and does not count: {lacks[0].reason}"
            for candidate, lacks in selection.newer
        ),
    )


def _newest(candidates: Sequence[ModelRun], name: str) -> tuple[int, ...]:
    """Return the newest run of each row of a model."""
    newest: dict[int, int] = {}
    for candidate in candidates:
        if candidate.model.name == name:
            newest.setdefault(candidate.row, candidate.run.id)
    return tuple(sorted(set(newest.values())))


def _check_judges(candidates: Sequence[ModelRun], judges: Sequence[str], geval: str | None) -> None:
    marked = sorted({judge for candidate in candidates for judge in candidate.marked})
    metered = sorted({judge for candidate in candidates for judge in candidate.metered})
    for judge in judges:
        if judge not in marked:
            raise InvalidInput(
                f"judge {judge!r} gave no marks here: use one of {', '.join(marked) or 'none'}"
            )
    if geval is not None and geval not in metered:
        raise InvalidInput(f"judge {geval!r} gave no G-Eval here: use one of {', '.join(metered) or 'none'}")


def _explain_none_ranked(suite: Suite, not_ranked: Sequence[NotRanked]) -> str:
    reasons = "; ".join(
        f"{lacking.model}: {lacking.reasons[0].reason} (`{lacking.reasons[0].command}`)"
        for lacking in not_ranked[:MOST_NAMED]
    )
    more = f"; and {len(not_ranked) - MOST_NAMED} more" if len(not_ranked) > MOST_NAMED else ""
    return (
        f"no run of suite {suite.name!r} {suite.version} can be ranked, because every case and the board's "
        f"judges are needed: {reasons}{more}"
    )


def _explain_no_candidates(suite: Suite, excluded: Sequence[Excluded]) -> str:
    if excluded:
        reasons = "; ".join(f"{model.model}: {model.reason}" for model in excluded)
        return (
            f"every model that was measured with suite {suite.name!r} {suite.version} is excluded from it in "
            f"the workspace ({reasons}): measure another model, or remove an exclusion"
        )
    return (
        f"nothing was measured with suite {suite.name!r} {suite.version} yet: "
        f"run `assay run {suite.name} --model PROVIDER/MODEL`"
    )
