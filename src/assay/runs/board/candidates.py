"""Selecting the runs that a board ranks together: complete ones, under the conditions of most models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Engine

from assay.core.model import Model
from assay.core.people import is_human
from assay.core.suite import Suite
from assay.grading.geval_library import METRICS
from assay.grading.model_family import excluded
from assay.results.ranking import Lack
from assay.runs.board.names import plain_model, shown
from assay.runs.plan import Plan, stored_plan
from assay.store.boards import CaseSamples, case_samples, judge_marks
from assay.store.runs import StoredRun, read_run

KINDS = ("run", "import", "watch")
MOST_LACKING = 0.2
"""The largest share of errored samples in a ranked run, and of answers that a judge may leave unmarked."""


@dataclass(frozen=True, slots=True)
class BoardConditions:
    """The conditions of sampling and marking. Only runs with equal conditions are ranked together.

    `panel` has the judges by their names on the board, `geval` the judge of G-Eval (None without one).
    `sampling` is the source of the parameters, `flags` whether judges saw the automatic checks' flags.
    """

    panel: frozenset[str] = frozenset()
    geval: str | None = None
    sampling: str = "suite"
    flags: bool = True


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One model's samples in one run.

    `cases` counts the samples of each case, by its ordinal. `marked` counts the visible answers that each
    judge of the panel marked, `metered` those that each judge of G-Eval marked.
    """

    row: int
    model: Model
    run: StoredRun
    cases: Mapping[int, CaseSamples]
    marked: Mapping[str, int]
    metered: Mapping[str, int]

    @property
    def answered(self) -> int:
        """The number of visible answers."""
        return sum(samples.answers for samples in self.cases.values())

    def incomplete(self, suite: Suite) -> Lack | None:
        """Return the reason why the run lacks cases or epochs or has many errors; None if it is complete."""
        number, cases = self.run.id, len(suite.cases)
        again = f"assay run {suite.name} --model {self.model.name}"
        resume = "import the whole file" if self.run.kind == "import" else f"assay resume {number}"
        chosen = self.run.plan.get("chosen")
        if chosen is not None and len(chosen) < cases:
            return Lack(f"run {number} asked for {len(chosen)} of {cases} cases", again)
        if self.run.plan.get("adaptive") and self._plan(suite).partial:
            return Lack(
                f"run {number} is adaptive: it leaves out samples of models that are decided early",
                f"assay resume {number} --complete",
            )
        planned = self._planned(suite)
        finished = sum(min(case.samples, planned[ordinal]) for ordinal, case in self.cases.items())
        if finished < sum(planned.values()):
            return Lack(f"run {number} has {finished} of {sum(planned.values())} samples", resume)
        samples = sum(case.samples for case in self.cases.values())
        errors = sum(case.errors for case in self.cases.values())
        if errors > MOST_LACKING * samples:
            return Lack(f"{errors} of {samples} samples of run {number} errored", resume)
        return None

    def _plan(self, suite: Suite) -> Plan:
        return stored_plan(suite, [model for _, model in self.run.models], self.run.plan)

    def _planned(self, suite: Suite) -> dict[int, int]:
        """Return the planned number of samples of each case; at least one in an imported table."""
        epochs = self.run.plan.get("epochs") or {}
        return {ordinal: int(epochs.get(case.use_case, 1)) for ordinal, case in enumerate(suite.cases)}

    @property
    def conditions(self) -> BoardConditions:
        """The conditions of the model's samples, with the judges that marked enough of its answers."""
        enough = self._enough
        panel = {judge for judge, count in self.marked.items() if count >= enough} | self._barred_judges()
        planned = shown(str(self._panel.get("geval")))
        return BoardConditions(
            frozenset(panel),
            max(
                (judge for judge, count in self.metered.items() if count >= enough),
                key=lambda judge: (judge == planned, self.metered[judge], judge),
                default=None,
            ),
            str(self.run.plan.get("sampling", "suite")),
            bool(self._panel.get("flags", True)),
        )

    def differences(self, board: BoardConditions, suite: Suite) -> Iterator[Lack]:
        """Yield the reasons why the run cannot be ranked under a board's conditions."""
        own, number = self.conditions, self.run.id
        again = f"assay run {suite.name} --model {self.model.name}"
        if own.sampling != board.sampling:
            sampling = "" if board.sampling == "suite" else f" --sampling {board.sampling}"
            yield Lack(
                f"run {number} was sampled with {own.sampling} parameters, the board's runs with "
                f"{board.sampling} parameters",
                again + sampling,
            )
        if own.flags != board.flags and own.panel:
            seen = "shown" if own.flags else "not shown"
            withhold = "" if board.flags else " --withhold-flags"
            yield Lack(
                f"the judges of run {number} were {seen} the automatic checks' flags", again + withhold
            )
        planned = set(map(shown, self._panel.get("judges", ())))
        for judge in sorted(board.panel - own.panel):
            count = self.marked.get(judge, 0)
            grade = "--only ungraded" if judge in planned else f"--judge {judge}"
            yield Lack(
                f"{judge} marked {count} of {self.answered} answers of run {number}",
                f"assay grade {number} {grade}",
            )
        if board.geval is not None and self.metered.get(board.geval, 0) < self._enough:
            by = f"by {own.geval}" if own.geval else "missing"
            yield Lack(
                f"the G-Eval of run {number} is {by}, the board's is by {board.geval}",
                f"assay grade {number} --geval-judge {board.geval}",
            )

    @property
    def _enough(self) -> float:
        """The number of answers that a judge must have marked to count as one of the model's judges."""
        return max(1.0, (1.0 - MOST_LACKING) * self.answered)

    @property
    def _panel(self) -> Mapping[str, Any]:
        panel: Mapping[str, Any] = self.run.plan.get("panel") or {}
        return panel

    def _barred_judges(self) -> set[str]:
        """Return the planned judges that may not mark this model; a single judge marks its own model."""
        planned = [shown(name) for name in self._panel.get("judges", ())]
        if len(planned) < 2:
            return set()
        known = {shown(model.name): model for _, model in self.run.judges}
        exclude = self._panel.get("exclude", "self")
        return {name for name in planned if excluded(known.get(name, plain_model(name)), self.model, exclude)}


