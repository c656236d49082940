"""The results of exams: each sitting's score and each model's, from what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.exam import Prompting, SessionState
from assay.core.model import Model
from assay.exams.tally import counted, lacking, metering, standings, tally
from assay.grading.kinship import excluded
from assay.ranking.exam.plausibility import Flag
from assay.ranking.exam.relative import Basis, Reference, Relative, relative
from assay.ranking.exam.scores import SCORE_SCALE, Counted, Score, score
from assay.ranking.exam.spread import Spread, spread
from assay.ranking.exam.standing import LEAST_SITTINGS, SittingState, Standing, missing
from assay.store.exam.answers import Sitting, list_sittings
from assay.store.exam.marks import judges_of


@dataclass(frozen=True, slots=True)
class SittingResult:
    """One sitting under one judge. `score` is None while answers lack stars, or the session is open.

    `standings` count its questions by what they count as; `questions` are those that count.
    """

    sitting: Sitting
    standings: Mapping[Standing, int]
    lacking: int
    questions: tuple[Counted, ...]
    score: Score | None
    relative: Relative | None
    flags: tuple[Flag, ...]

    @property
    def state(self) -> SittingState:
        """What bears on publication."""
        return SittingState(self.sitting.state, self.lacking)

    @property
    def counts(self) -> bool:
        """Whether it enters its model's mean."""
        return self.state.counts and self.score is not None


@dataclass(frozen=True, slots=True)
class SubjectMean:
    """A subject's score on 0-10, averaged over the sittings that count and have it."""

    code: str
    score: float
    sittings: int


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One model of one organisation under one prompting.

    `score` and `relative` are over the sittings that count; None without any (`relative` also without a
    reference). `bases` says on what questions each R rests. It is `published` when nothing is `missing`.
    `abandoned` sessions ended before all was answered and do not count; `draws` are the question sets behind
    the mean. `kin` says that the judge is the model itself or of its family, None where it is not.
    """

    model: str
    organisation: str
    organisation_id: int
    prompting: Prompting
    simulated: bool
    sittings: tuple[SittingResult, ...]
    score: Spread | None
    relative: Spread | None
    bases: Mapping[Basis, int]
    reference: str | None
    subjects: tuple[SubjectMean, ...]
    missing: tuple[str, ...]
    abandoned: int
    draws: int
    kin: str | None

    @property
    def published(self) -> bool:
        """Whether enough sittings are finished and marked."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class Results:
    """All results under one judge; `judges` says how many marks each judge has given at all."""

    judge: str
    judge_simulated: bool
    models: tuple[ModelResult, ...]
    judges: Mapping[str, int]


def read_results(
    engine: Engine,
    judge: str,
    *,
    reference: str | None = None,
    draw: str | None = None,
    simulated_judge: bool = False,
) -> Results:
    """Return the results of all exams under a judge, published models first, the best ones first.

    `reference` is the model that R divides by; else, for each prompting, the published model with the
    highest S, simulated ones among themselves. `draw` keeps the sittings of that named draw. Raises NotFound
    for a reference or a draw that nobody has sat.
    """
    sittings = [_result(engine, one, judge) for one in list_sittings(engine, draw=draw)]
    if draw is not None and not sittings:
        raise NotFound(f"nobody has sat a draw called {draw!r}")
    groups: dict[tuple[str, int, Prompting, bool], list[SittingResult]] = defaultdict(list)
    for one in sittings:
        at = one.sitting
        groups[at.model, at.organisation, at.prompting, at.simulated].append(one)
    if reference is not None and reference not in {key[0] for key in groups}:
        raise NotFound(f"the reference {reference!r} has sat no exam: there are {_named(groups)}")
    models = [_model(rows, judge) for rows in groups.values()]
    compared = [_compared(one, _reference(models, one, reference)) for one in models]
    compared.sort(key=lambda one: (not one.published, -(one.score.mean if one.score else -1.0), one.model))
    return Results(judge, simulated_judge, tuple(compared), judges_of(engine))


def _result(engine: Engine, sitting: Sitting, judge: str) -> SittingResult:
    rows = tally(engine, sitting.session, judge)
    questions, without = counted(rows), lacking(rows)
    whole = without == 0 and sitting.state is not SessionState.OPEN
    return SittingResult(
        sitting,
        standings(rows),
        without,
        questions,
        score(questions, sitting.drawn) if whole else None,
        None,
        metering(rows),
    )


def _model(rows: Sequence[SittingResult], judge: str) -> ModelResult:
    first = rows[0].sitting
    whole = [one for one in rows if one.counts]
    return ModelResult(
        first.model,
        first.organisation_name,
        first.organisation,
        first.prompting,
        first.simulated,
        tuple(rows),
        spread([one.score.value for one in whole if one.score is not None], most=SCORE_SCALE),
        None,
        {},
        None,
        _subjects(whole),
        missing([one.state for one in rows], least=LEAST_SITTINGS),
        sum(one.sitting.state in (SessionState.EXPIRED, SessionState.CLOSED) for one in rows),
        len({one.sitting.draw for one in whole}),
        _kin(judge, first.model),
    )


def _subjects(sittings: Iterable[SittingResult]) -> tuple[SubjectMean, ...]:
    scores: dict[str, list[float]] = defaultdict(list)
    for one in sittings:
        for subject in one.score.subjects if one.score is not None else ():
            if subject.score is not None:
                scores[subject.code].append(subject.score)
    return tuple(SubjectMean(code, sum(found) / len(found), len(found)) for code, found in scores.items())


def _kin(judge: str, model: str) -> str | None:
    """Return why a judge would not mark a model on a panel; the exam has one judge, so it is told."""
    one, other = (Model(*name.partition("/")[::2]) for name in (judge, model))
    return excluded(one, other, "family")


def _reference(models: Sequence[ModelResult], one: ModelResult, named: str | None) -> ModelResult | None:
    among = [
        other
        for other in models
        if other.prompting is one.prompting
        and other.score is not None
        and (other.model == named if named is not None else _alike(other, one))
    ]
    return max(among, key=lambda other: other.score.mean if other.score else 0.0, default=None)


def _alike(other: ModelResult, one: ModelResult) -> bool:
    return other.published and other.simulated == one.simulated


def _compared(one: ModelResult, other: ModelResult | None) -> ModelResult:
    """Return a model's results with R, relative to the reference's."""
    if other is None:
        return one
    sat = [each for each in other.sittings if each.counts]
    reference = Reference(
        other.model,
        tuple((each.sitting.draw, each.questions) for each in sat),
        tuple(each.score for each in sat if each.score is not None),
    )
    rows = tuple(
        each
        if each.score is None
        else replace(each, relative=_itself(each.score) if each.counts else None)
        if other is one
        else replace(
            each,
            relative=relative(each.sitting.draw, each.questions, each.score, each.sitting.drawn, reference),
        )
        for each in one.sittings
    )
    found = [each.relative for each in rows if each.counts and each.relative is not None]
    over = spread([each.value for each in found])
    return replace(
        one,
        sittings=rows,
        relative=replace(over, interval=None) if other is one and over is not None else over,
        bases=Counter(each.basis for each in found),
        reference=other.model,
    )


def _itself(own: Score) -> Relative:
    return Relative(100.0, Basis.ITSELF, own.n, None)


def _named(groups: Iterable[tuple[str, int, Prompting, bool]]) -> str:
    return ", ".join(sorted({key[0] for key in groups})) or "none yet"
