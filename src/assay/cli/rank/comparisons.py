"""`assay rank bradley-terry` and `assay rank elo`: models ranked by paired comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OPTIONS, OUT, engine_of, print_source, read_source, source_options
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.comparison_ratings import RatingWish
from assay.ranking.comparisons import ComparisonSource
from assay.report.rank.comparisons import comparisons_page
from assay.results.rank_comparisons import (
    EFFECTS,
    ELOS,
    STRENGTHS,
    UNRATED,
    ComparisonRanking,
    Covariate,
    RatingScale,
    TieRule,
)
from assay.runs.pairs.board import pairs_numbers, pairs_source
from assay.studies.rank.comparisons import (
    ComparisonOptions,
    rank_comparisons,
    read_comparisons,
)

COVARIATE = typer.Option(
    [],
    "--covariate",
    help="Property to adjust for: answer length, position shown, or judge (each judge its own effects of "
    "the others); repeatable.",
)
TIES = typer.Option(
    TieRule.HALF, "--ties", help="Meaning of ties: half a win of each, or a probability of their own."
)
BASELINE = typer.Option(
    None, "--baseline", metavar="MODEL", help="Model at 0, or at 1000 for Elo (default: the mean)."
)
OF_COMPARISONS: dict[str, tuple[Any, Any]] = {
    "source": (
        list[str],
        typer.Argument(
            ...,
            metavar="SOURCE...",
            help="Table file, runs such as run:3 run:4, board:SUITE, exam:SERIES, or pairs:RUN (`assay "
            "judge pairs`).",
        ),
    ),
    "comparisons": (
        bool,
        typer.Option(
            False,
            "--comparisons",
            help="Read the file as a table of comparisons, even if its columns do not show it.",
        ),
    ),
    "preference_range": (
        tuple[float, float] | None,
        typer.Option(
            None,
            "--preference-range",
            metavar="A B",
            help="Preferences that say that a won and that b won (default: 1 2).",
        ),
    ),
    "tie_value": (
        float | None,
        typer.Option(None, "--tie-value", metavar="NUMBER", help="Further preference that means a tie."),
    ),
}


def with_comparisons(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument SOURCE and its options; it gets the comparisons as `read`."""
    return with_options(command, "read", OPTIONS | OF_COMPARISONS, _read)


def _read(ctx: typer.Context, chosen: dict[str, Any]) -> ComparisonSource:
    options = ComparisonOptions(
        source=source_options(chosen),
        comparisons=chosen["comparisons"],
        preferences=chosen["preference_range"],
        tie=chosen["tie_value"],
    )
    sources = chosen["source"]
    numbers = pairs_numbers(sources)
    if numbers is not None:
        _refuse_table_options(chosen)
        work = open_session(ctx, existing=True)
        return pairs_source(work.engine, numbers, options.source.judges)
    return read_comparisons(
        sources, options, lambda: read_source(sources, options.source, engine_of(ctx, sources))
    )


def _refuse_table_options(chosen: dict[str, Any]) -> None:
    """Raise InvalidInput for an option that is for tables, beside verdicts on pairs of answers."""
    for name in ("column", "where", "value_range", "comparisons", "preference_range", "tie_value"):
        if chosen[name]:
            flag = "--range" if name == "value_range" else f"--{name.replace('_', '-')}"
            raise InvalidInput(f"{flag} is for tables: leave it out beside {','.join(chosen['source'])!r}")


@prints("one row per model")
@with_comparisons
def bradley_terry(
    ctx: typer.Context,
    output: OutputFormat,
    read: ComparisonSource,
    covariate: list[Covariate] = COVARIATE,
    ties: TieRule = TIES,
    baseline: str | None = BASELINE,
    out: Path | None = OUT,
) -> None:
    """Rank models by the strengths that explain who beats whom.

    The strengths are those of the Bradley-Terry model.
    """
    wish = RatingWish(RatingScale.STRENGTH, ties, frozenset(covariate), baseline)
    _rank(rank_comparisons(read, wish), output, out)


@prints("one row per model")
@with_comparisons
def elo(
    ctx: typer.Context,
    output: OutputFormat,
    read: ComparisonSource,
    covariate: list[Covariate] = COVARIATE,
    ties: TieRule = TIES,
    baseline: str | None = BASELINE,
    out: Path | None = OUT,
) -> None:
    """Rank models by Elo ratings that do not depend on the order.

    Sequential ratings, averaged over random orders of the comparisons, are shown beside them.
    """
    wish = RatingWish(RatingScale.ELO, ties, frozenset(covariate), baseline)
    _rank(rank_comparisons(read, wish), output, out)


def _rank(ranking: ComparisonRanking, output: OutputFormat, out: Path | None) -> None:
    ratings = ranking.ratings
    table = ELOS if ratings.scale is RatingScale.ELO else STRENGTHS

    def text() -> None:
        print_rows(table, ratings.models)
        if ratings.effects:
            print_rows(EFFECTS, ratings.effects, "\nEffects")
        if ratings.unrated:
            print_rows(UNRATED, ratings.unrated, "\nModels without a rating")

    print_listed(table, ratings.models, output, result=ranking, text=text)
    print_source(ranking.source)
    console = notes()
    console.print(f"  {counted(ratings.comparisons, 'comparison')} between ranked models")
    if ratings.tie_parameter is not None:
        console.print(f"  tie parameter nu {ratings.tie_parameter:.3f}")
    for remark in ratings.remarks:
        console.print(f"  {remark}")
    write_study(out, ranking, table.records(ratings.models), comparisons_page(ranking))
