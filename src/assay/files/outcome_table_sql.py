"""What is asked of a table of outcomes in SQL, beside what `long_form_sql` asks of a long one.

`given` holds the rows that are wanted as text; `typed` their values; `prompts` and `models` the names in
order, each with its number.
"""

from __future__ import annotations

from assay.files.long_form_sql import TYPED as LONG_TYPED
from assay.files.outcome_table_columns import BETWEEN_ARMS, COST_MARK, Matched, expression, filtering
from assay.files.outcome_table_wish import TableWish
from assay.files.tables import Table, name
from assay.files.tables import text as literal

TEXTS = (
    "prompt",
    "model",
    "generation",
    "quality",
    "cost",
    "latency",
    "status",
    "unit",
    "n_correct",
    "n_gen",
)
NOT_READ = ("at", "provider", "run")
COUNTS_TYPED = """
SELECT *,
  prompt_text AS prompt,
  model_text AS model,
  use_case_text AS use_case,
  TRY_CAST(n_correct_text AS DOUBLE) AS n_correct,
  TRY_CAST(n_gen_text AS DOUBLE) AS n_gen,
  TRY_CAST(cost_text AS DOUBLE) AS cost,
  TRY_CAST(latency_text AS DOUBLE) AS latency
FROM given
"""
# Comparisons with NULL are NULL, so that a blank or a text in a count must be asked for by itself.
COUNTS_BAD = """
prompt IS NULL OR model IS NULL OR n_correct IS NULL OR n_gen IS NULL
OR NOT isfinite(n_correct) OR NOT isfinite(n_gen) OR n_correct < 0 OR n_correct > n_gen
OR n_correct != floor(n_correct) OR n_gen != floor(n_gen)
OR (cost_text IS NOT NULL AND (cost IS NULL OR NOT isfinite(cost) OR cost < 0))
OR (latency_text IS NOT NULL AND (latency IS NULL OR NOT isfinite(latency) OR latency < 0))
"""
UNITS = "SELECT DISTINCT unit_text FROM given WHERE unit_text IS NOT NULL ORDER BY 1 LIMIT 20"
NAMES = (
    "CREATE TEMP TABLE prompts AS SELECT prompt, row_number() OVER (ORDER BY prompt) - 1 AS code,"
    " low AS category, low IS DISTINCT FROM high AS several, high FROM"
    " (SELECT prompt, min(use_case) AS low, max(use_case) AS high FROM kept GROUP BY prompt)",
    "CREATE TEMP TABLE models AS SELECT model, row_number() OVER (ORDER BY model) - 1 AS code FROM"
    " (SELECT DISTINCT model FROM kept)",
)
CODED = """
SELECT row, prompts.code AS prompt, models.code AS model, {values}
FROM kept JOIN prompts USING (prompt) JOIN models USING (model)
"""
LONG_VALUES = (
    "generation, CASE WHEN status = 'invalid' THEN 0.0 WHEN status = 'ok' THEN quality END AS quality,"
    " cost, latency,"
    " CASE status WHEN 'ok' THEN 0 WHEN 'invalid' THEN 1 WHEN 'error' THEN 2 ELSE 3 END AS status"
)
COUNTS_VALUES = "n_correct, n_gen, cost, latency"


def given(table: Table, matched: Matched, wish: TableWish) -> str:
    """Return SQL for the rows that are wanted, numbered as in the file, as text, NULL where blank."""
    numbered = f"SELECT *, row_number() OVER () AS assay_row FROM {table.source}"
    where = filtering(table, wish.where)
    if matched.wide:
        return _wide_given(table, matched, numbered, where)
    parts = []
    for column in TEXTS:
        theirs = matched.columns.get(column)
        read = _arms(table, wish) if column == "model" and wish.arms else None
        read = read or (None if theirs is None else expression(table, theirs)) or "NULL::VARCHAR"
        if column == "latency" and theirs is not None and theirs.endswith("_ms"):
            read = f"coalesce(CAST(TRY_CAST({read} AS DOUBLE) / 1000 AS VARCHAR), {read})"
        parts.append(f"{read} AS {column}_text")
    category = matched.columns.get("category")
    parts.append(f"{'NULL::VARCHAR' if category is None else expression(table, category)} AS use_case_text")
    parts += [f"NULL::VARCHAR AS {column}_text" for column in NOT_READ]
    head = f"assay_row AS row, {'generation' in matched.columns} AS numbered"
    return f"SELECT {head}, {', '.join(parts)} FROM ({numbered}) WHERE {where}"


def _arms(table: Table, wish: TableWish) -> str:
    """An arm's name joins its columns; a blank one is told as a dash, and all blank is a blank name."""
    reads = [str(expression(table, column)) for column in wish.arms]
    joined = f" || {literal(BETWEEN_ARMS)} || ".join(f"coalesce({read}, '-')" for read in reads)
    return f"CASE WHEN coalesce({', '.join(reads)}) IS NULL THEN NULL ELSE {joined} END"


def _wide_given(table: Table, matched: Matched, numbered: str, where: str) -> str:
    """RouterBench's wide table: one column a model with its quality, another with its cost."""
    cells = ", ".join(
        f"{{'model': {literal(model)}, 'quality': {_plain(model)}, 'cost': {_plain(model + COST_MARK)}}}"
        for model in matched.wide
    )
    category = matched.columns.get("category")
    read = "NULL::VARCHAR" if category is None else expression(table, category)
    blank = ", ".join(
        f"NULL::VARCHAR AS {column}_text"
        for column in (*TEXTS, *NOT_READ)
        if column not in ("prompt", "model", "quality", "cost")
    )
    return (
        f"SELECT row, FALSE AS numbered, prompt_text, cell.model AS model_text, cell.quality AS quality_text,"
        f" cell.cost AS cost_text, use_case_text, {blank} FROM (SELECT assay_row AS row,"
        f" {expression(table, matched.columns['prompt'])} AS prompt_text, {read} AS use_case_text,"
        f" unnest([{cells}]) AS cell FROM ({numbered}) WHERE {where})"
    )


def _plain(column: str) -> str:
    return f"nullif(trim(CAST({name(column)} AS VARCHAR)), '')"


def typed(wish: TableWish, counts: bool) -> str:
    """Return SQL for the typed rows, with what blanks mean and the quality's range applied."""
    if counts:
        return COUNTS_TYPED
    blank = "status = 'ok' AND quality_text IS NULL"
    status, quality = "status", "quality"
    if wish.quality_range is not None:
        low, high = wish.quality_range
        quality = f"(quality - {low!r}::DOUBLE) / {high - low!r}::DOUBLE"
    if wish.null == "missing":
        status = f"CASE WHEN {blank} THEN 'ungraded' ELSE status END"
    elif wish.null == "wrong":
        quality = f"CASE WHEN {blank} THEN 0.0 ELSE {quality} END"
    return f"SELECT * REPLACE ({status} AS status, {quality} AS quality) FROM ({LONG_TYPED})"


def texts(table: Table, matched: Matched, wish: TableWish) -> str | None:
    """Return SQL for each prompt's wording, (prompt, wording), None where no column holds it."""
    theirs = matched.columns.get("text")
    if theirs is None:
        return None
    prompt = expression(table, matched.columns["prompt"])
    wording = expression(table, theirs)
    return (
        f"SELECT {prompt} AS prompt, min({wording}), max({wording}) FROM {table.source}"
        f" WHERE {filtering(table, wish.where)} GROUP BY 1 HAVING prompt IS NOT NULL"
    )
