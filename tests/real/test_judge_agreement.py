"""Agreement of recorded judges through the command's own reading: a run's figures, a table's, two codings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.results.agreement import Agreement, JudgeFigures
from assay.runs.imports.import_workbench import import_workbench
from assay.studies.judges import file_agreement, run_agreement

pytestmark = pytest.mark.real

JUDGES = ("gpt-4.1", "claude-sonnet-4.6", "gemini-2.5-flash", "qwen3-235b")
LENIENCY = {"gpt-4.1": 0.12, "claude-sonnet-4.6": -0.26, "gemini-2.5-flash": 0.02, "qwen3-235b": 0.13}
"""As docs/methodology/judge-agreement.md has them, by another way to the same arrays."""

EXCESS = {
    "gpt-4.1": (-0.02, 7, 15),
    "claude-sonnet-4.6": (0.18, 4, 22),
    "gemini-2.5-flash": (0.01, 10, 21),
    "qwen3-235b": (0.08, 4, 21),
}


@pytest.fixture(scope="module")
def converted(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recordings as tables of marks."""
    folder = tmp_path_factory.mktemp("tables")
    marks = ", ".join(f"{{'judge': '{judge}', 'mark': judges.\"{judge}\"}}" for judge in JUDGES)
    rows = f"read_json('{shared_data / 'workbench_generalist.jsonl.zst'}', format='newline_delimited')"
    duckdb.sql(
        f"copy (select model, prompt_id as item, response as answer, unnest([{marks}], recursive := true) "
        f"from {rows} where trim(response) <> '') to '{folder / 'workbench.csv'}'"
    )
    llmbar = f"read_parquet('{shared_data / 'llmbar_judge_verdicts.parquet'}')"
    duckdb.sql(
        f"copy (with v as (from {llmbar} where subset = 'LLMBar/Natural' and strategy = 'CoT') "
        "select item, judge, winner as mark from v where winner_swapped is not null union all "
        "select distinct item, 'gold', label::varchar from v union all "
        "select item, judge || ' first won', (winner = '1')::int::varchar from v) "
        f"to '{folder / 'llmbar.csv'}'"
    )
    return folder


def judges(found: Agreement) -> dict[str, JudgeFigures]:
    """Return the judges' figures by name."""
    return {each.judge: each for each in found.figures.judges}


def figures(found: Agreement) -> dict[str, Any]:
    """Return what must not depend on where the marks were read, without intervals."""
    pairs = {
        frozenset((pair.first, pair.second)): (pair.n, pair.agreement, pair.kappa and pair.kappa.value)
        for pair in found.figures.pairs
    }
    each = {
        name: (
            one.above_others and one.above_others.value,
            one.own_family and one.own_family.excess.value,
            one.verbosity and one.verbosity.slope.value,
        )
        for name, one in judges(found).items()
    }
    alphas = {alpha.distance: alpha.value for alpha in found.figures.alphas}
    return {"answers": found.figures.answers, "pairs": pairs, "judges": each, "alphas": alphas}


@pytest.mark.slow
def test_a_run_and_a_table_of_the_same_marks_agree(
    sqlite: Engine, shared_data: Path, converted: Path
) -> None:
    """The imported run and the CSV give equal figures, and those that the methodology page prints."""
    import_workbench(sqlite, shared_data / "workbench_generalist.jsonl.zst", clock=lambda: 0.0)
    run, table = run_agreement(sqlite, 1), file_agreement(converted / "workbench.csv")
    ours, theirs = figures(run), figures(table)
    assert ours["answers"] == theirs["answers"] == 1914
    assert ours["pairs"] == theirs["pairs"]
    assert ours["alphas"] == pytest.approx(theirs["alphas"])
    for name, each in judges(run).items():
        assert ours["judges"][name] == pytest.approx(theirs["judges"][name])
        assert each.above_others is not None and each.above_others.value is not None
        assert each.own_family is not None and each.own_family.excess.value is not None
        assert round(each.above_others.value, 2) == LENIENCY[name]
        excess = round(each.own_family.excess.value, 2)
        assert (excess, each.own_family.above, each.own_family.models) == EXCESS[name]
    assert {name: round(value, 3) for name, value in ours["alphas"].items()} == {
        "nominal": 0.475,
        "ordinal": 0.744,
        "interval": 0.812,
    }


def test_llmbar_against_gold(shared_data: Path, converted: Path) -> None:
    """Kappas against the gold labels are the recomputed ones, judge by judge."""
    expected = dict(
        duckdb.sql(
            f"select judge, kappa_vs_gold_true from '{shared_data / 'llmbar_expected_statistics.parquet'}' "
            "where subset = 'LLMBar/Natural' and strategy = 'CoT'"
        ).fetchall()
    )
    found = file_agreement(converted / "llmbar.csv", judges=["gold", *expected])
    kappas = {
        ({pair.first, pair.second} - {"gold"}).pop(): pair.kappa and pair.kappa.value
        for pair in found.figures.pairs
        if "gold" in (pair.first, pair.second)
    }
    assert kappas == pytest.approx(expected)


def test_gold_labels_against_another_coding_are_refused(converted: Path) -> None:
    """Gold 1 and 2 against `the first one won` 0 and 1 has no kappa."""
    with pytest.raises(InvalidInput, match=r"gold uses \{1, 2\}|GPT-4 first won uses \{0, 1\}"):
        file_agreement(converted / "llmbar.csv", judges=["gold", "GPT-4 first won"])
