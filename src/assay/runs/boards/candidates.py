"""Which runs a board can rank together: complete ones, under the conditions that most models share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Engine

from assay.core.model import Model
from assay.core.suite import Suite
from assay.grading.geval_steps import METRICS
from assay.grading.kinship import excluded
from assay.runs.boards.names import plain_model, shown
from assay.store.boards import CaseSamples, case_samples, judge_marks
from assay.store.runs import StoredRun, read_run

KINDS = ("run", "import", "watch")
MOST_LACKING = 0.2
"""A run in which a larger share of a model's samples errored is not ranked; nor is a judge on the panel of a
model that left a larger share of its answers without a mark."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What answers were sampled and marked under; only what was done under the same is ranked together.

    `panel` are the judges by the names that the board shows, `geval` the judge of G-Eval (None for none);
    `sampling` says whose parameters held, `flags` whether judges saw what the automatic checks flagged.
    """

    panel: frozenset[str] = frozenset()
    geval: str | None = None
    sampling: str = "suite"
    flags: bool = True


class Lack(NamedTuple):
    """Why a model's run cannot be ranked, and the command that mends it."""

    reason: str
    command: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One model's samples in one run.

    `cases` gives what there is of each case, by its ordinal. `marked` is how many visible answers each judge
    of the panel marked, `metered` how many each judge of G-Eval did.
    """

    row: int
    model: Model
    run: StoredRun
    cases: Mapping[int, CaseSamples]
    marked: Mapping[str, int]
    metered: Mapping[str, int]

    @property
    def answered(self) -> int:
        """How many visible answers there are."""
        return sum(each.answers for each in self.cases.values())

    def incomplete(self, suite: Suite) -> Lack | None:
        """Return what the run lacks of the suite's cases and the planned epochs; None when it is complete."""
        number, cases = self.run.id, len(suite.cases)
        again = f"assay run {suite.name} --model {self.model.name}"
        resume = "import the whole file" if self.run.kind == "import" else f"assay resume {number}"
        chosen = self.run.plan.get("chosen")
        if chosen is not None and len(chosen) < cases:
            return Lack(f"run {number} asked for {len(chosen)} of {cases} cases", again)
        planned = self._planned(suite)
        there = sum(min(each.samples, planned[place]) for place, each in self.cases.items())
        if there < sum(planned.values()):
            return Lack(f"run {number} has {there} of {sum(planned.values())} samples", resume)
        samples = sum(each.samples for each in self.cases.values())
        errors = sum(each.errors for each in self.cases.values())
        if errors > MOST_LACKING * samples:
            return Lack(f"{errors} of {samples} samples of run {number} errored", resume)
        return None

    def _planned(self, suite: Suite) -> dict[int, int]:
        """Return how many samples each case was to have; an imported table has one of each at least."""
        epochs = self.run.plan.get("epochs") or {}
        return {place: int(epochs.get(case.use_case, 1)) for place, case in enumerate(suite.cases)}

    @property
    def conditions(self) -> Conditions:
        """What the model was measured under, by the judges that marked enough of its answers."""
        enough = self._enough
        panel = {judge for judge, count in self.marked.items() if count >= enough} | self._own()
        told = self._panel.get("geval")
        return Conditions(
            frozenset(panel),
            max(
                (judge for judge, count in self.metered.items() if count >= enough),
                key=lambda judge: (judge == shown(str(told)), self.metered[judge], judge),
                default=None,
            ),
            str(self.run.plan.get("sampling", "suite")),
            bool(self._panel.get("flags", True)),
        )

    def differences(self, board: Conditions, suite: Suite) -> Iterator[Lack]:
        """Yield what keeps the run from being ranked under a board's conditions."""
        mine, number = self.conditions, self.run.id
        again = f"assay run {suite.name} --model {self.model.name}"
        if mine.sampling != board.sampling:
            sampling = "" if board.sampling == "suite" else f" --sampling {board.sampling}"
            yield Lack(
                f"run {number} was sampled with {mine.sampling} parameters, the board's runs with "
                f"{board.sampling} parameters",
                again + sampling,
            )
        if mine.flags != board.flags and mine.panel:
            seen = "shown" if mine.flags else "not shown"
            withhold = "" if board.flags else " --withhold-flags"
            yield Lack(
                f"the judges of run {number} were {seen} the automatic checks' flags", again + withhold
            )
        planned = set(map(shown, self._panel.get("judges", ())))
        for judge in sorted(board.panel - mine.panel):
            count = self.marked.get(judge, 0)
            grade = "--only ungraded" if judge in planned else f"--judge {judge}"
            yield Lack(
                f"{judge} marked {count} of {self.answered} answers of run {number}",
                f"assay grade {number} {grade}",
            )
        if board.geval is not None and self.metered.get(board.geval, 0) < self._enough:
            by = f"by {mine.geval}" if mine.geval else "missing"
            yield Lack(
                f"the G-Eval of run {number} is {by}, the board's is by {board.geval}",
                f"assay grade {number} --geval-judge {board.geval}",
            )

    @property
    def _enough(self) -> float:
        """How many answers a judge must have marked to count as one of the model's judges."""
        return max(1.0, (1.0 - MOST_LACKING) * self.answered)

    @property
    def _panel(self) -> Mapping[str, Any]:
        panel: Mapping[str, Any] = self.run.plan.get("panel") or {}
        return panel

    def _own(self) -> set[str]:
        """Return the planned judges that may not mark this model; a single judge marks its own."""
        planned = [shown(name) for name in self._panel.get("judges", ())]
        if len(planned) < 2:
            return set()
        known = {shown(model.name): model for _, model in self.run.judges}
        exclude = self._panel.get("exclude", "self")
        return {name for name in planned if excluded(known.get(name, plain_model(name)), self.model, exclude)}


