"""What every board is read from: a stored suite, the run of each model that is ranked, who is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.runs.boards.candidates import Candidate, Conditions, Lack, find_candidates, select_runs
from assay.runs.boards.names import named, shown
from assay.store.boards import BoardSample, board_samples
from assay.store.runs import StoredRun, read_run
from assay.store.suites import find_digest, read_suite

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Excluded:
    """A model that the workspace excludes from a suite, with the reason; `runs` measured it all the same."""

    model: str
    reason: str
    runs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotRanked:
    """A model none of whose runs can be ranked: the nearest one, and why not, with the command that helps."""

    model: str
    run: int
    lacks: tuple[Lack, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A suite's runs that count. `chosen` gives each model row its run; `stored` are these runs.

    All of them were sampled and marked under `conditions`. `newer` has a line for each newer run of a model
    that does not count.
    """

    suite: Suite
    chosen: Mapping[int, int]
    stored: tuple[StoredRun, ...]
    excluded: tuple[Excluded, ...]
    conditions: Conditions = Conditions()
    not_ranked: tuple[NotRanked, ...] = ()
    newer: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[int, ...]:
        """The numbers of the runs that count."""
        return tuple(run.id for run in self.stored)

    @property
    def models(self) -> dict[int, Model]:
        """Each model that counts, by its row."""
        return {
            row: model for run in self.stored for row, model in run.models if self.chosen.get(row) == run.id
        }

    @property
    def rows(self) -> list[int]:
        """The models' rows in the order of the names that the board shows."""
        names = self.names
        return sorted(names, key=names.__getitem__)

    @property
    def names(self) -> dict[int, str]:
        """What the board calls each model row."""
        return named(self.models)

    @property
    def simulated(self) -> bool:
        """Whether some run that counts was simulated."""
        return any(run.simulated for run in self.stored)

    def samples(self, engine: Engine) -> list[BoardSample]:
        """Return the samples that count."""
        return [each for each in board_samples(engine, self.runs) if self.chosen.get(each.model) == each.run]

    def stopped(self) -> list[str]:
        """Return a line for each run that did not finish.

        Why one of a private suite stopped is not told: a provider's words can quote what it was asked.
        """
        return [
            f"run {run.id} {run.status}{self._why(run)}" for run in self.stored if run.status != "finished"
        ]

    def _why(self, run: StoredRun) -> str:
        if run.reason is None:
            return ""
        if self.suite.visibility == "private":
            return f" (the suite is private: `assay show {run.id}` says why)"
        return f": {run.reason}"


def find_suite(engine: Engine, name: str, version: str | None, among: Sequence[int] | None) -> Suite:
    """Return a stored suite; NotFound without one, InvalidInput where one of `among` is no run of it."""
    digest = find_digest(engine, name, version)
    suite = read_suite(engine, digest)
    for number in among or ():
        if read_run(engine, number).suite != digest:
            raise InvalidInput(f"run {number} is not one of suite {suite.name!r} {suite.version}")
    return suite


def find_runs(
    engine: Engine,
    suite: Suite,
    *,
    among: Sequence[int] | None = None,
    exclude: Mapping[str, str] | None = None,
    judges: Sequence[str] = (),
    geval: str | None = None,
) -> Source:
    """Return the newest complete run of each model under the conditions that most models share.

    `judges` and `geval` name other ones than most have. `exclude` gives the names of models that do not
    count, with the reason; all of these are listed. NotFound when nothing that counts can be ranked,
    InvalidInput for a judge without marks.
    """
    reasons = exclude or {}
    candidates = find_candidates(engine, suite, among)
    kept = [each for each in candidates if each.model.name not in reasons]
    excluded = tuple(
        Excluded(shown(name), reason, _newest(candidates, name)) for name, reason in sorted(reasons.items())
    )
    if not kept:
        raise NotFound(_nothing(suite, [each for each in excluded if each.runs]))
    _check_judges(kept, judges, geval)
    selection = select_runs(kept, suite, judges=judges, geval=geval)
    names = named({each.row: each.model for each in kept})
    not_ranked = tuple(NotRanked(names[each.row], each.run.id, lacks) for each, lacks in selection.not_ranked)
    if not selection.runs:
        raise NotFound(_none_ranked(suite, not_ranked))
    counting = sorted(set(selection.runs.values()))
    return Source(
        suite,
        selection.runs,
        tuple(read_run(engine, number) for number in counting),
        excluded,
        selection.conditions,
        tuple(sorted(not_ranked, key=lambda each: each.model)),
        tuple(
            f"{names[each.row]}: run {each.run.id} is newer and does not count: {lacks[0].reason}"
            for each, lacks in selection.newer
        ),
    )


def _newest(candidates: Sequence[Candidate], name: str) -> tuple[int, ...]:
    """Return the newest run of each of a model's rows."""
    newest: dict[int, int] = {}
    for each in candidates:
        if each.model.name == name:
            newest.setdefault(each.row, each.run.id)
    return tuple(sorted(set(newest.values())))


def _check_judges(candidates: Sequence[Candidate], judges: Sequence[str], geval: str | None) -> None:
    marked = sorted({judge for each in candidates for judge in each.marked})
    metered = sorted({judge for each in candidates for judge in each.metered})
    for judge in judges:
        if judge not in marked:
            raise InvalidInput(f"judge {judge!r} gave no marks here: there are {', '.join(marked) or 'none'}")
    if geval is not None and geval not in metered:
        raise InvalidInput(f"judge {geval!r} gave no G-Eval here: there are {', '.join(metered) or 'none'}")


def _none_ranked(suite: Suite, not_ranked: Sequence[NotRanked]) -> str:
    told = "; ".join(
        f"{each.model}: {each.lacks[0].reason} (`{each.lacks[0].command}`)"
        for each in not_ranked[:MOST_NAMED]
    )
    more = f"; and {len(not_ranked) - MOST_NAMED} more" if len(not_ranked) > MOST_NAMED else ""
    return (
        f"no run of suite {suite.name!r} {suite.version} can be ranked, as that takes every case and the "
        f"board's judges: {told}{more}"
    )


def _nothing(suite: Suite, excluded: Sequence[Excluded]) -> str:
    if excluded:
        told = "; ".join(f"{each.model}: {each.reason}" for each in excluded)
        return (
            f"every model that was measured with suite {suite.name!r} {suite.version} is excluded from it in "
            f"the workspace ({told}): measure another, or take an exclusion out"
        )
    return (
        f"nothing was measured with suite {suite.name!r} {suite.version} yet: "
        f"`assay run {suite.name} --model PROVIDER/MODEL` begins"
    )
