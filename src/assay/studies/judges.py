"""Agreement of judges and their preferences, measured from the marks of a run or of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, Problem
from assay.grading.model_family import family
from assay.results.agreement import (
    Agreement,
    AgreementFigures,
    AnswersFigure,
    DistanceAlpha,
    JudgeFigures,
    LengthPreference,
    OwnPreference,
    PairFigures,
    PositionPreference,
    ReferenceAccuracy,
)
from assay.stats.agreement import Scale as Distance
from assay.stats.agreement import krippendorff_alpha
from assay.stats.judge_bias import (
    OrderAccuracy,
    PositionBias,
    Verbosity,
    above_others,
    order_accuracy,
    position_bias,
    verbosity,
)
from assay.stats.resample import BootstrapDraws
from assay.studies.judge_pairs import compare_pairs
from assay.studies.marks import MarkMatrix, read_file
from assay.studies.own import own_preferences
from assay.studies.run_marks import read_run_marks

SEED = 20_260_101
REPLICATES, FEWEST = 2000, 200
DRAWN = 5_000_000
"""The limit of replicates times answers, which bounds memory; there are at least `FEWEST` replicates."""

MOST_ANSWERS = 25_000
"""With more answers than this there is no bootstrap: the intervals would be too narrow to matter."""

LISTED = 5
"""The most pairs of judges that an error message lists."""

WINNERS = {
    "AB": {0.0: "first", 1.0: "second", 2.0: "tie"},
    "BA": {0.0: "second", 1.0: "first", 2.0: "tie"},
}
"""The position of the side that won, by the order in which the sides were shown and the side's code."""


def run_agreement(
    engine: Engine, number: int, *, judges: Sequence[str] = (), metric: str | None = None
) -> Agreement:
    """Measure how far the judges of a run agree on a metric (default: the one that most judges marked).

    Answers without visible text do not count, because judges are not asked about them. Raises NotFound for an
    unknown run, InvalidInput if no two judges marked the metric.
    """
    source = read_run_marks(engine, number, judges, metric)
    simulated = source.run.simulated or any(judge.provider == "simulated" for _, judge in source.run.judges)
    return Agreement(
        measure(source.marks),
        run=number,
        suite=source.run.suite_name,
        version=source.run.suite_version,
        metric=source.metric,
        others=source.others,
        simulated=simulated,
    )


def file_agreement(
    path: Path,
    *,
    judges: Sequence[str] = (),
    categories: Sequence[str] = (),
    reference: str | None = None,
) -> Agreement:
    """Measure how far the judges of a table agree. Bad rows are reported, and the good ones count.

    `categories` declares the possible marks, in order. `reference` is the judge of a table of pairwise
    verdicts that the others are compared with, such as a person. Raises InvalidInput if no row is good, if no
    two judges marked the same answer, or if all pairs use different codings of their marks.
    """
    source = read_file(path, judges, categories)
    return Agreement(
        measure(source.marks, reference=reference),
        file=path,
        rows=source.table.rows,
        problems=source.problems,
        ignored=source.table.ignored,
    )


