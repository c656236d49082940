"""Observations on their way into a tensor: from a table in a file, or from runs of the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.files.outcome_table_wish import Null, TableWish, ZeroCost, parse_conditions
from assay.frontier.tensor import Tensor
from assay.studies.frontier.coverage import LeftOut, Rows
from assay.studies.frontier.table_source import read_table


@dataclass(frozen=True, slots=True)
class Read:
    """A tensor and what a report must say about how it was read.

    `source` names the file or the runs with every choice made in reading; `left_out` the models and prompts
    that are in the source but not in the tensor, each with the reason; `notes` what a reader should know.
    `rows` balance: read = used + errors + ungraded + left_out. `digest` is the file's SHA-256, for runs the
    suite's digest.
    """

    tensor: Tensor
    source: str
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    rows: Rows
    digest: str


def read_tensor(
    source: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    arms: Sequence[str] = (),
    where: Mapping[str, object] | Iterable[str] = (),
    null: Null | None = None,
    zero_cost: ZeroCost | None = None,
    quality_range: tuple[float, float] | None = None,
    least_coverage: float = 0.5,
    engine: Engine | None = None,
) -> Read:
    """Read a source into a tensor. Prompts and models stand in the order of the alphabet.

    `source` is a table of outcomes (.csv, .tsv, .parquet, .jsonl, packed or not): long form, counts, or
    RouterBench's wide table. `columns` gives the table's column for our names: prompt, model, generation,
    quality, cost, latency, status, category, text, unit, n_correct, n_gen. `arms` are columns that
    together name a model. `where` keeps rows: {"release": "v1_400"} or ["release=v1_400"]. `null` says what
    a blank quality is, "wrong" or "missing"; `zero_cost` what a cost of 0 is, "unknown" or "free";
    `quality_range` (low, high) becomes 0 to 1. A model with a quality on less than `least_coverage` of the
    prompts is left out. Raises InvalidInput with every problem, NotFound without a file.
    """
    wish = TableWish(
        columns=dict(columns or {}),
        arms=tuple(arms),
        where=parse_conditions(where),
        null=null,
        zero_cost=zero_cost,
        quality_range=quality_range,
    )
    tensor, told, left_out, notes, rows, digest = read_table(Path(source), wish, least_coverage)
    return Read(tensor, told, left_out, notes, rows, digest)
