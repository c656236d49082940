"""What the keyed board's page shows of one suite, without a question, an option, an answer or a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from assay.ranking.keyed.accuracy import KeyedCounts
from assay.ranking.keyed.board import KeyedBoard, KeyedStanding
from assay.report.beside_view import BesideView, judged_beside_view
from assay.report.board_apart import Apart, apart
from assay.report.board_figures import Axis, axis, labels, several
from assay.report.board_missing import Gap
from assay.report.board_view import Bar, simulation
from assay.report.keyed_groups import KeyedGroups, keyed_groups
from assay.runs.boards.keyed import StoredKeyedBoard
from assay.runs.boards.source import Excluded, NotRanked


@dataclass(frozen=True, slots=True)
class KeyedRow:
    """One model's line: its place by score, its standing, and the bar of its accuracy over valid answers."""

    place: int
    standing: KeyedStanding
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class KeyedView:
    """The whole page. `simulation` says what is simulated, None if nothing is; `made` is in UTC.

    `counts` are the samples of all models, `level` is that of the intervals; `chance` is what guessing
    reaches, in points, and `guess` its place in per cent of the axis.
    """

    name: str
    title: str
    version: str
    digest: str
    private: bool
    made: datetime
    simulation: str | None
    runs: tuple[int, ...]
    questions: int
    concepts: int
    variants: tuple[str, ...]
    epochs: int
    replicates: int
    level: float
    chance: float
    counts: KeyedCounts
    axis: Axis
    guess: float
    rows: tuple[KeyedRow, ...]
    apart: Apart
    groups: KeyedGroups
    gaps: tuple[Gap, ...]
    labels: dict[str, str]
    excluded: tuple[Excluded, ...]
    not_ranked: tuple[NotRanked, ...]
    beside: BesideView | None

    @property
    def drawn(self) -> str:
        """What is drawn anew in the resampling."""
        return several(self.concepts, "concept")

    @property
    def measure(self) -> str:
        """What models are ranked by."""
        return "score"


def keyed_view(stored: StoredKeyedBoard, made: datetime) -> KeyedView:
    """Return what the page shows of a keyed board."""
    found, suite = stored.board, stored.suite
    models = [each.model for each in found.standings]
    scale = _axis(found)
    return KeyedView(
        name=suite.name,
        title=suite.title,
        version=suite.version,
        digest=suite.digest,
        private=stored.private,
        made=made,
        simulation=simulation(stored.simulated, models),
        runs=stored.runs,
        questions=found.questions,
        concepts=len(found.concepts),
        variants=found.variants,
        epochs=found.epochs,
        replicates=found.replicates,
        level=1.0 - found.alpha,
        chance=100.0 * found.chance,
        counts=_total([each.rights.counts for each in found.standings]),
        axis=scale,
        guess=scale.at(100.0 * found.chance),
        rows=tuple(
            KeyedRow(place, each, _bar(each, scale)) for place, each in enumerate(found.standings, start=1)
        ),
        apart=apart(found),
        groups=keyed_groups(found, {each.name: each.title for each in suite.use_cases}),
        gaps=tuple(_gaps(stored)),
        labels=labels(models),
        excluded=stored.excluded,
        not_ranked=stored.not_ranked,
        beside=judged_beside_view(stored.beside, models),
    )


def _axis(found: KeyedBoard) -> Axis:
    """Return the axis of accuracies in points, around every interval and what guessing reaches."""
    ends = [100.0 * found.chance]
    for each in found.standings:
        interval = each.rights.valid.interval
        if interval is not None:
            ends += [100.0 * interval.low, 100.0 * interval.high]
    return axis(ends, 10.0)


def _bar(standing: KeyedStanding, scale: Axis) -> Bar | None:
    valid = standing.rights.valid
    if valid.value is None or valid.interval is None:
        return None
    low, high = valid.interval.low, valid.interval.high
    return Bar(scale.at(100.0 * valid.value), scale.at(100.0 * low), scale.at(100.0 * high))


def _total(counts: Sequence[KeyedCounts]) -> KeyedCounts:
    return KeyedCounts(
        **{field.name: sum(getattr(each, field.name) for each in counts) for field in fields(KeyedCounts)}
    )


def _gaps(stored: StoredKeyedBoard) -> Iterator[Gap]:
    """Yield what is missing, kinds without a line left out."""
    standings = stored.board.standings
    kinds = (
        Gap("From the runs", stored.missing),
        Gap("No answer, so no rank", tuple(each.model for each in standings if each.ranks is None)),
        Gap(
            "Errors, not right over all and left out of ranks", tuple(_shares(standings, "error", "errored"))
        ),
        Gap("Ungraded answers", tuple(_shares(standings, "ungraded", "ungraded"))),
        Gap(
            "Letters that could not be read, and are not right", tuple(_shares(standings, "unread", "unread"))
        ),
        Gap(
            "Bundles left out of the consistency",
            tuple(
                f"{each.model}: {several(each.consistency.left_out, 'bundle')} with an answer missing"
                for each in standings
                if each.consistency.left_out
            ),
        ),
        Gap("Unknown figures", tuple(_unknown(standings))),
    )
    yield from (kind for kind in kinds if kind.lines)


def _shares(standings: Sequence[KeyedStanding], kind: str, what: str) -> Iterator[str]:
    for each in standings:
        number = getattr(each.rights.counts, kind)
        if number:
            yield f"{each.model}: {number:,} of {each.rights.counts.n:,} {what}"


def _unknown(standings: Sequence[KeyedStanding]) -> Iterator[str]:
    for each in standings:
        told = [f"cost of {several(each.cost_unknown, 'answer')}"] if each.cost_unknown else []
        told += ["output tokens"] if each.tokens.value is None else []
        told += ["latency"] if each.latency.value is None else []
        if told:
            yield f"{each.model}: {', '.join(told)}"