def measure(marks: MarkMatrix, *, seed: int = SEED, reference: str | None = None) -> AgreementFigures:
    """Return all figures about the judges who gave these marks. `seed` starts the bootstrap's generator.

    Raises InvalidInput for a `reference` that gave no marks, and for one of marks that are not pairwise.
    """
    positions = position_biases(marks) if marks.pairwise else {}
    accuracies = {} if reference is None else order_accuracies(marks, reference)
    given = (~np.isnan(marks.table)).sum(axis=1)
    marks = in_one_order(marks) if marks.pairwise else marks
    there = ~np.isnan(marks.table)
    answers, shared = int(there.any(axis=0).sum()), int((there.sum(axis=0) > 1).sum())
    replicates = _replicates(answers)
    by_item = _replicates(len({answer.item for answer in marks.answers}))
    counts = (REPLICATES, by_item, by_item, by_item, replicates)
    streams = np.random.default_rng(seed).spawn(len(counts))
    draws = [
        BootstrapDraws(stream, count) if replicates else None
        for stream, count in zip(streams, counts, strict=True)
    ]
    pairs = compare_pairs(marks, draws[0])
    remarks = _check_comparable(marks, pairs, shared, measured_position=bool(positions))
    mixed = any(pair.refused for pair in pairs)
    measured = marks.scale.ordered and not mixed and shared > 0
    excess = above_others(marks.table, _by_item(marks, draws[1])) if measured else ()
    own_model, own_family = own_preferences(marks, draws[2]) if measured else ({}, {})
    lengths = _verbosity(marks, draws[3]) if measured else {}
    judges = tuple(
        JudgeFigures(
            judge=judge,
            family=family(marks.models[judge]) if judge in marks.models else None,
            marks=int(given[row]),
            unread=marks.unread.get(judge, 0),
            mean=float(np.nanmean(marks.table[row])) if marks.scale.ordered and there[row].any() else None,
            above_others=AnswersFigure.of(excess[row]) if excess else None,
            own_model=OwnPreference.of(own_model.get(judge)),
            own_family=OwnPreference.of(own_family.get(judge)),
            verbosity=LengthPreference.of(lengths.get(judge)),
            position=PositionPreference.of(positions.get(judge)),
            accuracy=ReferenceAccuracy.of(accuracies.get(judge)),
        )
        for row, judge in enumerate(marks.judges)
    )
    alphas = () if mixed or not shared else _alphas(marks, draws[4])
    remarks += _explain_missing(marks, lengths_missing=measured and not lengths, answers=answers)
    return AgreementFigures(
        kind=marks.scale.kind,
        ordered=marks.scale.ordered,
        categories=marks.scale.categories,
        pairwise=marks.pairwise,
        judges=judges,
        pairs=pairs,
        alphas=alphas,
        answers=answers,
        shared=shared,
        replicates=replicates,
        remarks=tuple(remarks),
    )


