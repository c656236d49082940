"""`assay bench-score`: the blend of public results, for context beside what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_json, print_table
from assay.files.bench_results import PublicResults, bench_results
from assay.ranking.bench_score import BenchScore, EloScale, Part, bench_score

app = new_app()
TITLES = {
    "lmarena_elo": "Elo",
    "mmlu_pro": "MMLU-Pro",
    "gpqa_diamond": "GPQA Diamond",
    "swe_bench_verified": "SWE-bench Verified",
    "aime": "AIME",
}


@app.command("bench-score")
def show(
    file: Path | None = typer.Option(
        None, "--file", metavar="FILE", help="Public results of your own, instead of the shipped ones."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show the bench score: public results blended 30/20/20/20/10. Nothing of it was measured by Assay."""
    scale = EloScale()
    scored = [
        (model, bench_score({name: cited.value for name, cited in model.results.items()}, scale))
        for model in bench_results(file)
    ]
    scored.sort(key=lambda entry: (-entry[1].coverage, -(entry[1].score or 0)))
    if as_json:
        print_json(
            {
                "elo": {"version": scale.version, "low": scale.low, "span": scale.span},
                "models": [_document(model, score) for model, score in scored],
            }
        )
        return
    columns = ("model", "bench score", "coverage", *TITLES.values())
    print_table(None, columns, [_row(model, score) for model, score in scored], right=columns[1:])
    notes().print(
        "Public results, not measured here; --json names each source and date. Scores of different "
        "coverage do not compare: Elo shares run lower than the others; a model without an Elo looks better."
    )


def _row(model: PublicResults, score: BenchScore) -> tuple[object, ...]:
    shown = [None if part.value is None else _shown(part) for part in score.parts]
    total = "" if score.score is None else f"{score.score:.1f}"
    return (model.model, total, f"{score.coverage:.0%}", *shown)


def _shown(part: Part) -> str:
    return f"{part.value:.0f}" if part.benchmark == "lmarena_elo" else f"{part.value:.1%}"


def _document(model: PublicResults, score: BenchScore) -> dict[str, Any]:
    return {
        "model": model.model,
        "bench_score": score.score,
        "coverage": score.coverage,
        "parts": [_part(model, part) for part in score.parts],
    }


def _part(model: PublicResults, part: Part) -> dict[str, Any]:
    cited = model.results.get(part.benchmark)
    return {
        "benchmark": part.benchmark,
        "weight": part.weight,
        "value": part.value,
        "share": part.share,
        "source": None if cited is None else cited.source,
        "date": None if cited is None else cited.date.isoformat(),
        "note": None if cited is None else cited.note,
    }