def find_candidates(engine: Engine, suite: Suite, among: Sequence[int] | None) -> list[Candidate]:
    """Return every model's samples in every run of a suite, the newest run first."""
    of: dict[tuple[int, int], dict[int, CaseSamples]] = {}
    for each in case_samples(engine, suite.digest, KINDS, among=among):
        of.setdefault((each.run, each.model), {})[each.case_ordinal] = each
    stored = {run: read_run(engine, run) for run in sorted({run for run, _ in of})}
    models = {run: dict(found.models) for run, found in stored.items()}
    marked: dict[tuple[int, int], Counter[str]] = {key: Counter() for key in of}
    metered: dict[tuple[int, int], Counter[str]] = {key: Counter() for key in of}
    for mark in judge_marks(engine, sorted(stored)):
        into, judge = (metered if mark.metric in METRICS else marked), shown(mark.judge)
        counts = into[mark.run, mark.model]
        counts[judge] = max(counts[judge], mark.marked)
    return [
        Candidate(row, models[run][row], stored[run], cases, marked[run, row], metered[run, row])
        for (run, row), cases in sorted(of.items(), reverse=True)
        if row in models[run]
    ]


@dataclass(frozen=True, slots=True)
class Selection:
    """The run of each model's row that is ranked, the conditions of all of them, and what is left out.

    `not_ranked` are candidates with what they lack; `newer` are newer runs of ranked models, likewise.
    """

    conditions: Conditions
    runs: Mapping[int, int]
    not_ranked: tuple[tuple[Candidate, tuple[Lack, ...]], ...]
    newer: tuple[tuple[Candidate, tuple[Lack, ...]], ...]


def select_runs(
    candidates: Sequence[Candidate], suite: Suite, *, judges: Sequence[str] = (), geval: str | None = None
) -> Selection:
    """Choose for each model its newest complete run under the board's conditions.

    `candidates` come with the newest run first. The conditions are those of the newest complete runs of most
    models (of the newest of them where as many models have others); `judges` and `geval` name others.
    A run with further judges besides the board's panel counts: each judge marks alone.
    """
    conditions = _conditions(candidates, suite, judges, geval)
    lacks: dict[int, list[tuple[Candidate, tuple[Lack, ...]]]] = {}
    chosen: dict[int, int] = {}
    newer = []
    for each in candidates:
        if each.row in chosen:
            continue
        missing = each.incomplete(suite)
        found = tuple(each.differences(conditions, suite)) if missing is None else (missing,)
        if found:
            lacks.setdefault(each.row, []).append((each, found))
        else:
            chosen[each.row] = each.run.id
            newer += lacks.pop(each.row, [])
    not_ranked = tuple(
        next((pair for pair in pairs if pair[0].incomplete(suite) is None), pairs[0])
        for pairs in lacks.values()
    )
    return Selection(conditions, chosen, not_ranked, tuple(newer))


def _conditions(
    candidates: Sequence[Candidate], suite: Suite, judges: Sequence[str], geval: str | None
) -> Conditions:
    newest: dict[int, Conditions] = {}
    for each in candidates:
        found = each.conditions
        wanted = found.panel.issuperset(judges) and (geval is None or geval in each.metered)
        if each.row not in newest and wanted and each.incomplete(suite) is None:
            newest[each.row] = found
    votes = list(newest.values())
    judged = [each for each in votes if each.panel or each.geval] or votes
    best = max(judged, key=judged.count, default=Conditions())
    return replace(best, panel=frozenset(judges) or best.panel, geval=geval or best.geval)
