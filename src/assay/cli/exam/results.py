"""`assay exam results`: scores of sittings and models, and comparisons of prompting and draw sizes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Final

import typer

from assay.cli.output import OutputFormat, notes, print_csv, print_listed, print_output, print_rows, prints
from assay.cli.session import open_session
from assay.core.exam import EXAM_JUDGE
from assay.core.wording import counted
from assay.exam.results import by_draw_size, by_prompting, read_results
from assay.exam.series import read_identity
from assay.results.exam import (
    DIFFERENCES,
    DRAW_SIZES,
    NOT_PUBLISHED,
    PROMPTINGS,
    RANKED,
    UNOFFICIAL,
    DrawSizeComparison,
    ExamResults,
    ModelResult,
    PromptingComparison,
    SeriesResult,
)
from assay.results.exam_sitting import FLAGS, SITTINGS, FlaggedSitting
from assay.results.table import record

SHORT: Final = {
    "engineering": "Eng.",
    "economics": "Econ.",
    "education": "Edu.",
    "law": "Law",
    "literature": "Lit.",
    "management": "Mgmt.",
    "science": "Sci.",
    "history": "Hist.",
    "medicine": "Med.",
    "military": "Mil.",
}
"""The ten reported subjects as seed 003's table 7 heads them."""


class ResultsGrouping(StrEnum):
    """What is compared instead of listing models."""

    PROMPTING = "prompting"
    DRAW_SIZE = "draw-size"


@prints("one row per model, or per pair with --pairs")
def results(
    ctx: typer.Context,
    output: OutputFormat,
    judge: str = typer.Option(
        EXAM_JUDGE, "--judge", metavar="PROVIDER/MODEL", help="Judge whose marks count."
    ),
    series: str | None = typer.Option(
        None, "--series", metavar="NAME", help="Show only this official series."
    ),
    reference: str | None = typer.Option(
        None,
        "--reference",
        metavar="ORGANISATION/MODEL",
        help="Reference model for R (default: the one pinned in the series).",
    ),
    draw: str | None = typer.Option(
        None, "--draw", metavar="NAME", help="Show only sittings of this named draw."
    ),
    pairs: bool = typer.Option(
        False, "--pairs", help="Compare S between all pairs of models, with p values."
    ),
    by: ResultsGrouping | None = typer.Option(
        None, "--by", help="Compare prompting styles (variance over n) or draw sizes (over n - 1)."
    ),
) -> None:
    """Show S, R and ranks of official series, and other sittings.

    A model is published when it has finished all sittings of its series and all of them are marked.
    Unofficial sittings are not ranked and never serve as a reference.
    """
    work = open_session(ctx, existing=True)
    found = read_results(
        work.engine,
        judge,
        reference=None if reference is None else read_identity(reference),
        draw=draw,
        series=series,
        simulated_judge=judge.partition("/")[0] in work.simulated,
    )
    if by is ResultsGrouping.PROMPTING:
        promptings = by_prompting(found)
        text = partial(print_promptings, promptings)
        print_listed(PROMPTINGS, promptings.models, output, result=promptings, text=text)
    elif by is ResultsGrouping.DRAW_SIZE:
        sizes = by_draw_size(found)
        print_listed(DRAW_SIZES, sizes.models, output, result=sizes, text=partial(print_draw_sizes, sizes))
    elif pairs:
        compared = [pair for each in found.series for pair in each.pairs]
        print_listed(
            DIFFERENCES, compared, output, result=found, text=partial(print_results, found, pairs=True)
        )
    else:
        print_output(
            output,
            result=found,
            csv=lambda: print_csv(map(_model_record, found.models), RANKED.names),
            text=lambda: print_results(found),
        )


def _model_record(model: ModelResult) -> dict[str, object]:
    """Return a model as a flat record, with its score in each subject."""
    return {**record(model), **{f"subject_{each.code}": each.score for each in model.subjects}}


