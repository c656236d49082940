"""Where observations come from: a table in a file, or runs of the workspace. Both become a tensor."""

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
    """Read a source into a tensor; prompts and models stand in the order of the alphabet.

    `source` is a table of outcomes (.csv, .tsv, .parquet, .jsonl, packed or not: long form, counts, or
    RouterBench's wide table), or runs such as "run:3" or "run:3,run:4" of the database behind `engine`.
    For tables: `columns` gives the table's column for our names (prompt, model, generation, quality, cost,
    latency, status, category, text, unit, n_correct, n_gen; "" reads none). `arms` are columns that together
    name a model. `where` keeps rows: {"release": "v1_400"} or ["release=v1_400", "model!=human"]. `null` says
    what a blank quality is, "wrong" or "missing"; `quality_range` (low, high) becomes 0 to 1. For all:
    `zero_cost` says what a cost of 0 is, "unknown" or "free" (None: free, with a note); a model with a
    quality on less than `least_coverage` of the prompts is left out.

    Raises InvalidInput with every problem and its place, NotFound without the file or run.
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
                f"there is no table at {str(path)!r}; a run of the workspace is written run:NUMBER"
            )
        return assemble(
            read_outcomes(path, wish),
            shlex.join([str(path), *_choices(wish, least_coverage)]),
            least_coverage=least_coverage,
            zero_cost=zero_cost,
        )
    if wish != TableWish(columns={}, zero_cost=zero_cost):
        raise InvalidInput(
            "a run is read as it is: columns, arms, where, null and quality range are for tables in files"
        )
    if engine is None:
        raise InvalidInput(f"{str(source)!r} names a run: give the engine of an open workspace as well")
    found, told = read_runs(engine, numbers)
    return assemble(
        found,
        f"{told} {shlex.join(_choices(wish, least_coverage))}".strip(),
        least_coverage=least_coverage,
        zero_cost=zero_cost,
    )


def named_runs(source: str | Path) -> tuple[int, ...] | None:
    """Return the numbers of the runs that a source names, None when it names a file."""
    text = str(source)
    if not RUNS.fullmatch(text) or Path(source).is_file():
        return None
    return tuple(int(each.removeprefix("run:")) for each in text.split(","))


def _choices(wish: TableWish, least: float) -> list[str]:
    """Return every choice made in reading, as the command line writes it."""
    said: list[str] = []
    for ours, theirs in wish.columns.items():
        said += ["--column", f"{ours}={theirs}"]
    for column in wish.arms:
        said += ["--arm", column]
    for each in wish.where:
        said += ["--where", f"{each.column}{'=' if each.equal else '!='}{each.value}"]
    if wish.null is not None:
        said += ["--null", wish.null]
    if wish.zero_cost is not None:
        said += ["--zero-cost", wish.zero_cost]
    if wish.quality_range is not None:
        said += ["--quality-range", *(f"{end:g}" for end in wish.quality_range)]
    if least != LEAST_COVERAGE:
        said += ["--least-coverage", f"{least:g}"]
    return said