def find_candidates(engine: Engine, suite: Suite, among: Sequence[int] | None) -> list[ModelRun]:
    """Return every model's samples in every run of a suite, the newest run first."""
    by_run: dict[tuple[int, int], dict[int, CaseSamples]] = {}
    for samples in case_samples(engine, suite.digest, KINDS, among=among):
        by_run.setdefault((samples.run, samples.model), {})[samples.case_ordinal] = samples
    stored = {number: read_run(engine, number) for number in sorted({number for number, _ in by_run})}
    models = {number: dict(run.models) for number, run in stored.items()}
    marked: dict[tuple[int, int], Counter[str]] = {key: Counter() for key in by_run}
    metered: dict[tuple[int, int], Counter[str]] = {key: Counter() for key in by_run}
    for mark in judge_marks(engine, sorted(stored)):
        if is_human(mark.judge):
            continue  # people mark some answers, beside the panel
        counts = (metered if mark.metric in METRICS else marked)[mark.run, mark.model]
        judge = shown(mark.judge)
        counts[judge] = max(counts[judge], mark.marked)
    return [
        ModelRun(row, models[run][row], stored[run], cases, marked[run, row], metered[run, row])
        for (run, row), cases in sorted(by_run.items(), reverse=True)
        if row in models[run]
    ]


@dataclass(frozen=True, slots=True)
class Selection:
    """The ranked run of each model row, and their common conditions.

    `not_ranked` has one run of each other model, `newer` the newer runs of ranked models, with the reasons.
    """

    conditions: BoardConditions
    runs: Mapping[int, int]
    not_ranked: tuple[tuple[ModelRun, tuple[Lack, ...]], ...]
    newer: tuple[tuple[ModelRun, tuple[Lack, ...]], ...]


def select_runs(
    candidates: Sequence[ModelRun], suite: Suite, *, judges: Sequence[str] = (), geval: str | None = None
) -> Selection:
    """Choose for each model its newest complete run under the board's conditions.

    `candidates` start with the newest run. The conditions are those of the newest complete runs of most
    models (of the newest run if equally many have others); `judges` and `geval` name other judges. A run
    with further judges besides the board's panel counts, since each judge marks alone.
    """
    conditions = _conditions(candidates, suite, judges, geval)
    lacking: dict[int, list[tuple[ModelRun, tuple[Lack, ...]]]] = {}
    chosen: dict[int, int] = {}
    newer = []
    for candidate in candidates:
        if candidate.row in chosen:
            continue
        incomplete = candidate.incomplete(suite)
        lacks = (incomplete,) if incomplete else tuple(candidate.differences(conditions, suite))
        if lacks:
            lacking.setdefault(candidate.row, []).append((candidate, lacks))
        else:
            chosen[candidate.row] = candidate.run.id
            newer += lacking.pop(candidate.row, [])
    not_ranked = tuple(
        next((pair for pair in pairs if pair[0].incomplete(suite) is None), pairs[0])
        for pairs in lacking.values()
    )
    return Selection(conditions, chosen, not_ranked, tuple(newer))


def _conditions(
    candidates: Sequence[ModelRun], suite: Suite, judges: Sequence[str], geval: str | None
) -> BoardConditions:
    """Return the conditions that most models share, with the named judges if there are any."""
    newest: dict[int, BoardConditions] = {}
    for candidate in candidates:
        conditions = candidate.conditions
        fits = conditions.panel.issuperset(judges) and (geval is None or geval in candidate.metered)
        if candidate.row not in newest and fits and candidate.incomplete(suite) is None:
            newest[candidate.row] = conditions
    votes = list(newest.values())
    judged = [conditions for conditions in votes if conditions.panel or conditions.geval] or votes
    most = max(judged, key=judged.count, default=BoardConditions())
    return replace(most, panel=frozenset(judges) or most.panel, geval=geval or most.geval)
