"""Printing the agreement of judges: their marks, every pair, and the preferences of each judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import typer

from assay.cli.output import notes, print_rows
from assay.core.wording import counted
from assay.results.agreement import (
    Agreement,
    AgreementFigure,
    AnswersFigure,
    DistanceAlpha,
    JudgeFigures,
    OwnPreference,
    PairFigures,
    PositionPreference,
)
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

LISTED = 20
"""The most bad rows that are printed; --json has all of them."""


OWN_HEADING: Final = "Own models: marks above the other judges', on own answers minus on others' answers"
OWN_NOTE: Final = (
    "Compare an excess with the column `other models as high`: it counts the models that are not the judge's "
    "own and have at least the same excess. If there are many, the excess is no sign of self-preference."
)
LENGTH_HEADING: Final = "Length: extra marks for each doubling of the length, compared with the other judges"


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A judge's preference for its own model, or for the models of its family."""

    judge: str
    own: str
    preference: OwnPreference


def print_agreement(agreement: Agreement) -> None:
    """Print all figures as tables on stdout, and notes on bad rows and missing figures on stderr."""
    figures = agreement.figures
    typer.echo(_title(agreement))
    print_rows(_judges(figures.judges), figures.judges)
    pairs = [pair for pair in figures.pairs if not pair.refused]
    _print(_pairs(pairs), pairs)
    _print(ALPHAS, figures.alphas, "Krippendorff's alpha")
    own = [
        OwnLine(judge.judge, kind, preference)
        for judge in figures.judges
        for kind, preference in (("model", judge.own_model), ("family", judge.own_family))
        if preference is not None
    ]
    _print(OWN, own, OWN_HEADING)
    with_lengths = [judge for judge in figures.judges if judge.verbosity is not None]
    _print(LENGTH, with_lengths, LENGTH_HEADING)
    with_position = [judge for judge in figures.judges if judge.position is not None]
    _print(POSITION, with_position, "Position: verdicts on the same pair in both orders")
    with_accuracy = [judge for judge in figures.judges if judge.accuracy is not None]
    _print(ACCURACY, with_accuracy, "Accuracy: verdicts in both orders against the reference")
    _print_notes(agreement)


def _print(table: Table, rows: Sequence[object], heading: str | None = None) -> None:
    if rows:
        typer.echo()
        if heading is not None:
            typer.echo(heading)
        print_rows(table, rows)


def _title(agreement: Agreement) -> str:
    figures = agreement.figures
    source = f"run {agreement.run}, {agreement.suite} {agreement.version}"
    if agreement.file is not None:
        source = str(agreement.file)
    marks = ": verdicts in one order" if figures.pairwise else ""
    if agreement.metric:
        marks = f": {agreement.metric}"
    return (
        f"{source}{marks}, {counted(len(figures.judges), 'judge')}, {counted(figures.answers, 'answer')}, "
        f"{figures.shared:,} of them marked by two or more"
    )


def _print_notes(agreement: Agreement) -> None:
    figures, out = agreement.figures, notes()
    for problem in agreement.problems[:LISTED]:
        out.print(f"refused: {problem}")
    if agreement.refused > LISTED:
        out.print(f"{agreement.refused - LISTED} more rows refused (--json lists all of them)")
    if agreement.refused:
        refused = counted(agreement.refused, "row")
        out.print(f"{refused} of {agreement.rows:,} refused; the others count")
    if agreement.ignored:
        out.print(f"columns not read: {', '.join(agreement.ignored)}")
    if agreement.others:
        out.print(f"other metrics that judges marked (choose with --metric): {', '.join(agreement.others)}")
    for remark in figures.remarks:
        out.print(remark)
    if any(judge.own_model or judge.own_family for judge in figures.judges):
        out.print(OWN_NOTE)
    if figures.replicates:
        out.print(f"95 % intervals, from at least {figures.replicates:,} bootstrap draws")
    if agreement.simulated:
        out.print("A simulated model answered or judged: no real model was measured.")


def _judges(judges: Sequence[JudgeFigures]) -> Table:
    columns: list[str | Column] = ["judge", "family", "marks", "unread"]
    if any(judge.above_others is not None for judge in judges):
        columns += ["mean", *_signed_columns("above others", lambda judge: judge.above_others)]
    return Table(JudgeFigures, columns)


