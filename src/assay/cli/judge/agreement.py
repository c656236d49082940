"""Printing how far judges agree: who is strict, who agrees with whom, and what each one favours."""

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
"""At most so many wrong rows are printed; --json has all."""


@dataclass(frozen=True, slots=True)
class OwnLine:
    """What a judge thinks of its own models, or of its family's."""

    judge: str
    own: str
    preference: OwnPreference


def print_agreement(agreement: Agreement) -> None:
    """Print all figures as tables; what is wrong, left out or easily misread goes to stderr."""
    figures = agreement.figures
    typer.echo(_title(agreement))
    print_rows(_judges(figures.judges), figures.judges)
    pairs = [pair for pair in figures.pairs if not pair.refused]
    _print(_pairs(pairs), pairs)
    _print(ALPHAS, figures.alphas, "Krippendorff's alpha")
    own = [
        OwnLine(each.judge, kind, preference)
        for each in figures.judges
        for kind, preference in (("model", each.own_model), ("family", each.own_family))
        if preference is not None
    ]
    _print(OWN, own, "Own models: marks against the other judges', on own answers less on others'")
    wordy = [each for each in figures.judges if each.verbosity is not None]
    _print(LENGTH, wordy, "Length: marks for each doubling, above what the other judges give")
    placed = [each for each in figures.judges if each.position is not None]
    _print(POSITION, placed, "Position: the same pair in both orders")
    _print_remarks(agreement)


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
    marks = ": verdicts with one side first" if figures.pairwise else ""
    if agreement.metric:
        marks = f": {agreement.metric}"
    return (
        f"{source}{marks}, {counted(len(figures.judges), 'judge')}, {counted(figures.answers, 'answer')}, "
        f"{figures.shared:,} of them marked by two or more"
    )


def _print_remarks(agreement: Agreement) -> None:
    figures = agreement.figures
    for problem in agreement.problems[:LISTED]:
        notes().print(f"refused: {problem}")
    if agreement.refused > LISTED:
        notes().print(f"{agreement.refused - LISTED} more rows refused; all of them with --json")
    if agreement.refused:
        refused = counted(agreement.refused, "row")
        notes().print(f"{refused} refused of {agreement.rows:,}; the others count")
    if agreement.ignored:
        notes().print(f"columns not read: {', '.join(agreement.ignored)}")
    if agreement.others:
        notes().print(f"judges also marked {', '.join(agreement.others)}: choose with --metric")
    for remark in figures.remarks:
        notes().print(remark)
    if any(each.own_model or each.own_family for each in figures.judges):
        notes().print(
            "Read an excess beside the other models as high: they are nobody's own, so it is no favour."
        )
    if figures.replicates:
        notes().print(f"intervals at 95 %; bootstraps of at least {figures.replicates:,} draws")
    if agreement.simulated:
        notes().print("A simulated model answered or judged: nothing real was measured.")


def _judges(judges: Sequence[JudgeFigures]) -> Table:
    columns: list[str | Column] = ["judge", "family", "marks", "unread"]
    if any(each.above_others is not None for each in judges):
        columns += ["mean", *_signed_columns("above others", lambda each: each.above_others)]
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
    """Return the columns of a figure: its value and its interval."""

    def value(row: object) -> str:
        shown = figure(row)
        return "-" if shown is None or shown.value is None else f"{shown.value:.3f}"

    def interval(row: object) -> str:
        shown = figure(row)
        return "" if shown is None else _range(shown.interval)

    return Column(heading, value, right=True), Column("95 %", interval)


def _signed_columns(heading: str, figure: Callable[[Any], AnswersFigure | None]) -> tuple[Column, Column]:
    """Return the columns of a figure in marks: its value and its interval, with their signs."""

    def value(row: object) -> str:
        shown = figure(row)
        return "-" if shown is None else _signed(shown.value)

    def interval(row: object) -> str:
        shown = figure(row)
        return "" if shown is None or shown.value is None else _range(shown.interval, "+.2f")

    return Column(heading, value, right=True), Column("95 %", interval)


def _signed(value: float | None) -> str:
    # Adding 0 takes the sign from a zero that was rounded.
    return "-" if value is None else f"{round(value, 2) + 0.0:+.2f}"


def _range(interval: Interval | None, style: str = ".2f") -> str:
    if interval is None:
        return ""
    low, high = (round(end, 2) + 0.0 for end in (interval.low, interval.high))
    return f"{low:{style}} to {high:{style}}"


PAIRS: Final = Table(PairFigures, ("first", "second", "n", "agreement"))
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
        Column("answers", lambda each: f"{each.verbosity.slope.n:,}", right=True),
        *_signed_columns("slope", lambda each: each.verbosity.slope),
        Column("partial correlation", lambda each: _signed(each.verbosity.partial.value), right=True),
    ),
)
POSITION: Final = Table(
    JudgeFigures,
    (
        "judge",
        Column("pairs", lambda each: each.position.items, right=True),
        Column("not read", lambda each: each.position.unreadable, right=True),
        *_columns("flips", lambda each: each.position.flip_share),
        Column(
            "first/second twice",
            lambda each: f"{each.position.kept_first}/{each.position.kept_second}",
            right=True,
        ),
        *_columns("first", lambda each: each.position.first_share),
        Column(
            "p",
            lambda each: f"{each.position.p:.2g}",
            right=True,
            legend=legend_of(PositionPreference, "p"),
        ),
    ),
)
