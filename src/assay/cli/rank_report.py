"""`assay rank report`: what is known about a ranking, and what is not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import typer

from assay.cli.judge.reference import read_reference
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, prints
from assay.cli.rank.source import OUT, engine_of, print_source, read_source, with_scores
from assay.cli.studies.correlate import parse_same
from assay.core.people import HUMAN
from assay.ranking.findings import report_on
from assay.ranking.fragility import rank_fragility
from assay.ranking.items import report_items
from assay.ranking.judge_choice import choose_judge
from assay.ranking.relative_scores import rank_scores
from assay.ranking.score_table import ScoreSource
from assay.ranking.stability import measure_stability
from assay.report.rank.report import report_page
from assay.results.judge_choice import JudgeRecommendation
from assay.results.rank_report import FINDINGS, RankReport, RankReportParts
from assay.results.study import CorrelationStudy
from assay.studies.judges import SEED
from assay.studies.rank.correlations import correlate_sources
from assay.studies.recall_table import read_recalls


@prints("one row per question")
@with_scores
def report(
    ctx: typer.Context,
    output: OutputFormat,
    read: ScoreSource,
    against: list[str] = typer.Option(
        [], "--against", metavar="SOURCE", help="Another ranking, such as a static benchmark; repeatable."
    ),
    same: list[str] = typer.Option(
        [], "--same", metavar="NAME=NAME", help="Two names of one model, in any ranking; repeatable."
    ),
    recalls: Path | None = typer.Option(
        None, "--recalls", metavar="TABLE", help="Table of recalled questions, as for assay study recalls."
    ),
    human: str | None = typer.Option(
        None, "--human", metavar="SOURCE", help="Judges' and human marks, as for assay judge choose."
    ),
    reference: str | None = typer.Option(
        None, "--reference", metavar="MODEL", help="Reference model of R (default: the best)."
    ),
    resamples: int = typer.Option(100, min=2, metavar="N", help="Number of draws for each number of items."),
    seed: int = typer.Option(0, metavar="SEED", help="Seed of the draws."),
    out: Path | None = OUT,
) -> None:
    """Report what is known about a ranking, and what is not.

    The report answers who is first, whether the order would hold with other items or another method, and
    whether it agrees with static benchmarks. With more data it also covers memorised questions and human
    marks. It lists the questions that the data do not answer.
    """
    parts = RankReportParts(
        scores=rank_scores(read, reference),
        stability=measure_stability(read, (), resamples, reference, seed),
        items=report_items(read),
        fragility=rank_fragility(read),
        correlations=_correlate(ctx, read, against, same, seed) if against else None,
        recalls=None if recalls is None else read_recalls(recalls),
        judges=None if human is None else _choose(ctx, human),
    )
    result = report_on(parts)
    print_listed(FINDINGS, result.findings, output, result=result, text=partial(_print_report, result))
    print_source(read.about)
    write_study(out, result, FINDINGS.records(result.findings), report_page(result))


def _correlate(
    ctx: typer.Context, read: ScoreSource, against: list[str], same: list[str], seed: int
) -> CorrelationStudy:
    own = read.about.source

    def reader(source: str) -> ScoreSource:
        return read if source == own else read_source([source], engine=engine_of(ctx, [source]))

    return correlate_sources([own, *against], reader, same=parse_same(same), seed=seed)


def _choose(ctx: typer.Context, human: str) -> JudgeRecommendation:
    return choose_judge(read_reference(ctx, human), HUMAN, np.random.default_rng(SEED))


def _print_report(result: RankReport) -> None:
    for finding in result.findings:
        typer.echo(f"{finding.question}\n  {finding.answer or finding.limit}\n")
    typer.echo("What this report cannot conclude")
    for limit in result.limits:
        typer.echo(f"- {limit}")
