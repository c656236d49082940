"""What is asked of a long-form table in SQL: its rows typed, the wrong ones, repeated ones, its runs.

All but `TYPED` select from `typed`, and `TYPED` from `given`, which `long_form` makes of the file's columns.
"""

from __future__ import annotations

from assay.core.money import LARGEST_COST

# Numbers and times that cannot be read become NULL beside a text that is not: BAD finds those rows.
TYPED = """
SELECT *,
  prompt_text AS prompt,
  model_text AS model,
  use_case_text AS use_case,
  provider_text AS provider,
  run_text AS run,
  CASE WHEN numbered THEN TRY_CAST(TRY_CAST(generation_text AS DOUBLE) AS BIGINT) ELSE 0 END AS generation,
  CASE lower(quality_text) WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0
    ELSE TRY_CAST(quality_text AS DOUBLE) END AS quality,
  TRY_CAST(cost_text AS DOUBLE) AS cost,
  TRY_CAST(latency_text AS DOUBLE) AS latency,
  COALESCE(TRY_CAST(at_text AS DOUBLE), CASE WHEN isfinite(TRY_CAST(at_text AS TIMESTAMPTZ))
    THEN epoch(TRY_CAST(at_text AS TIMESTAMPTZ)) END) AS "at",
  COALESCE(lower(status_text), 'ok') AS status
FROM given
"""
BAD = f"""
prompt IS NULL OR model IS NULL
OR generation IS NULL OR generation < 0 OR (numbered AND generation != TRY_CAST(generation_text AS DOUBLE))
OR status NOT IN ('ok', 'invalid', 'error', 'ungraded')
OR (status = 'ok' AND (quality IS NULL OR isnan(quality) OR quality < 0 OR quality > 1))
OR (status IN ('invalid', 'error') AND quality_text IS NOT NULL AND quality IS DISTINCT FROM 0)
OR (status = 'ungraded' AND quality_text IS NOT NULL)
OR (cost_text IS NOT NULL AND (cost IS NULL OR NOT isfinite(cost) OR cost < 0 OR cost > {LARGEST_COST}))
OR (latency_text IS NOT NULL AND (latency IS NULL OR NOT isfinite(latency) OR latency < 0))
OR (at_text IS NOT NULL AND ("at" IS NULL OR "at" NOT BETWEEN 1e8 AND 1e11))
"""
READ = """
SELECT row, prompt, model, generation,
  CASE WHEN status = 'invalid' THEN 0.0 WHEN status = 'ok' THEN quality END,
  status, cost, latency, "at", use_case, provider, run
FROM typed
"""
DAY = 'CAST(floor("at" / 86400) AS BIGINT)'
BY_RUN = f'ORDER BY {DAY}, run NULLS FIRST, generation, "at", row'
PROMPTS = f"""
SELECT prompt, list(DISTINCT coalesce(use_case, '')), max(answers)
FROM (SELECT prompt, use_case, count(*) AS answers FROM typed GROUP BY prompt, use_case, model, {DAY}, run)
GROUP BY prompt ORDER BY prompt
"""
RUNS = f"""
SELECT {DAY} AS day, run, list(DISTINCT model ORDER BY model) FROM typed
GROUP BY ALL ORDER BY day, run NULLS FIRST
"""
REROUTED = """
SELECT model FROM typed GROUP BY model HAVING count(DISTINCT provider) > 1 ORDER BY model
"""
REPEATED = """
SELECT any_value(prompt), any_value(model), any_value(generation), any_value(at_text), count(*),
  min(row), max(row)
FROM typed WHERE prompt IS NOT NULL AND model IS NOT NULL AND generation IS NOT NULL
GROUP BY hash(prompt, model, generation, "at", run) HAVING count(*) > 1 ORDER BY min(row) LIMIT 20
"""