def _replicates(answers: int) -> int:
    if answers > MOST_ANSWERS:
        return 0
    return max(FEWEST, min(REPLICATES, DRAWN // max(answers, 1)))


def _item_numbers(marks: MarkMatrix) -> list[int]:
    """Return the number of each answer's item."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(answer.item, len(numbers)) for answer in marks.answers]


def _by_item(marks: MarkMatrix, draws: BootstrapDraws | None) -> BootstrapDraws | None:
    """Return draws of whole items, because the answers of several models to one prompt are correlated."""
    if draws is None:
        return None
    return BootstrapDraws(draws.rng, draws.replicates, draws.level, np.array(_item_numbers(marks)))


def _verbosity(marks: MarkMatrix, draws: BootstrapDraws | None) -> dict[str, Verbosity]:
    """Return each judge's preference for length, if an item has answers of different lengths."""
    if np.isnan(marks.lengths).all():
        return {}
    slopes = verbosity(marks.table, marks.lengths, np.array(_item_numbers(marks)), draws)
    by_judge = zip(marks.judges, slopes, strict=True)
    return {judge: preference for judge, preference in by_judge if preference.slope.value is not None}


def _alphas(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[DistanceAlpha, ...]:
    """Return alpha by each distance that the scale allows: nominal for names, all three for numbers.

    With two categories the three are equal, and only nominal is returned.
    """
    distances: list[Distance] = ["nominal"] if marks.scale.codes else []
    if marks.scale.ordered and len(marks.scale.codes) != 2:
        distances += ["ordinal", "interval"] if marks.scale.kind == "numbers" else ["ordinal"]
    return tuple(DistanceAlpha.of(name, krippendorff_alpha(marks.table, name, draws)) for name in distances)


def position_biases(marks: MarkMatrix) -> dict[str, PositionBias]:
    """Return the position bias of each judge that was asked in both orders.

    A pair counts as unreadable if the judge was asked in one order only or a verdict could not be read.
    """
    columns: dict[tuple[object, ...], dict[str, int]] = {}
    for column, answer in enumerate(marks.answers):
        assert answer.order is not None
        columns.setdefault(answer[:3], {})[answer.order] = column
    biases = {}
    for row, judge in enumerate(marks.judges):
        pairs = [
            (_winner(marks, row, orders.get("AB"), "AB"), _winner(marks, row, orders.get("BA"), "BA"))
            for orders in columns.values()
        ]
        pairs = [pair for pair in pairs if pair != (None, None)]
        if any(None not in pair for pair in pairs):
            biases[judge] = position_bias([first for first, _ in pairs], [second for _, second in pairs])
    return biases


def order_accuracies(marks: MarkMatrix, reference: str) -> dict[str, OrderAccuracy]:
    """Return the accuracy of each judge that was asked in both orders, by the reference's verdicts.

    The reference counts as it was asked, in either order. A verdict that is missing or unreadable is wrong.
    """
    if not marks.pairwise:
        raise InvalidInput("--reference is for pairwise verdicts: give a table with the column `order`")
    if reference not in marks.judges:
        raise InvalidInput(f"reference {reference!r} gave no verdicts: give one of {', '.join(marks.judges)}")
    columns: dict[tuple[object, ...], dict[str | None, int]] = {}
    for column, answer in enumerate(marks.answers):
        columns.setdefault(answer[:3], {})[answer.order] = column
    own = marks.judges.index(reference)
    pairs = [
        (label, orders)
        for orders in columns.values()
        if (label := next((_side(marks, own, column) for column in orders.values()), None)) is not None
    ]
    accuracies = {}
    for row, judge in enumerate(marks.judges):
        shown, swapped = (
            [_side(marks, row, orders.get(order)) for _, orders in pairs] for order in ("AB", "BA")
        )
        if row != own and any(shown) and any(swapped):
            accuracies[judge] = order_accuracy([label for label, _ in pairs], shown, swapped)
    return accuracies


def _side(marks: MarkMatrix, row: int, column: int | None) -> str | None:
    """Return the side that a judge prefers, A, B or tie; None without a readable verdict."""
    if column is None or np.isnan(marks.table[row, column]):
        return None
    return marks.scale.categories[int(marks.table[row, column])]


def _winner(marks: MarkMatrix, row: int, column: int | None, order: str) -> str | None:
    if column is None or np.isnan(marks.table[row, column]):
        return None
    return WINNERS[order][float(marks.table[row, column])]


def in_one_order(marks: MarkMatrix) -> MarkMatrix:
    """Return the verdicts of one order, so that all judges are compared on the same pairs.

    The order is A first, if any pair was shown so.
    """
    order = "AB" if any(answer.order == "AB" for answer in marks.answers) else "BA"
    columns = [column for column, answer in enumerate(marks.answers) if answer.order == order]
    return replace(
        marks,
        answers=tuple(marks.answers[column] for column in columns),
        table=marks.table[:, columns],
        lengths=marks.lengths[columns],
    )


def _check_comparable(
    marks: MarkMatrix, pairs: Sequence[PairFigures], shared: int, *, measured_position: bool
) -> list[str]:
    """Return the reasons why judges cannot be compared.

    Raises InvalidInput with these reasons if no pair can be compared and there is no position bias either.
    """
    remarks: list[str] = []
    if len(marks.judges) < 2:
        remarks = [f"only {marks.judges[0]!r} gave marks: agreement needs two judges of the same answers"]
    elif not shared:
        remarks = ["no answer was marked by two judges: agreement needs the same items under the same names"]
    refusals = [pair.refused for pair in pairs if pair.refused]
    none_compared = bool(refusals) and all(pair.refused or not pair.n for pair in pairs)
    if (remarks or none_compared) and not measured_position:
        raise InvalidInput([Problem(text) for text in (remarks or refusals)[:LISTED]])
    if refusals:
        remarks += refusals
        remarks.append(
            "alpha, marks above the others, preference and verbosity are left out, because they would mix "
            "different codings: keep judges with the same coding by --judge"
        )
    return remarks


def _explain_missing(marks: MarkMatrix, *, lengths_missing: bool, answers: int) -> list[str]:
    """Return the reasons why figures are missing."""
    remarks = []
    if not marks.scale.ordered and not marks.pairwise:
        remarks.append(
            "marks are names without an order: kappa and alpha treat them as names, and marks above the "
            "others, preference and verbosity are left out; declare an order with --category, the worst mark "
            "first"
        )
    if not marks.scale.codes:
        remarks.append("there are too many different marks for categories: kappa is left out")
    if lengths_missing and not np.isnan(marks.lengths).all():
        remarks.append(
            "no item has answers of different lengths: verbosity is left out (it needs several answers to an "
            "item, which differ in the column `model`)"
        )
    if answers > MOST_ANSWERS:
        remarks.append(
            f"no intervals: there are {answers:,} answers, and the bootstrap takes {MOST_ANSWERS:,}"
        )
    return remarks
