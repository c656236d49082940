"""The seed's table 4 by the exact test, and bad tables of counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.stats.p_values import holm
from assay.studies.recall_table import read_recalls

TABLE_4 = Path(__file__).parents[2] / "docs/methodology/contamination-table-4.csv"
HEAD = "model,source,kind,n,recalled\n"


def test_table_4_supports_the_paper_for_the_chinese_sets_and_not_for_the_english_one() -> None:
    """Seven of 18 differences are significant, none of AGIEval (EN); o3-mini's are all negative."""
    report = read_recalls(TABLE_4)
    significant = {(test.model, test.source) for test in report.tests if test.significant}
    assert significant == {
        ("DeepSeek-V3", "AGIEval (ZH)"),
        ("ClaudeSonnet-4", "AGIEval (ZH)"),
        ("GPT-4o", "AGIEval (ZH)"),
        ("Qwen3-32B", "AGIEval (ZH)"),
        ("DeepSeek-V3", "C-Eval"),
        ("Doubao-1.5", "C-Eval"),
        ("Qwen3-32B", "C-Eval"),
    }
    negative = {(test.model, test.source) for test in report.tests if (test.difference or 0.0) < 0}
    assert negative == {("Doubao-1.5", "AGIEval (EN)")} | {
        ("o3-mini", source) for source in ("AGIEval (EN)", "AGIEval (ZH)", "C-Eval")
    }


def test_with_each_public_set_as_a_family_the_conclusion_is_the_same() -> None:
    """By set: none of AGIEval (EN), four of AGIEval (ZH), five of C-Eval, where o3-mini is lower."""
    tests = read_recalls(TABLE_4).tests
    counts = {}
    for source in ("AGIEval (EN)", "AGIEval (ZH)", "C-Eval"):
        family = [test for test in tests if test.source == source]
        adjusted = holm([test.p or 0.0 for test in family])
        counts[source] = [
            (test.model, (test.difference or 0.0) > 0)
            for test, p in zip(family, adjusted, strict=True)
            if p <= 0.05
        ]
    assert {source: len(models) for source, models in counts.items()} == {
        "AGIEval (EN)": 0,
        "AGIEval (ZH)": 4,
        "C-Eval": 5,
    }
    assert ("o3-mini", False) in counts["C-Eval"]


def test_the_guess_rate_is_subtracted_if_the_table_has_a_control(tmp_path: Path) -> None:
    """A row of kind `control` gives the other rows of its model their difference to it."""
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + "m,web,public,100,30\nm,own,private,100,10\nm,made up,control,100,5\n")
    report = read_recalls(path)
    assert [row.above and round(row.above.value, 9) for row in report.rows] == [0.25, 0.05, None]
    assert [test.difference for test in report.tests] == [pytest.approx(0.2)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("m,web,public,10,11\n", r"counts.csv:2: 11 recalled of 10 questions"),
        ("m,web,public,0,0\n", "0 recalled of 0 questions"),
        ("m,web,public,ten,1\n", "invalid n 'ten'"),
        ("m,web,open,10,1\n", "invalid kind 'open': write public, private or control"),
        (",web,public,10,1\n", "no model: fill it in"),
        ("m,web,public,10,1\nm,web,public,10,2\n", "second row of 'web' for the model 'm'"),
        ("m,a,private,10,1\nm,b,private,10,2\n", "second private source for the model 'm'"),
        ("m,web,public,10,1\n", "no model has a public and a private source"),
    ],
)
def test_a_bad_table_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    """The message has the line and says what to write."""
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + rows)
    with pytest.raises(InvalidInput, match=message):
        read_recalls(path)


def test_missing_columns_are_named(tmp_path: Path) -> None:
    """The message has all columns that are missing."""
    path = tmp_path / "counts.csv"
    path.write_text("model,n\nm,3\n")
    with pytest.raises(InvalidInput, match="missing columns source, kind, recalled"):
        read_recalls(path)
