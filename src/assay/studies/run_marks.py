"""Judges' marks on the answers of a stored run, as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.judging import is_judged
from assay.core.model import Model
from assay.core.people import HUMAN, is_human, plain_judge
from assay.grading import registry
from assay.store.boards import board_samples
from assay.store.ledger import subject_calls
from assay.store.marks import RunMark, read_marks
from assay.store.runs import StoredRun, read_run
from assay.store.suites import read_suite
from assay.studies.marks import MarkedAnswer, MarkMatrix, RawMark, gather
from assay.studies.scale import MOST, MarkScale, between, find_scale

BATCH = 500


@dataclass(frozen=True, slots=True)
class RunMarks:
    """The marks of a run for one metric. `others` has the other metrics that judges marked in the run."""

    run: StoredRun
    metric: str
    marks: MarkMatrix
    others: tuple[str, ...]


def read_run_marks(
    engine: Engine, number: int, judges: Sequence[str] = (), metric: str | None = None
) -> RunMarks:
    """Read a run's marks for a metric (default: the one that most judges marked, then the most marks).

    `judges` keeps only the marks of these judges; `human` is all people, who need not have marked. An
    answer's length is in words. Raises NotFound for an unknown run, InvalidInput for a calibration, for a run
    without marks, and for a judge or metric without marks in the run.
    """
    run = read_run(engine, number)
    if run.kind == "calibrate":
        raise InvalidInput(f"run {number} calibrated one judge: give a run that several judges marked")
    marks = read_marks(engine, [number])
    if not marks:
        raise InvalidInput(f"no judge marked run {number}: run `assay grade {number} --judge PROVIDER/MODEL`")
    known = sorted({mark.judge for mark in marks})
    chosen: set[str] = set()
    for name in judges:
        people = [judge for judge in known if name == HUMAN and is_human(judge)]
        matches = people or [judge for judge in known if name in (judge, _plain(judge))]
        if not matches and name != HUMAN:
            raise InvalidInput(
                f"judge {name!r} gave no marks in run {number}: use one of {', '.join(map(_plain, known))}"
            )
        chosen.update(matches)
    marks = [mark for mark in marks if not chosen or mark.judge in chosen]
    metric, others = _choose_metric(marks, number, metric)
    marks = [mark for mark in marks if mark.row.metric == metric]
    markers = {mark.judge for mark in marks}
    if len(markers) == 1 and not judges:
        raise InvalidInput(
            f"only {_plain(markers.pop())} marked {metric!r} in run {number}, and agreement needs two "
            f"judges: add one with `assay grade {number} --judge PROVIDER/MODEL`"
        )
    return RunMarks(run, metric, _matrix(engine, run, marks), others)


def _choose_metric(marks: Sequence[RunMark], number: int, metric: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the metric to use and the other metrics of the marks."""
    counts = Counter(mark.row.metric for mark in marks)
    judges = {name: len({mark.judge for mark in marks if mark.row.metric == name}) for name in counts}
    if metric is not None and metric not in counts:
        raise InvalidInput(
            f"no judge marked the metric {metric!r} in run {number}: use one of {', '.join(sorted(counts))}"
        )
    chosen = metric or max(sorted(counts), key=lambda name: (judges[name], counts[name]))
    return chosen, tuple(name for name in sorted(counts) if name != chosen)


def _matrix(engine: Engine, run: StoredRun, marks: Sequence[RunMark]) -> MarkMatrix:
    suite, names = read_suite(engine, run.suite), dict(run.models)
    samples = {sample.position: sample for sample in board_samples(engine, [run.id])}
    lengths = _lengths(engine, run.id, sorted({mark.row.position for mark in marks}))
    raw_marks, graders = [], set()
    for mark in marks:
        sample = samples.get(mark.row.position)
        if sample is None:
            continue
        case = suite.cases[sample.case_ordinal]
        grader = case.graders[mark.row.ordinal].name
        graders.add(grader)
        several = [spec.name for spec in case.graders].count(grader) > 1
        item = f"{case.id} ({mark.row.ordinal})" if several else case.id
        answer = MarkedAnswer(item, _plain(names[sample.model].name), sample.epoch, None)
        label = None if mark.row.value is None else repr(mark.row.value)
        raw_marks.append(RawMark(_plain(mark.judge), answer, label, lengths.get(mark.row.position)))
    known = {_plain(model.name): model for model in (*names.values(), *(judge for _, judge in run.judges))}
    models = {_plain(mark.judge): _parse_model(mark.judge) for mark in marks} | known
    scale = _scale(graders, [mark.label for mark in raw_marks if mark.label is not None])
    return gather(raw_marks, scale, models=models)


def _scale(graders: Collection[str], labels: Sequence[str]) -> MarkScale:
    """Return the grader's scale of whole marks (1-5, 0-3); for other marks, the scale found in the labels."""
    whole = all(float(label).is_integer() for label in labels)
    for name in sorted(set(registry.names()).intersection(graders)):
        grader = registry.grader(name)
        if is_judged(grader) and whole and 1.0 < grader.scale[1] - grader.scale[0] < MOST:
            return between(*grader.scale)
    return find_scale(Counter(labels))


def _lengths(engine: Engine, run: int, positions: Sequence[int]) -> dict[int, float]:
    """Return the number of words of each answer, by position."""
    lengths: dict[int, float] = {}
    for start in range(0, len(positions), BATCH):
        for position, call in subject_calls(engine, run, positions[start : start + BATCH]).items():
            if call.answer:
                lengths[position] = float(len(call.answer.split()))
    return lengths


def _plain(name: str) -> str:
    """Return a name without the placeholder provider of imported models."""
    return plain_judge(name.removeprefix("imported/"))


def _parse_model(name: str) -> Model:
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream)
