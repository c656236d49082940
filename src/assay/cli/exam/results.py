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
"""The headings of the ten reported subjects in seed 003's table 7."""


class ResultsGrouping(StrEnum):
    """A comparison that is shown instead of the list of models."""

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
        None,
        "--by",
        help="Comparison to show: prompting styles (variance divided by n) or draw sizes (by n - 1).",
    ),
) -> None:
    """Show S, R and ranks of official series, and other sittings.

    A model is published when it has finished all sittings of its series and all of them are marked.
    Unofficial sittings are not ranked and never serve as a reference.
    """
    work = open_session(ctx, existing=True)
    exam_results = read_results(
        work.engine,
        judge,
        reference=None if reference is None else read_identity(reference),
        draw=draw,
        series=series,
        simulated_judge=judge.partition("/")[0] in work.simulated,
    )
    if by is ResultsGrouping.PROMPTING:
        promptings = by_prompting(exam_results)
        text = partial(print_promptings, promptings)
        print_listed(PROMPTINGS, promptings.models, output, result=promptings, text=text)
    elif by is ResultsGrouping.DRAW_SIZE:
        sizes = by_draw_size(exam_results)
        print_listed(DRAW_SIZES, sizes.models, output, result=sizes, text=partial(print_draw_sizes, sizes))
    elif pairs:
        compared = [pair for series_result in exam_results.series for pair in series_result.pairs]
        print_listed(
            DIFFERENCES,
            compared,
            output,
            result=exam_results,
            text=partial(print_results, exam_results, pairs=True),
        )
    else:
        print_output(
            output,
            result=exam_results,
            csv=lambda: print_csv(map(_model_record, exam_results.models), RANKED.names),
            text=lambda: print_results(exam_results),
        )


def _model_record(model: ModelResult) -> dict[str, object]:
    """Return a model as a flat record, with its score in each subject."""
    return {**record(model), **{f"subject_{subject.code}": subject.score for subject in model.subjects}}


def print_results(exam_results: ExamResults, *, pairs: bool = False) -> None:
    """Print the ranking of each series, the unofficial results, and every sitting.

    With `pairs` the differences of S between all pairs of ranked models are printed too.
    """
    judged = f", judged by {exam_results.judge}{' (simulated)' if exam_results.judge_simulated else ''}"
    for series in exam_results.series:
        _print_series(series, judged, pairs=pairs)
    if exam_results.unofficial:
        title = f"Unofficial: not ranked and never a reference{judged}"
        print_rows(UNOFFICIAL, exam_results.unofficial, title)
    sittings = [sitting for model in exam_results.models for sitting in model.sittings]
    print_rows(SITTINGS, sittings, "Sittings")
    flagged = [
        FlaggedSitting(sitting.sitting.session, flag) for sitting in sittings for flag in sitting.flags
    ]
    if flagged:
        print_rows(FLAGS, flagged, "Sittings to review")
    if exam_results.judge not in exam_results.judges and exam_results.models:
        judges = ", ".join(
            f"{name} ({counted(marks, 'mark')})" for name, marks in exam_results.judges.items()
        )
        advice = f"choose another one with --judge: {judges}" if judges else "run `assay exam mark`"
        notes().print(f"there are no marks of {exam_results.judge}: {advice}")
    for series in exam_results.series:
        _remark_series(series)
    for model in exam_results.models:
        _remark_model(model)
    if exam_results.judge_simulated or any(model.simulated for model in exam_results.models):
        notes().print("Simulated models or judges took part: their results say nothing about real models.")
    if exam_results.example_questions:
        notes().print(
            f"{counted(exam_results.example_questions, 'question')} of these sittings came from the public "
            "example bank: do not publish these scores."
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
    """Return the subjects' headings, followed by each model's scores."""
    codes = list(dict.fromkeys(subject.code for model in models for subject in model.subjects))
    rows = [[SHORT.get(code, code) for code in codes]]
    for model in models:
        scores = {subject.code: f"{subject.score:.2f}" for subject in model.subjects}
        rows.append([scores.get(code, "-") for code in codes])
    return rows


def _remark_series(result: SeriesResult) -> None:
    remark = f"Series {result.series.name}: R is relative to {result.reference}"
    if result.reference != result.pinned_reference:
        remark += f" instead of the series' own reference {result.pinned_reference}"
    ready = any(model.identity == result.reference and model.published for model in result.models)
    notes().print(remark if ready else f"{remark}, which is not published yet: there is no R")
    if result.sitting_sd is None and result.ranked:
        notes().print(
            "  one sitting per model: intervals cover the choice of questions, not the variation of sittings"
        )


def _remark_model(model: ModelResult) -> None:
    name, out = model.identity, notes()
    if model.kin is not None:
        out.print(f"{name}: the judge {model.kin}, so its marks may favour the model")
    if model.published and model.draws == 1 and model.score is not None and model.score.n > 1:
        out.print(f"{name}: all sittings had the same questions")
    if model.abandoned:
        out.print(f"{name}: not counted, because unfinished: {counted(model.abandoned, 'sitting')}")
    if model.void:
        out.print(f"{name}: the operator declared {counted(model.void, 'sitting')} void")


def print_promptings(exam_results: PromptingComparison) -> None:
    """Print S by prompting style, with its mean and variance over the three styles."""
    title = f"S by prompting, judged by {exam_results.results.judge}; population variance (divided by n)"
    print_rows(PROMPTINGS, exam_results.models, title)
    if any(row.draws > 1 for row in exam_results.models):
        notes().print(
            "The styles had different draws, so part of the variance comes from the questions. To compare on "
            "one draw, give --draw NAME."
        )


def print_draw_sizes(exam_results: DrawSizeComparison) -> None:
    """Print R by draw size, with its mean and variance over the sittings."""
    title = f"R by draw size, judged by {exam_results.results.judge}; sample variance (divided by n - 1)"
    print_rows(DRAW_SIZES, exam_results.models, title)
