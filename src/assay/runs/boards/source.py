"""What every board is read from: a stored suite, the newest run of each model, and who is excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.runs.boards.names import named, shown
from assay.store.boards import BoardSample, board_samples, latest_runs
from assay.store.runs import StoredRun, read_run
from assay.store.suites import find_digest, read_suite

KINDS = ("run", "import", "watch")


@dataclass(frozen=True, slots=True)
class Excluded:
    """A model that the workspace excludes from a suite, with the reason; `runs` measured it all the same."""

    model: str
    reason: str
    runs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A suite's runs that count. `chosen` gives each model row its run; `stored` are these runs."""

    suite: Suite
    chosen: Mapping[int, int]
    stored: tuple[StoredRun, ...]
    excluded: tuple[Excluded, ...]

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
) -> Source:
    """Return the newest run of each model, a finished one before others.

    `exclude` gives the names of models that do not count, with the reason; all of these are listed. NotFound
    when nothing that counts was measured.
    """
    reasons = exclude or {}
    found = latest_runs(engine, suite.digest, KINDS, among=among)
    stored = [read_run(engine, number) for number in sorted(set(found.values()))]
    models = {row: model for run in stored for row, model in run.models}
    chosen = {row: run for row, run in found.items() if models[row].name not in reasons}
    excluded = tuple(
        Excluded(
            shown(name),
            reason,
            tuple(sorted({run for row, run in found.items() if models[row].name == name})),
        )
        for name, reason in sorted(reasons.items())
    )
    if not chosen:
        raise NotFound(_nothing(suite, [each for each in excluded if each.runs]))
    counting = set(chosen.values())
    return Source(suite, chosen, tuple(run for run in stored if run.id in counting), excluded)


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
