"""Reading the observations of a table or of runs of the workspace into a tensor."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.files.data_frame import TableSource, table_file
from assay.files.outcome_table import read_outcomes
from assay.files.outcome_table_columns import Null, OutcomeOptions, ZeroCost, parse_conditions
from assay.studies.frontier.assembled import assemble
from assay.studies.frontier.run_source import read_runs
from assay.studies.frontier.tensor_source import TensorSource

RUNS = re.compile(r"(run:)?\d+(,(run:)?\d+)*")
LEAST_COVERAGE = 0.5


def read_tensor(
    source: TableSource,
    *,
    columns: Mapping[str, str] | None = None,
    arms: Sequence[str] = (),
    where: Mapping[str, object] | Iterable[str] = (),
    null: Null | None = None,
    zero_cost: ZeroCost | None = None,
    quality_range: tuple[float, float] | None = None,
    least_coverage: float = LEAST_COVERAGE,
    engine: Engine | None = None,
) -> TensorSource:
    """Read a source into a tensor. Prompts and models are in alphabetical order.

    `source` is a table of outcomes (.csv, .tsv, .parquet or .jsonl, compressed or not, or a DataFrame: long
    form, counts, or RouterBench's wide table), or runs such as "run:3" or "run:3,run:4" of the database
    behind `engine`.

    For tables, `columns` has the table's column for each of our names (prompt, model, generation, quality,
    cost, latency, status, category, text, unit, n_correct, n_gen; "" reads none). `arms` are the columns that
    together name a model. `where` keeps only some rows: {"release": "v1_400"} or ["release=v1_400",
    "model!=human"]. `null` is the meaning of a blank quality, "wrong" or "missing". `quality_range` (low,
    high) is mapped to 0 to 1.

    For all sources, `zero_cost` is the meaning of a cost of 0, "unknown" or "free" (None: free, with a note).
    A model with a quality on less than the share `least_coverage` of the prompts is left out.

    Raises InvalidInput with every problem and its place, NotFound if there is no such file or run.
    """
    options = OutcomeOptions(
        columns=dict(columns or {}),
        arms=tuple(arms),
        where=parse_conditions(where),
        null=null,
        zero_cost=zero_cost,
        quality_range=quality_range,
    )
    numbers = named_runs(source)
    if numbers is None:
        with table_file(source) as table:
            if not table.path.exists():
                raise NotFound(
                    f"no table at {table.name!r}: check the path, or write run:NUMBER for a run of the "
                    "workspace"
                )
            return assemble(
                read_outcomes(table.path, options),
                shlex.join([table.name, *_options(options, least_coverage)]),
                least_coverage=least_coverage,
                zero_cost=zero_cost,
            )
    if options != OutcomeOptions(columns={}, zero_cost=zero_cost):
        raise InvalidInput(
            "columns, arms, where, null and quality range are for tables in files: leave them out for runs"
        )
    if engine is None:
        raise InvalidInput(f"{str(source)!r} names a run: give the `engine` of an open workspace too")
    outcomes, description = read_runs(engine, numbers)
    return assemble(
        outcomes,
        f"{description} {shlex.join(_options(options, least_coverage))}".strip(),
        least_coverage=least_coverage,
        zero_cost=zero_cost,
    )


def named_runs(source: TableSource) -> tuple[int, ...] | None:
    """Return the numbers of the runs that a source names, None if it is a table."""
    if not isinstance(source, str) or not RUNS.fullmatch(source) or Path(source).is_file():
        return None
    return tuple(int(number.removeprefix("run:")) for number in source.split(","))


def _options(options: OutcomeOptions, least: float) -> list[str]:
    """Return the options of reading as the command line writes them."""
    words: list[str] = []
    for ours, theirs in options.columns.items():
        words += ["--column", f"{ours}={theirs}"]
    for column in options.arms:
        words += ["--arm", column]
    for condition in options.where:
        words += ["--where", f"{condition.column}{'=' if condition.equal else '!='}{condition.value}"]
    if options.null is not None:
        words += ["--null", options.null]
    if options.zero_cost is not None:
        words += ["--zero-cost", options.zero_cost]
    if options.quality_range is not None:
        words += ["--quality-range", *(f"{end:g}" for end in options.quality_range)]
    if least != LEAST_COVERAGE:
        words += ["--least-coverage", f"{least:g}"]
    return words