def print_results(found: ExamResults, *, pairs: bool = False) -> None:
    """Print each series with its ranking, unofficial sittings apart, and every sitting.

    With `pairs` the difference of S between all pairs of ranked models too.
    """
    judged = f", judged by {found.judge}{' (simulated)' if found.judge_simulated else ''}"
    for series in found.series:
        _print_series(series, judged, pairs=pairs)
    if found.unofficial:
        print_rows(UNOFFICIAL, found.unofficial, f"Unofficial: not ranked, nobody's reference{judged}")
    sittings = [sitting for model in found.models for sitting in model.sittings]
    print_rows(SITTINGS, sittings, "Sittings")
    flagged = [
        FlaggedSitting(sitting.sitting.session, flag) for sitting in sittings for flag in sitting.flags
    ]
    if flagged:
        print_rows(FLAGS, flagged, "To be looked at")
    if found.judge not in found.judges and found.models:
        known = ", ".join(f"{name} ({marks:,} marks)" for name, marks in found.judges.items()) or "nobody"
        notes().print(f"{found.judge} has marked nothing; marked have: {known}. Name one with --judge.")
    for series in found.series:
        _remark_series(series)
    for model in found.models:
        _remark_model(model)
    if found.judge_simulated or any(model.simulated for model in found.models):
        notes().print("Simulated models or judges took part: nothing real was measured of them.")
    if found.example_questions:
        notes().print(
            f"{counted(found.example_questions, 'question')} of these sittings came from the public example "
            "bank: do not publish these scores."
        )


def _print_series(result: SeriesResult, judged: str, *, pairs: bool) -> None:
    series = result.series
    ranked = [model for model in result.models if model.published]
    if ranked:
        rules = f"{series.sittings} sittings of {series.n} questions, {series.prompting}"
        print_rows(RANKED, ranked, f"Series {series.name}: {rules}{judged}", beside=_subjects(ranked))
    others = [model for model in result.models if not model.published]
    if others:
        print_rows(NOT_PUBLISHED, others, f"Series {series.name}, not published yet{judged}")
    if pairs and ranked:
        print_rows(DIFFERENCES, result.pairs, f"Series {series.name}: differences of S")


def _subjects(models: Sequence[ModelResult]) -> list[list[str]]:
    """Return the subjects' headings, then each model's scores."""
    codes = list(dict.fromkeys(subject.code for model in models for subject in model.subjects))
    rows = [[SHORT.get(code, code) for code in codes]]
    for model in models:
        scores = {subject.code: f"{subject.score:.2f}" for subject in model.subjects}
        rows.append([scores.get(code, "-") for code in codes])
    return rows


def _remark_series(result: SeriesResult) -> None:
    remark = f"Series {result.series.name}: R is relative to {result.reference}"
    if result.reference != result.pinned_reference:
        remark += f", not to its own reference {result.pinned_reference}"
    ready = any(model.identity == result.reference and model.published for model in result.models)
    notes().print(remark if ready else f"{remark}, which is not published yet: there is no R")
    if result.sitting_sd is None and result.ranked:
        notes().print("  one sitting each: intervals cover the choice of questions, not how sittings vary")


def _remark_model(model: ModelResult) -> None:
    name, out = model.identity, notes()
    if model.kin is not None:
        out.print(f"{name}: the judge {model.kin}, so its marks may favour it")
    if model.published and model.draws == 1 and model.score is not None and model.score.n > 1:
        out.print(f"{name}: all sittings had the same questions")
    if model.abandoned:
        out.print(f"{name}: {counted(model.abandoned, 'sitting')} ended unfinished and does not count")
    if model.void:
        out.print(f"{name}: the operator declared {counted(model.void, 'sitting')} void")


def print_promptings(found: PromptingComparison) -> None:
    """Print S by prompting with mean and variance over the three."""
    title = f"S by prompting, judged by {found.results.judge}; population variance (divided by n)"
    print_rows(PROMPTINGS, found.models, title)
    if any(row.draws > 1 for row in found.models):
        notes().print("Several draws: part of the variance is that of questions. Compare on one: --draw NAME")


def print_draw_sizes(found: DrawSizeComparison) -> None:
    """Print R by draw size with mean and variance over the sittings."""
    title = f"R by draw size, judged by {found.results.judge}; sample variance (divided by n - 1)"
    print_rows(DRAW_SIZES, found.models, title)
