"""`assay board --pairwise`: models ranked by judges' verdicts on pairs of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows
from assay.core.wording import counted
from assay.report.rank.pairwise import pairwise_page
from assay.results.pairs import JUDGE_ORDERS, PAIR_TALLIES, PairwiseBoard
from assay.results.rank_comparisons import EFFECTS, STRENGTHS, UNRATED, Covariate
from assay.runs.pairs.board import pairwise_board
from assay.runs.work import Work

RULE = "A model wins a pair if both orders agree; otherwise the pair counts half for each."


def rank_pairwise(
    work: Work,
    suite: str,
    version: str | None,
    *,
    runs: Sequence[int],
    judges: Sequence[str],
    covariates: Sequence[Covariate],
    output: OutputFormat,
    out: Path | None,
) -> None:
    """Print the ranking and write it to `out`."""
    board = pairwise_board(
        work.engine, suite, version, runs=runs, judges=judges, covariates=frozenset(covariates)
    )
    print_listed(
        STRENGTHS, board.ratings.models, output, result=board, text=lambda: print_pairwise_board(board)
    )
    _print_notes(board)
    write_study(out, board, STRENGTHS.records(board.ratings.models), pairwise_page(board))


def print_pairwise_board(board: PairwiseBoard) -> None:
    """Print the ratings, the effects of position and length, the judges, and each two models."""
    ratings = board.ratings
    title = f"{board.suite} {board.version}: {counted(board.items, 'prompt')}, judged in pairs"
    print_rows(STRENGTHS, ratings.models, title)
    if ratings.unrated:
        print_rows(UNRATED, ratings.unrated, "\nModels without a rating")
    if board.measured:
        print_rows(EFFECTS, board.measured, "\nEffects of position and length on a verdict")
    print_rows(JUDGE_ORDERS, board.orders, "\nJudges: the same pairs in both orders")
    print_rows(PAIR_TALLIES, board.tallies, "\nEvery two models")


def _print_notes(board: PairwiseBoard) -> None:
    out = notes()
    runs = ", ".join(map(str, board.runs))
    out.print(f"{counted(board.ratings.comparisons, 'comparison')} from run {runs}. {RULE}")
    for remark in board.ratings.remarks:
        out.print(f"  {remark}")
    if board.ratings.effects:
        adjusted = ", ".join(dict.fromkeys(effect.covariate.value for effect in board.ratings.effects))
        out.print(f"  ratings are adjusted for {adjusted}; each verdict is a comparison of its own")
    if board.simulated:
        out.print("A judge or a model is simulated: these figures say nothing about real models.")
