"""`assay study variants` and `assay study prompting`: variants of models on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer
from sqlalchemy import Engine

from assay.cli.app import with_options
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, print_listed, print_rows, prints
from assay.cli.rank.source import EXAM, OPTIONS, OUT, engine_of, in_database, source_options
from assay.cli.studies.correlate import print_study_source, reader
from assay.core.errors import InvalidInput
from assay.core.exam import EXAM_JUDGE
from assay.exam.results import read_results
from assay.report.rank.variants import prompting_page, variants_page
from assay.results.study import (
    DIFFERENCES,
    PromptingStudy,
    VariantDifference,
    VariantStudy,
    prompting_table,
)
from assay.studies.rank.arms import (
    ReadVariants,
    VariantSource,
    is_published,
    parse_variants,
    published_promptings,
    read_variants,
    study_promptings,
    study_variants,
)

VARIANT = typer.Option(
    [],
    "--variant",
    metavar="NAME=SOURCE",
    help="Variant and its scores: a table, run:3, board:SUITE or exam:SERIES; with one of several models as "
    "NAME=SOURCE@MODEL; repeatable.",
)
READING = {name: option for name, option in OPTIONS.items() if name != "source"}
OF_VARIANTS: dict[str, tuple[Any, Any]] = READING | {
    "variant": (list[str], VARIANT),
    "base": (
        str | None,
        typer.Option(None, "--base", metavar="NAME", help="Variant to compare with (default: the first)."),
    ),
}
OF_PROMPTING: dict[str, tuple[Any, Any]] = READING | {
    "source": (
        list[str] | None,
        typer.Argument(
            None,
            metavar="[SOURCE...]",
            help="Exam series, such as exam:zero-shot exam:few-shot, or one table with a row per model and a "
            "column of scores per prompting.",
        ),
    ),
    "variant": (list[str], VARIANT),
    "score": (
        list[str],
        typer.Option([], "--score", metavar="COLUMN", help="Column of scores in a table; repeatable."),
    ),
}


def _read(ctx: typer.Context, chosen: dict[str, Any], wanted: Sequence[VariantSource]) -> ReadVariants:
    stored = [variant.source for variant in wanted if in_database([variant.source])]
    engine = engine_of(ctx, stored[:1]) if stored else None
    return read_variants(wanted, source_options(chosen), reader(ctx, chosen), engine)


def _variants(ctx: typer.Context, chosen: dict[str, Any]) -> VariantStudy:
    return study_variants(_read(ctx, chosen, parse_variants(chosen["variant"])), chosen["base"])


def _promptings(ctx: typer.Context, chosen: dict[str, Any]) -> PromptingStudy:
    sources: list[str] = chosen["source"] or []
    if sources and chosen["variant"]:
        raise InvalidInput("sources and --variant together: give every prompting as --variant NAME=SOURCE")
    if is_published(sources):
        return published_promptings(sources[0], chosen["score"])
    if not sources:
        wanted = parse_variants(chosen["variant"])
    elif all(source.startswith(EXAM) for source in sources):
        engine = engine_of(ctx, sources[:1])
        assert engine is not None
        wanted = parse_variants([f"{_prompting(engine, source)}={source}" for source in sources])
    else:
        raise InvalidInput(
            f"the prompting of {sources[0]!r} is not known: name it, as --variant cot={sources[0]}"
        )
    return study_promptings(_read(ctx, chosen, wanted))


def _prompting(engine: Engine, source: str) -> str:
    """Return the prompting of an official exam series."""
    (results,) = read_results(engine, EXAM_JUDGE, series=source.removeprefix(EXAM)).series
    return str(results.series.prompting)


def _with_variants(command: Any) -> Any:
    return with_options(command, "study", OF_VARIANTS, _variants)


def _with_promptings(command: Any) -> Any:
    return with_options(command, "study", OF_PROMPTING, _promptings)


@prints("one row per variant, model and group")
@_with_variants
def variants(ctx: typer.Context, output: OutputFormat, study: VariantStudy, out: Path | None = OUT) -> None:
    """Compare variants of a model with a base, by discipline.

    A variant is a way to use a model: with thinking, with web search, with other parameters.
    """

    def text() -> None:
        print_rows(DIFFERENCES, study.wholes)
        if study.groups:
            print_rows(DIFFERENCES, study.groups, "\nBy group")
        _print_reasons(study.differences)

    print_listed(DIFFERENCES, study.differences, output, result=study, text=text)
    print_study_source(study.source)
    write_study(out, study, DIFFERENCES.records(study.differences), variants_page(study))


@prints("one row per model")
@_with_promptings
def prompting(
    ctx: typer.Context, output: OutputFormat, study: PromptingStudy, out: Path | None = OUT
) -> None:
    """Compare each model's scores under several promptings.

    Promptings are, for example, zero-shot, few-shot and chain of thought.
    """
    table = prompting_table(study.promptings)
    print_listed(table, study.models, output, result=study, text=partial(_print_promptings, study))
    print_study_source(study.source)
    write_study(out, study, table.records(study.models), prompting_page(study))


def _print_promptings(study: PromptingStudy) -> None:
    print_rows(prompting_table(study.promptings), study.models)
    if study.differences:
        print_rows(DIFFERENCES, study.differences, "\nDifferences within models")
        _print_reasons(study.differences)


def _print_reasons(rows: Sequence[VariantDifference]) -> None:
    for row in rows:
        if row.reason is not None:
            typer.echo(f"{row.model}, {row.variant}, {row.group}: {row.reason}")
