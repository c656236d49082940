"""SQL for tables of outcomes.

`given` holds the rows that meet the conditions: names and statuses as text, and for each number its text (for
messages; not computed otherwise), its value and whether it is blank. `typed` interprets blanks and ranges;
`kept` holds its columns that are read, and whether a row is bad (`assay.files.row_checks`). `prompts` and
`models` are the sorted names with their numbers.
"""

from __future__ import annotations

from assay.files.outcome_table_columns import (
    COST_MARK,
    MatchedColumns,
    OutcomeOptions,
    arms,
    expression,
    filtering,
    native,
    plain,
)
from assay.files.row_checks import (
    MARKS,
    NAME_CHECKS,
    RowCheck,
    any_fault,
    check_amount,
    check_answers,
    check_whole,
)
from assay.files.tables import FileTable
from assay.files.tables import text as literal

NAMES = ("prompt", "model", "status", "unit")
NUMBERS = ("generation", "quality", "cost", "latency", "n_correct", "n_gen")
TYPED = """
SELECT *, prompt_text AS prompt, model_text AS model, category_text AS category, cost_raw AS cost,
  latency_raw AS latency, CASE WHEN numbered THEN generation_raw ELSE 0 END AS generation,
  n_correct_raw AS n_correct, n_gen_raw AS n_gen
FROM ({meant})
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


def given(table: FileTable, matched: MatchedColumns, options: OutcomeOptions) -> str:
    """Return SQL for the rows that meet the conditions, with their numbers in the file."""
    rows = numbered(table, matched)
    where = filtering(table, options.where)
    parts = [f"assay_row AS row, {'generation' in matched.columns} AS numbered"]
    for column in (*NAMES, "category"):
        theirs = matched.columns.get(column)
        read = "NULL::VARCHAR" if theirs is None else expression(table, theirs)
        if column == "model":
            read = _model(table, matched, options)
        parts.append(f"{read} AS {column}_text")
    for column in NUMBERS:
        parts += _number(table, matched, column)
    return f"SELECT {', '.join(parts)} FROM ({rows}) WHERE {where}"


def numbered(table: FileTable, matched: MatchedColumns) -> str:
    """Return SQL for all rows with their numbers; a row of a wide table gives one row for each model."""
    if table.kind == "parquet" and "file_row_number" not in table.columns:
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


def _model(table: FileTable, matched: MatchedColumns, options: OutcomeOptions) -> str:
    if matched.wide:
        return "assay_cell.model"
    return arms(table, options.arms) if options.arms else str(expression(table, matched.columns["model"]))


def _number(table: FileTable, matched: MatchedColumns, column: str) -> list[str]:
    """Return a number's text, value and whether it is blank. Columns of numbers are not converted to text."""
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


def typed(options: OutcomeOptions, counts: bool) -> str:
    """Return SQL for the typed rows, with blanks interpreted and the quality's range applied."""
    if counts:
        return TYPED.format(meant="SELECT *, FALSE AS blank FROM given")
    given_status = "coalesce(lower(status_text), 'ok')"
    empty = f"({given_status} = 'ok' AND quality_blank)"
    status, quality = given_status, "quality_raw"
    if options.quality_range is not None:
        low, high = options.quality_range
        quality = f"(quality_raw - {low!r}::DOUBLE) / {high - low!r}::DOUBLE"
    if options.null == "missing":
        status = f"CASE WHEN {empty} THEN 'ungraded' ELSE {given_status} END"
    elif options.null == "wrong":
        quality = f"CASE WHEN {empty} THEN 0.0 ELSE {quality} END"
    blank = "FALSE" if options.null else empty
    return TYPED.format(
        meant=f"SELECT *, {status} AS status, {quality} AS quality, {blank} AS blank FROM given"
    )


def checks(matched: MatchedColumns, options: OutcomeOptions) -> tuple[RowCheck, ...]:
    """Return the checks of the typed rows."""
    if matched.counts:
        most = f"at most {matched.columns['n_gen']!r}"
        return (
            *NAME_CHECKS,
            check_whole("n_correct"),
            check_whole("n_gen"),
            RowCheck("n_correct", "n_correct_raw > n_gen_raw", most),
            check_amount("cost", "the mean cost of an answer"),
            check_amount("latency", "seconds"),
        )
    if options.quality_range is None:
        return check_answers(
            f"a number from 0 to 1 ({MARKS}), or give another range by --quality-range LOW HIGH"
        )
    low, high = options.quality_range
    return check_answers(f"a number from {low:g} to {high:g}, the given --quality-range")


def kept(matched: MatchedColumns, options: OutcomeOptions) -> str:
    """Return SQL for the columns of the typed rows that are read, and whether a row is bad."""
    values = "n_correct, n_gen" if matched.counts else "generation, quality, status"
    bad = any_fault(checks(matched, options))
    return f"SELECT row, prompt, model, category, cost, latency, blank, {values}, {bad} AS bad FROM typed"


def texts(table: FileTable, matched: MatchedColumns, options: OutcomeOptions) -> str | None:
    """Return SQL for (prompt, wording) of each prompt, or None if no column has the wording."""
    theirs = matched.columns.get("text")
    if theirs is None:
        return None
    prompt = expression(table, matched.columns["prompt"])
    return (
        f"SELECT {prompt} AS prompt, min({expression(table, theirs)}) FROM {table.source}"
        f" WHERE {filtering(table, options.where)} GROUP BY 1 HAVING prompt IS NOT NULL"
    )
