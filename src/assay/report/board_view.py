"""What the board page shows of one suite, without a prompt, an answer, a rationale or a case's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from assay.ranking.board import Board, Standing
from assay.ranking.score import Counts
from assay.report.beside_view import BesideView, keyed_beside_view
from assay.report.board_apart import Apart, apart
from assay.report.board_figures import Axis, axis, labels, several
from assay.report.board_groups import GroupsView, groups_view
from assay.report.board_judges import JudgesView, judges_view
from assay.report.board_missing import Gap, gaps
from assay.report.board_value import Scatter, scatters
from assay.runs.board import StoredBoard
from assay.runs.boards.names import geval_by
from assay.runs.boards.source import Excluded, NotRanked

SIMULATED = "simulated/"
KINDS = tuple(field.name for field in fields(Counts))


@dataclass(frozen=True, slots=True)
class Bar:
    """Where a composite and its interval stand, in per cent of the axis."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One model's line: its place by composite, its standing, and its bar if it has a composite."""

    place: int
    standing: Standing
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class BoardView:
    """The whole page. `simulation` says what is simulated, None if nothing is; `made` is in UTC.

    `counts` are the samples of all models, `level` is that of the intervals, `labels`
    and `judge_labels` are short names.
    """

    name: str
    title: str
    version: str
    digest: str
    private: bool
    made: datetime
    simulation: str | None
    runs: tuple[int, ...]
    prompts: int
    epochs: int
    replicates: int
    level: float
    geval: str | None
    metrics: tuple[str, ...]
    counts: Counts
    axis: Axis
    rows: tuple[Row, ...]
    apart: Apart
    judges: JudgesView
    groups: GroupsView
    scatters: tuple[Scatter, ...]
    gaps: tuple[Gap, ...]
    labels: dict[str, str]
    judge_labels: dict[str, str]
    excluded: tuple[Excluded, ...]
    not_ranked: tuple[NotRanked, ...]
    beside: BesideView | None

    @property
    def drawn(self) -> str:
        """What is drawn anew in the resampling."""
        return several(self.prompts, "prompt")

    @property
    def measure(self) -> str:
        """What models are ranked by."""
        return "composite"

    @property
    def strict(self) -> bool:
        """Whether counting invalid answers' G-Eval as 0 changes some composite."""
        scores = [row.standing.score for row in self.rows]
        return any(each.composite_invalid_zero not in (None, each.composite) for each in scores)

    @property
    def unlike(self) -> bool:
        """Whether some composite is of one half only."""
        return any(row.standing.score.basis not in ("both", None) for row in self.rows)


def board_view(stored: StoredBoard, made: datetime) -> BoardView:
    """Return what the page shows of a board."""
    found, suite = stored.board, stored.suite
    scale = _axis(found)
    return BoardView(
        name=suite.name,
        title=suite.title,
        version=suite.version,
        digest=suite.digest,
        private=stored.private,
        made=made,
        simulation=simulation(stored.simulated, [each.model for each in found.standings]),
        runs=stored.runs,
        prompts=found.prompts,
        epochs=found.epochs,
        replicates=found.replicates,
        level=1.0 - found.alpha,
        geval=None if stored.geval is None else geval_by(stored.geval),
        metrics=tuple(name for name, _ in found.standings[0].metrics),
        counts=_total([each.counts for each in found.standings]),
        axis=scale,
        rows=tuple(
            Row(place, each, _bar(each, scale)) for place, each in enumerate(found.standings, start=1)
        ),
        apart=apart(found),
        judges=judges_view(found),
        groups=groups_view(found, {each.name: each.title for each in suite.use_cases}),
        scatters=scatters(found.standings),
        gaps=gaps(stored),
        labels=labels([each.model for each in found.standings]),
        judge_labels=labels([each.judge for each in found.judges]),
        excluded=stored.excluded,
        not_ranked=stored.not_ranked,
        beside=keyed_beside_view(stored.beside, [each.model for each in found.standings]),
    )


def _axis(found: Board) -> Axis:
    """Return the axis of composites in points, around every interval."""
    ends = []
    for each in found.standings:
        if each.score.composite is not None:
            ends.append(100.0 * each.score.composite)
        if each.interval is not None:
            ends += [100.0 * each.interval.low, 100.0 * each.interval.high]
    return axis([min(max(end, 0.0), 100.0) for end in ends], 10.0)


def _bar(standing: Standing, scale: Axis) -> Bar | None:
    if standing.score.composite is None:
        return None
    at, interval = scale.at(100.0 * standing.score.composite), standing.interval
    if interval is None:
        return Bar(at, None, None)
    return Bar(at, scale.at(100.0 * interval.low), scale.at(100.0 * interval.high))


def _total(counts: Sequence[Counts]) -> Counts:
    return Counts(**{kind: sum(getattr(each, kind) for each in counts) for kind in KINDS})


def simulation(simulated: bool, models: Sequence[str]) -> str | None:
    """Say what is simulated; None when no run behind the board was."""
    if not simulated:
        return None
    named = [name for name in models if name.startswith(SIMULATED)]
    if len(named) == len(models):
        return "Everything here is simulated: no real model was measured."
    if named:
        return f"Some of this is simulated: no real model was measured as {', '.join(named)}."
    return "Some of this is simulated: at least one run behind this board did not measure real models."
