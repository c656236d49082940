"""`assay bench-score`: published benchmark results in one score, for context."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.files.bench_results import PublicResults, bench_results
from assay.ranking.board.bench_score import bench_score
from assay.results.bench import BENCH_SCORES, BenchScores, CitedPart, EloScale, ModelBench

app = new_app()


@app.command("bench-score")
@prints("one row per model")
def show(
    ctx: typer.Context,
    output: OutputFormat,
    file: Path | None = typer.Option(
        None, "--file", metavar="FILE", help="File of public results to use instead of the shipped ones."
    ),
) -> None:
    """Combine published benchmark results with weights 30/20/20/20/10. Assay measured none of them."""
    scale = EloScale()
    models = [_combine(public, scale) for public in bench_results(file)]
    models.sort(key=lambda model: (-model.score.coverage, -(model.score.score or 0)))
    print_listed(BENCH_SCORES, models, output, result=BenchScores(scale, tuple(models)))
    notes().print(
        "These are published results, not measured here; --json names each source and date. Do not compare "
        "scores of different coverage: the Elo part is lower than the other parts, so a model without an Elo "
        "looks better."
    )


def _combine(public: PublicResults, scale: EloScale) -> ModelBench:
    score = bench_score({name: cited.value for name, cited in public.results.items()}, scale)
    parts = tuple(CitedPart(part, public.results.get(part.benchmark)) for part in score.parts)
    return ModelBench(public.model, score, parts)
