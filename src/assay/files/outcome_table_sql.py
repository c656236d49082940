"""What is asked of a table of outcomes in SQL.

`given` holds the rows that are wanted: names and statuses as text, numbers as numbers, each beside its text
(for messages; not computed otherwise) and whether it is blank. `typed` adds what blanks and ranges mean and
whether a row is bad, by the rules of `long_form_sql`; `kept` keeps that. `prompts` and `models` are the names
in order, each with its number.
"""

from __future__ import annotations

from assay.files.outcome_table_columns import COST_MARK, Matched, arms, expression, filtering, native, plain
from assay.files.outcome_table_wish import TableWish
from assay.files.tables import Table
from assay.files.tables import text as literal

NAMES = ("prompt", "model", "status", "unit")
NUMBERS = ("generation", "quality", "cost", "latency", "n_correct", "n_gen")
BAD_AMOUNT = (
    "(NOT {0}_blank AND ({0}_raw IS NULL OR NOT isfinite({0}_raw) OR {0}_raw < 0))"  # cost, latency: from 0
)
NOT_WHOLE = "({0}_raw IS NULL OR NOT isfinite({0}_raw) OR {0}_raw < 0 OR {0}_raw != floor({0}_raw))"
AMOUNTS = f"{BAD_AMOUNT.format('cost')} OR {BAD_AMOUNT.format('latency')}"
COUNTS_TYPED = f"""
SELECT *, prompt_text AS prompt, model_text AS model, category_text AS category,
  n_correct_raw AS n_correct, n_gen_raw AS n_gen, cost_raw AS cost, latency_raw AS latency, FALSE AS blank,
  prompt_text IS NULL OR model_text IS NULL OR {NOT_WHOLE.format("n_correct")} OR {NOT_WHOLE.format("n_gen")}
    OR n_correct_raw > n_gen_raw OR {AMOUNTS} AS bad
FROM given
"""
LONG_TYPED = f"""
SELECT *, prompt_text AS prompt, model_text AS model, category_text AS category,
  CASE WHEN numbered THEN generation_raw ELSE 0 END AS generation, cost_raw AS cost, latency_raw AS latency,
  prompt_text IS NULL OR model_text IS NULL OR (numbered AND {NOT_WHOLE.format("generation")})
    OR status NOT IN ('ok', 'invalid', 'error', 'ungraded')
    OR (status = 'ok' AND NOT blank AND (quality IS NULL OR isnan(quality) OR quality < 0 OR quality > 1))
    OR (status IN ('invalid', 'error') AND NOT quality_blank AND quality_raw IS DISTINCT FROM 0)
    OR (status = 'ungraded' AND NOT quality_blank) OR {AMOUNTS} AS bad
FROM ({{meant}})
"""
UNITS = "SELECT DISTINCT unit_text FROM given WHERE unit_text IS NOT NULL ORDER BY 1 LIMIT 20"
NUMBERED = (
    "CREATE TEMP TABLE prompts AS SELECT prompt, row_number() OVER (ORDER BY prompt) - 1 AS code,"
    " low AS category, low IS DISTINCT FROM high AS several, high FROM"
    " (SELECT prompt, min(category) AS low, max(category) AS high FROM kept GROUP BY prompt)",
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
    """Return SQL for the rows that are wanted, numbered as they stand in the file."""
    rows = numbered(table, matched)
    where = filtering(table, wish.where)
    parts = [f"assay_row AS row, {'generation' in matched.columns} AS numbered"]
    for column in (*NAMES, "category"):
        theirs = matched.columns.get(column)
        read = "NULL::VARCHAR" if theirs is None else expression(table, theirs)
        if column == "model":
            read = _model(table, matched, wish)
        parts.append(f"{read} AS {column}_text")
    for column in NUMBERS:
        parts += _number(table, matched, column)
    return f"SELECT {', '.join(parts)} FROM ({rows}) WHERE {where}"


def numbered(table: Table, matched: Matched) -> str:
    """Return SQL for all rows with their number, of a wide table one row a model."""
    if table.source.startswith("read_parquet(") and "file_row_number" not in table.columns:
        source = table.source.removesuffix(")") + ", file_row_number = true)"
        rows = f"SELECT *, file_row_number + 1 AS assay_row FROM {source}"
    else:
        rows = f"SELECT *, row_number() OVER () AS assay_row FROM {table.source}"
    if not matched.wide:
        return rows
    cells = ", ".join(
        f"{{'model': {literal(model)}, 'quality': {plain(model)}, 'cost': {plain(model + COST_MARK)}}}"
        for model in matched.wide
    )
    return f"SELECT *, unnest([{cells}]) AS assay_cell FROM ({rows})"


def _model(table: Table, matched: Matched, wish: TableWish) -> str:
    if matched.wide:
        return "assay_cell.model"
    return arms(table, wish.arms) if wish.arms else str(expression(table, matched.columns["model"]))


def _number(table: Table, matched: Matched, column: str) -> list[str]:
    """Return a number's text, value and whether it is blank; a native number is not read by way of text."""
    theirs = matched.columns.get(column)
    if matched.wide and column in ("quality", "cost"):
        text = f"assay_cell.{column}"
    elif theirs is None:
        return [f"NULL::VARCHAR AS {column}_text, NULL::DOUBLE AS {column}_raw, TRUE AS {column}_blank"]
    else:
        text = str(expression(table, theirs))
    own = None if theirs is None else native(table, matched, theirs)
    value = f"CAST({own} AS DOUBLE)" if own else f"TRY_CAST({text} AS DOUBLE)"
    if column == "quality" and not own:
        value = f"CASE lower({text}) WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE {value} END"
    if column == "latency" and matched.milliseconds:
        value = f"({value}) / 1000"
    blank = f"{own or text} IS NULL"
    return [f"{text} AS {column}_text, {value} AS {column}_raw, {blank} AS {column}_blank"]


def typed(wish: TableWish, counts: bool) -> str:
    """Return SQL for the typed rows, with what blanks mean and the quality's range applied."""
    if counts:
        return COUNTS_TYPED
    told = "coalesce(lower(status_text), 'ok')"
    empty = f"({told} = 'ok' AND quality_blank)"
    status, quality = told, "quality_raw"
    if wish.quality_range is not None:
        low, high = wish.quality_range
        quality = f"(quality_raw - {low!r}::DOUBLE) / {high - low!r}::DOUBLE"
    if wish.null == "missing":
        status = f"CASE WHEN {empty} THEN 'ungraded' ELSE {told} END"
    elif wish.null == "wrong":
        quality = f"CASE WHEN {empty} THEN 0.0 ELSE {quality} END"
    blank = "FALSE" if wish.null else empty
    meant = f"SELECT *, {status} AS status, {quality} AS quality, {blank} AS blank FROM given"
    return LONG_TYPED.format(meant=meant)


def kept(counts: bool) -> str:
    """Return SQL for what is kept of the typed rows."""
    values = "n_correct, n_gen" if counts else "generation, quality, status"
    return f"SELECT row, prompt, model, category, cost, latency, bad, blank, {values} FROM typed"


def texts(table: Table, matched: Matched, wish: TableWish) -> str | None:
    """Return SQL for each prompt's wording, (prompt, wording), None where no column holds it."""
    theirs = matched.columns.get("text")
    if theirs is None:
        return None
    prompt = expression(table, matched.columns["prompt"])
    return (
        f"SELECT {prompt} AS prompt, min({expression(table, theirs)}) FROM {table.source}"
        f" WHERE {filtering(table, wish.where)} GROUP BY 1 HAVING prompt IS NOT NULL"
    )
