"""Printing how far judges agree: who is strict, who agrees with whom, and what each one favours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from assay.cli.output import counted, notes, print_table

if TYPE_CHECKING:
    from assay.stats.intervals import Interval
    from assay.stats.kappa import Kappa
    from assay.stats.preference import Preference
    from assay.stats.ratio import Estimate
    from assay.studies.judges import Agreement, Figures, JudgeFigures

TOLD = 20
"""At most so many wrong rows are printed; --json has all."""


def print_agreement(found: Agreement) -> None:
    """Print all figures as tables; what is wrong, left out or easily misread goes to stderr."""
    figures = found.figures
    typer.echo(_title(found))
    _judges(figures)
    for shown in (_pairs, _alphas, _preferences, _verbosities, _positions):
        shown(figures)
    _tell(found)


def _title(found: Agreement) -> str:
    figures = found.figures
    source = str(found.file) if found.file is not None else f"run {found.run}, {found.suite} {found.version}"
    what = (
        f": {found.metric}" if found.metric else ": verdicts with one side first" if figures.pairwise else ""
    )
    return (
        f"{source}{what}, {counted(len(figures.judges), 'judge')}, {counted(figures.answers, 'answer')}, "
        f"{figures.shared:,} of them marked by two or more"
    )


def _judges(figures: Figures) -> None:
    columns = ["judge", "family", "marks", "no mark"]
    numbers = any(each.above_others is not None for each in figures.judges)
    if numbers:
        columns += ["mean", "above others", "95 %"]
    rows = []
    for each in figures.judges:
        row: list[object] = [each.judge, each.family or "unknown", f"{each.marks:,}", f"{each.unread:,}"]
        if numbers:
            row += [_value(each.mean, 2), *_figure(each.above_others)]
        rows.append(row)
    print_table(None, columns, rows, right=("marks", "no mark", "mean", "above others"))


def _pairs(figures: Figures) -> None:
    shown = [pair for pair in figures.pairs if not pair.refused]
    if not shown:
        return
    weighted = any(pair.quadratic is not None for pair in shown)
    near = any(pair.within_one is not None for pair in shown) and weighted
    columns = ["judges", "n", "agree", "95 %", *(["within 1"] if near else ()), "kappa", "95 %"]
    columns += ["linear", "quadratic", "95 %"] if weighted else []
    rows = []
    for pair in shown:
        row: list[object] = [f"{pair.first}, {pair.second}", f"{pair.n:,}"]
        row += [_value(pair.agreement), _range(pair.interval)]
        row += [_value(pair.within_one)] if near else []
        row += _kappa(pair.kappa)
        row += [_kappa(pair.linear)[0], *_kappa(pair.quadratic)] if weighted else []
        rows.append(row)
    typer.echo()
    print_table(None, columns, rows, right=("n", "agree", "within 1", "kappa", "linear", "quadratic"))


def _alphas(figures: Figures) -> None:
    if not figures.alphas:
        return
    typer.echo()
    typer.echo("Krippendorff's alpha")
    print_table(
        None,
        ("distance", "alpha", "95 %", "answers", "marks"),
        [
            (name, _value(each.value), _range(each.interval), f"{each.items:,}", f"{each.marks:,}")
            for name, each in figures.alphas
        ],
        right=("alpha", "answers", "marks"),
    )


def _preferences(figures: Figures) -> None:
    rows = [row for each in figures.judges for row in _own(each)]
    if not rows:
        return
    typer.echo()
    typer.echo("Own models: marks against the other judges', on own answers less on others'")
    print_table(
        None,
        ("judge", "own", "answers", "excess", "95 %", "other models as high"),
        rows,
        right=("answers", "excess"),
    )


def _own(each: JudgeFigures) -> Iterator[Sequence[object]]:
    kinds: tuple[tuple[str, Preference | None], ...] = (
        ("model", each.own_model),
        ("family", each.own_family),
    )
    for name, found in kinds:
        if found is not None:
            value, ends = _figure(found.excess)
            yield each.judge, name, f"{found.own.n:,}", value, ends, f"{found.above} of {found.models}"


def _verbosities(figures: Figures) -> None:
    rows = []
    for each in figures.judges:
        if each.verbosity is not None:
            slope, partial = each.verbosity.slope, each.verbosity.partial
            rows.append((each.judge, f"{slope.n:,}", *_figure(slope), _signed(partial)))
    if rows:
        typer.echo()
        typer.echo("Length: marks for each doubling, above what the other judges give")
        print_table(
            None,
            ("judge", "answers", "slope", "95 %", "partial correlation"),
            rows,
            right=("answers", "slope", "partial correlation"),
        )


def _positions(figures: Figures) -> None:
    rows = [
        (
            each.judge,
            found.items,
            found.unreadable,
            _value(found.flip_share),
            _range(found.flip_interval),
            f"{found.kept_first}/{found.kept_second}",
            _value(found.first_share),
            _range(found.first_interval),
            f"{found.p:.2g}",
        )
        for each in figures.judges
        if (found := each.position) is not None
    ]
    if rows:
        typer.echo()
        typer.echo("Position: the same pair in both orders")
        right = ("pairs", "not read", "flips", "first/second twice", "first", "p")
        print_table(
            None,
            ("judge", *right[:3], "95 %", *right[3:5], "95 %", "p"),
            rows,
            right=right,
        )


def _tell(found: Agreement) -> None:
    for problem in found.problems[:TOLD]:
        notes().print(f"refused: {problem}")
    if len(found.problems) > TOLD:
        notes().print(f"{len(found.problems) - TOLD} more rows refused; all of them with --json")
    if found.problems:
        notes().print(f"{counted(len(found.problems), 'row')} refused of {found.rows:,}; the others count")
    if found.ignored:
        notes().print(f"columns not read: {', '.join(found.ignored)}")
    if found.others:
        notes().print(f"judges also marked {', '.join(found.others)}: choose with --metric")
    for remark in found.figures.remarks:
        notes().print(remark)
    if any(each.own_model or each.own_family for each in found.figures.judges):
        notes().print(
            "Read an excess beside the other models as high: they are nobody's own, so it is no favour."
        )
    if found.figures.replicates:
        notes().print(f"intervals at 95 %; bootstraps of at least {found.figures.replicates:,} draws")
    if found.simulated:
        notes().print("A simulated model answered or judged: nothing real was measured.")


def _figure(figure: Estimate | None) -> tuple[str, str]:
    if figure is None or figure.value is None:
        return "-", ""
    return _signed(figure.value), _range(figure.interval, signed=True)


def _kappa(kappa: Kappa | None) -> tuple[str, str]:
    return ("-", "") if kappa is None else (_value(kappa.value), _range(kappa.interval))


def _value(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _signed(value: float | None) -> str:
    # Adding 0 takes the sign from a zero that was rounded.
    return "-" if value is None else f"{round(value, 2) + 0.0:+.2f}"


def _range(interval: Interval | None, *, signed: bool = False) -> str:
    if interval is None:
        return ""
    style = "+.2f" if signed else ".2f"
    low, high = (round(end, 2) + 0.0 for end in (interval.low, interval.high))
    return f"{low:{style}} to {high:{style}}"
