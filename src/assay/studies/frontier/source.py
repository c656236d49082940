"""Reading the observations of a table or of runs of the workspace into a tensor."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.files.outcome_table import read_outcomes
from assay.files.outcome_table_columns import Null, TableWish, ZeroCost, parse_conditions
from assay.results.frontier import LeftOut, Rows
from assay.studies.frontier.assembled import assemble
from assay.studies.frontier.read import Read
from assay.studies.frontier.run_source import read_runs

__all__ = ["LeftOut", "Read", "Rows", "named_runs", "read_tensor"]

RUNS = re.compile(r"(run:)?\d+(,(run:)?\d+)*")
LEAST_COVERAGE = 0.5


def read_tensor(
    source: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    arms: Sequence[str] = (),
    where: Mapping[str, object] | Iterable[str] = (),
    null: Null | None = None,
    zero_cost: ZeroCost | None = None,
    quality_range: tuple[float, float] | None = None,
    least_coverage: float = LEAST_COVERAGE,
    engine: Engine | None = None,
) -> Read:
    """Read a source into a tensor. Prompts and models are in alphabetical order.

    `source` is a table of outcomes (.csv, .tsv, .parquet or .jsonl, compressed or not: long form, counts, or
    RouterBench's wide table), or runs such as "run:3" or "run:3,run:4" of the database behind `engine`.

    For tables, `columns` has the table's column for each of our names (prompt, model, generation, quality,
    cost, latency, status, category, text, unit, n_correct, n_gen; "" reads none). `arms` are the columns that
    together name a model. `where` keeps only some rows: {"release": "v1_400"} or ["release=v1_400",
    "model!=human"]. `null` is the meaning of a blank quality, "wrong" or "missing". `quality_range` (low,
    high) is mapped to 0 to 1.

    For all sources, `zero_cost` is the meaning of a cost of 0, "unknown" or "free" (None: free, with a note).
    A model with a quality on less than the share `least_coverage` of the prompts is left out.

    Raises InvalidInput with every problem and its place, NotFound if there is no such file or run.
    """
    wish = TableWish(
        columns=dict(columns or {}),
        arms=tuple(arms),
        where=parse_conditions(where),
        null=null,
        zero_cost=zero_cost,
        quality_range=quality_range,
    )
    numbers = named_runs(source)
    if numbers is None:
        path = Path(source)
        if not path.exists():
            raise NotFound(
                f"no table at {str(path)!r}: check the path, or write run:NUMBER for a run of the workspace"
            )
        return assemble(
            read_outcomes(path, wish),
            shlex.join([str(path), *_options(wish, least_coverage)]),
            least_coverage=least_coverage,
            zero_cost=zero_cost,
        )
    if wish != TableWish(columns={}, zero_cost=zero_cost):
        raise InvalidInput(
            "columns, arms, where, null and quality range are for tables in files: leave them out for runs"
        )
    if engine is None:
        raise InvalidInput(f"{str(source)!r} names a run: give the `engine` of an open workspace too")
    outcomes, description = read_runs(engine, numbers)
    return assemble(
        outcomes,
        f"{description} {shlex.join(_options(wish, least_coverage))}".strip(),
        least_coverage=least_coverage,
        zero_cost=zero_cost,
    )


def named_runs(source: str | Path) -> tuple[int, ...] | None:
    """Return the numbers of the runs that a source names, None if it names a file."""
    text = str(source)
    if not RUNS.fullmatch(text) or Path(source).is_file():
        return None
    return tuple(int(number.removeprefix("run:")) for number in text.split(","))


def _options(wish: TableWish, least: float) -> list[str]:
    """Return the options of reading as the command line writes them."""
    options: list[str] = []
    for ours, theirs in wish.columns.items():
        options += ["--column", f"{ours}={theirs}"]
    for column in wish.arms:
        options += ["--arm", column]
    for condition in wish.where:
        options += ["--where", f"{condition.column}{'=' if condition.equal else '!='}{condition.value}"]
    if wish.null is not None:
        options += ["--null", wish.null]
    if wish.zero_cost is not None:
        options += ["--zero-cost", wish.zero_cost]
    if wish.quality_range is not None:
        options += ["--quality-range", *(f"{end:g}" for end in wish.quality_range)]
    if least != LEAST_COVERAGE:
        options += ["--least-coverage", f"{least:g}"]
    return options
