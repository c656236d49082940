"""Judges' marks on a stored run's answers, in arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.judging import is_judged
from assay.core.model import Model
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
    """Marks of a run for one metric. `others` are the run's further metrics that judges marked."""

    run: StoredRun
    metric: str
    marks: MarkMatrix
    others: tuple[str, ...]


def read_run_marks(
    engine: Engine, number: int, judges: Sequence[str] = (), metric: str | None = None
) -> RunMarks:
    """Read a run's marks for a metric; without one, for that which most judges marked, then most often.

    `judges` keeps these judges'. An answer's length is in words. NotFound for a run that is not there,
    InvalidInput for a calibration, a run without marks, or a judge or metric that is not in it.
    """
    run = read_run(engine, number)
    if run.kind == "calibrate":
        raise InvalidInput(f"run {number} calibrated one judge: agreement needs a run that several judged")
    found = read_marks(engine, [number])
    if not found:
        raise InvalidInput(f"no judge marked run {number}: `assay grade {number} --judge ...` has it judged")
    there = sorted({mark.judge for mark in found})
    named = {wanted: [judge for judge in there if wanted in (judge, _plain(judge))] for wanted in judges}
    for wanted, meant in named.items():
        if not meant:
            raise InvalidInput(
                f"judge {wanted!r} gave no marks in run {number}: there are {', '.join(there)}"
            )
    kept = {judge for meant in named.values() for judge in meant}
    found = [mark for mark in found if not kept or mark.judge in kept]
    chosen, others = _metric(found, number, metric)
    told = sorted({mark.judge for mark in found if mark.row.metric == chosen})
    if len(told) == 1 and not judges:
        raise InvalidInput(
            f"only {_plain(told[0])} marked {chosen!r} in run {number}: agreement needs two judges; "
            f"`assay grade {number} --judge PROVIDER/MODEL` adds one"
        )
    marks = _arrays(engine, run, [mark for mark in found if mark.row.metric == chosen])
    return RunMarks(run, chosen, marks, others)


def _metric(found: Sequence[RunMark], number: int, wanted: str | None) -> tuple[str, tuple[str, ...]]:
    counts = Counter(mark.row.metric for mark in found)
    judges = {metric: len({mark.judge for mark in found if mark.row.metric == metric}) for metric in counts}
    if wanted is not None and wanted not in counts:
        raise InvalidInput(
            f"no judge marked {wanted!r} in run {number}: there are {', '.join(sorted(counts))}"
        )
    chosen = wanted or max(sorted(counts), key=lambda metric: (judges[metric], counts[metric]))
    return chosen, tuple(metric for metric in sorted(counts) if metric != chosen)


def _arrays(engine: Engine, run: StoredRun, found: Sequence[RunMark]) -> MarkMatrix:
    suite, names = read_suite(engine, run.suite), dict(run.models)
    samples = {each.position: each for each in board_samples(engine, [run.id])}
    lengths = _lengths(engine, run.id, sorted({mark.row.position for mark in found}))
    given, graders = [], set()
    for mark in found:
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
        given.append(RawMark(_plain(mark.judge), answer, label, lengths.get(mark.row.position)))
    known = {_plain(model.name): model for model in (*names.values(), *(judge for _, judge in run.judges))}
    judges = {mark.judge for mark in found}
    models = {_plain(judge): _parsed(judge) for judge in judges} | known
    scale = _scale(graders, [each.label for each in given if each.label is not None])
    return gather(given, scale, models=models)


def _scale(graders: Collection[str], labels: Sequence[str]) -> MarkScale:
    """Return the scale of a grader's whole marks (1-5, 0-3); of others, what the marks themselves tell."""
    whole = all(float(label).is_integer() for label in labels)
    for name in sorted(set(registry.names()).intersection(graders)):
        known = registry.grader(name)
        if is_judged(known) and whole and 1.0 < known.scale[1] - known.scale[0] < MOST:
            return between(*known.scale)
    return find_scale(Counter(labels))


def _lengths(engine: Engine, run: int, positions: Sequence[int]) -> dict[int, float]:
    """Return how many words each answer has, by position."""
    found: dict[int, float] = {}
    for start in range(0, len(positions), BATCH):
        answered = subject_calls(engine, run, positions[start : start + BATCH])
        found.update({at: float(len(call.answer.split())) for at, call in answered.items() if call.answer})
    return found


def _plain(name: str) -> str:
    """Return a name without the provider of imported models, which is nobody."""
    return name.removeprefix("imported/")


def _parsed(name: str) -> Model:
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream)