def _pairs(pairs: Sequence[PairFigures]) -> Table:
    weighted = any(pair.quadratic is not None for pair in pairs)
    columns: list[str | Column] = [
        Column("judges", lambda pair: f"{pair.first}, {pair.second}"),
        "n",
        "agreement",
        Column("95 %", lambda pair: _range(pair.interval)),
    ]
    columns += ["within_one"] if weighted and any(pair.within_one is not None for pair in pairs) else []
    columns += _columns("kappa", lambda pair: pair.kappa)
    if weighted:
        columns.append(_columns("linear", lambda pair: pair.linear)[0])
        columns += _columns("quadratic", lambda pair: pair.quadratic)
    return Table(PairFigures, columns)


def _columns(heading: str, figure: Callable[[Any], AgreementFigure | None]) -> tuple[Column, Column]:
    """Return two columns for a figure: its value and its interval."""

    def value(row: object) -> str:
        shown = figure(row)
        return "-" if shown is None or shown.value is None else f"{shown.value:.3f}"

    def interval(row: object) -> str:
        shown = figure(row)
        return "" if shown is None else _range(shown.interval)

    return Column(heading, value, right=True), Column("95 %", interval)


def _signed_columns(heading: str, figure: Callable[[Any], AnswersFigure | None]) -> tuple[Column, Column]:
    """Return two columns for a figure in marks: its value and its interval, with signs."""

    def value(row: object) -> str:
        shown = figure(row)
        return "-" if shown is None else _signed(shown.value)

    def interval(row: object) -> str:
        shown = figure(row)
        return "" if shown is None or shown.value is None else _range(shown.interval, "+.2f")

    return Column(heading, value, right=True), Column("95 %", interval)


def _digits(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:.3f}"


def _signed(value: float | None) -> str:
    # Adding 0 takes the sign from a zero that was rounded.
    return "-" if value is None else f"{round(value, 2) + 0.0:+.2f}"


def _range(interval: Interval | None, style: str = ".2f") -> str:
    if interval is None:
        return ""
    low, high = (round(end, 2) + 0.0 for end in (interval.low, interval.high))
    return f"{low:{style}} to {high:{style}}"


PAIRS: Final = Table(PairFigures, ("first", "second", "n", "agreement"))
ACCURACY: Final = Table(
    JudgeFigures,
    (
        "judge",
        Column("pairs", lambda judge: judge.accuracy.n, right=True),
        Column("right", lambda judge: judge.accuracy.right, right=True),
        *_columns("share", lambda judge: judge.accuracy.right_share),
        Column("swapped", lambda judge: judge.accuracy.swapped, right=True),
        Column("both", lambda judge: judge.accuracy.both, right=True),
        *_columns("share of both", lambda judge: judge.accuracy.both_share),
        Column("equal", lambda judge: judge.accuracy.equal, right=True),
        Column("kappa", lambda judge: _digits(judge.accuracy.kappa), right=True),
        Column("kappa of orders", lambda judge: _digits(judge.accuracy.kappa_swapped), right=True),
    ),
)
ALPHAS: Final = Table(
    DistanceAlpha,
    ("distance", "value", Column("95 %", lambda alpha: _range(alpha.interval)), "answers", "marks"),
)
OWN: Final = Table(
    OwnLine,
    (
        Column("judge", lambda line: line.judge),
        Column("own", lambda line: line.own),
        Column("answers", lambda line: f"{line.preference.own.n:,}", right=True),
        *_signed_columns("excess", lambda line: line.preference.excess),
        Column("other models as high", lambda line: f"{line.preference.above} of {line.preference.models}"),
    ),
)
LENGTH: Final = Table(
    JudgeFigures,
    (
        "judge",
        Column("answers", lambda judge: f"{judge.verbosity.slope.n:,}", right=True),
        *_signed_columns("slope", lambda judge: judge.verbosity.slope),
        Column("partial correlation", lambda judge: _signed(judge.verbosity.partial.value), right=True),
    ),
)
POSITION: Final = Table(
    JudgeFigures,
    (
        "judge",
        Column("pairs", lambda judge: judge.position.items, right=True),
        Column("not read", lambda judge: judge.position.unreadable, right=True),
        *_columns("flips", lambda judge: judge.position.flip_share),
        Column(
            "first/second twice",
            lambda judge: f"{judge.position.kept_first}/{judge.position.kept_second}",
            right=True,
        ),
        *_columns("first", lambda judge: judge.position.first_share),
        Column(
            "p",
            lambda judge: f"{judge.position.p:.2g}",
            right=True,
            legend=legend_of(PositionPreference, "p"),
        ),
    ),
)
