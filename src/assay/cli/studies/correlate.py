"""`assay study correlate`: do two rankings agree on the order of models?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, prints
from assay.cli.rank.source import OPTIONS, OUT, SIMULATED, engine_of, read_source, source_options
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.score_table import ScoreSource
from assay.report.rank.correlation import correlation_page
from assay.results.study import CORRELATIONS, CorrelationStudy, StudySource
from assay.studies.rank.correlations import correlate_sources

SOURCES = typer.Argument(
    ...,
    metavar="SOURCE...",
    help="Two sources or more (a table with one row per model, a table of items, run:3, board:SUITE, "
    "exam:SERIES), or one table with two columns of scores or more. The first is compared with the others.",
)
OF_CORRELATION: dict[str, tuple[Any, Any]] = {
    "source": (list[str], SOURCES),
    "score": (
        list[str],
        typer.Option(
            [], "--score", metavar="COLUMN", help="Column of scores in a table; repeatable (default: all)."
        ),
    ),
    "same": (
        list[str],
        typer.Option(
            [], "--same", metavar="NAME=NAME", help="Two names of one model, in any source; repeatable."
        ),
    ),
    "seed": (
        int,
        typer.Option(0, "--seed", metavar="SEED", help="Seed of the random orders, for more than 9 models."),
    ),
}


def _read(ctx: typer.Context, chosen: dict[str, Any]) -> CorrelationStudy:
    return correlate_sources(
        chosen["source"],
        reader(ctx, chosen),
        chosen=chosen["score"],
        same=parse_same(chosen["same"]),
        seed=chosen["seed"],
    )


def reader(ctx: typer.Context, chosen: dict[str, Any]) -> Callable[[str], ScoreSource]:
    """Return what reads one source of items, with the choices of `OPTIONS`."""
    options = source_options(chosen)
    return lambda source: read_source([source], options, engine_of(ctx, [source]))


def parse_same(pairs: Sequence[str]) -> dict[str, str]:
    """Return the name to use by the other name, from texts such as `GPT-4o=openai/gpt-4o`."""
    same = {}
    for pair in pairs:
        other, sign, name = (part.strip() for part in pair.partition("="))
        if not (sign and other and name):
            raise InvalidInput(f"invalid names {pair!r}: use NAME=NAME, such as GPT-4o=openai/gpt-4o")
        same[other] = name
    return same


def with_correlations(command: Any) -> Any:
    """Give a command its sources and their options; it gets the study as its parameter `study`."""
    return with_options(command, "study", OPTIONS | OF_CORRELATION, _read)


@prints("one row per pair of rankings")
@with_correlations
def correlate(
    ctx: typer.Context, output: OutputFormat, study: CorrelationStudy, out: Path | None = OUT
) -> None:
    """Show how well rankings of the same models agree.

    It also says which correlation so few models would need to be significant.
    """
    print_listed(CORRELATIONS, study.correlations, output, result=study)
    print_study_source(study.source)
    for row in study.correlations:
        notes().print(f"  {row.sentence}")
    write_study(out, study, CORRELATIONS.records(study.correlations), correlation_page(study))


def print_study_source(about: StudySource) -> None:
    """Print on stderr what was read, and every note about it."""
    if about.simulated:
        notes().print(SIMULATED)
    notes().print(f"{about.source}: {counted(about.models, 'model')}")
    for note in about.notes:
        notes().print(f"  {note}")
