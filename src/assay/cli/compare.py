"""`assay compare`: two runs case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from assay.cli.app import new_app
from assay.cli.output import print_json
from assay.cli.session import open_session
from assay.cli.shown_comparison import print_comparison
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.runs.compare_runs import ComparedRuns, Side

app = new_app()


@app.command()
def compare(
    ctx: typer.Context,
    run_a: int = typer.Argument(metavar="RUN_A", help="The run that is the measure, by its number."),
    run_b: int = typer.Argument(metavar="RUN_B", help="The run that is held against it."),
    model: str | None = typer.Option(
        None, "--model", "-m", metavar="PROVIDER/MODEL", help="The model, where a run has several."
    ),
    model_a: str | None = typer.Option(None, metavar="PROVIDER/MODEL", help="The model in RUN_A alone."),
    model_b: str | None = typer.Option(None, metavar="PROVIDER/MODEL", help="The model in RUN_B alone."),
    threshold: float = typer.Option(
        50.0, min=0.0, max=100.0, metavar="SCORE", help="A case passes from this score on, 0-100."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Compare two runs of one suite version: which cases flipped, the difference, and a paired test."""
    if model is not None and (model_a is not None or model_b is not None):
        raise InvalidInput("--model names the model of both runs: give it, or --model-a and --model-b")
    found = open_session(ctx, existing=True).compare(
        run_a, run_b, model_a=model_a or model, model_b=model_b or model, threshold=threshold / 100.0
    )
    if as_json:
        print_json(comparison_document(found))
    else:
        print_comparison(found)


def comparison_document(found: ComparedRuns) -> dict[str, Any]:
    """Return a comparison as one JSON document, scores 0-100; never a prompt or an answer."""
    shown, use_cases = found.difference, {case.id: case.use_case for case in found.suite.cases}
    interval = shown.interval

    def case(name: str) -> dict[str, Any]:
        return {"case": name, "use_case": use_cases[name]}

    return {
        "suite": found.suite.name,
        "version": found.suite.version,
        "digest": found.suite.digest,
        "visibility": found.suite.visibility,
        "simulated": found.simulated,
        "a": _side(found.a),
        "b": _side(found.b),
        "cases": shown.cases,
        "mean_a": _points(shown.mean_a),
        "mean_b": _points(shown.mean_b),
        "difference": _points(shown.difference),
        "low": None if interval is None else _points(interval.low),
        "high": None if interval is None else _points(interval.high),
        "level": 0.95 if interval is None else interval.level,
        "p": shown.p,
        "threshold": _points(shown.threshold),
        "binary": shown.binary,
        "fell": [
            {**case(flip.case), "a": _points(flip.before), "b": _points(flip.after)} for flip in shown.fell
        ],
        "rose": [
            {**case(flip.case), "a": _points(flip.before), "b": _points(flip.after)} for flip in shown.rose
        ],
        "p_flips": shown.mcnemar,
        "only_a": [case(name) for name in shown.only_a],
        "only_b": [case(name) for name in shown.only_b],
        "scores": [{**case(name), "a": _points(old), "b": _points(new)} for name, old, new in found.scores],
        "remarks": [{"text": remark} for remark in found.remarks],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "run": side.run.id,
        "kind": side.run.kind,
        "status": side.run.status,
        "day": side.run.day,
        "model": side.model.name,
        "n": side.n,
        "ok": side.ok,
        "invalid": side.invalid,
        "error": side.error,
        "ungraded": side.ungraded,
        "cases": side.scored,
    }


def _points(value: float | None) -> float | None:
    """Return a share as points of 0-100, without the noise of its last bits."""
    return None if value is None else round(100.0 * value, 10)
