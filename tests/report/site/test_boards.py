"""The pages of boards and exams: hostile names, private suites, ties, and empty states."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from exam_rows import NONCE
from exam_series import SatSeries
from fresh_database import fresh_sqlite
from hostile_names import HOSTILE

from assay.core.exam import EXAM_JUDGE
from assay.exam.results import read_results
from assay.report.frame import SiteFrame
from assay.report.site.boards import boards_page, compared_models_page
from assay.report.site.exam_board import exam_board_page
from assay.report.site.frontiers import frontiers_page
from assay.results.exam import ExamResults, Identity
from assay.runs.site.boards import BoardLine, ComparedModels, PromptPair
from assay.store.overview import CaseSample

BOARD = BoardLine(
    "small", "Small suite", "judged", 3, ("a/one", "b/two"), False, 3, datetime(2026, 3, 2, 7, tzinfo=UTC)
)
SITE = SiteFrame("boards", live=True)


def compared(count: int = 2, **changed: object) -> ComparedModels:
    """Return two models on prompts that both answered; the last prompt has no sample of the second."""
    first, second = CaseSample(7, 1, 0, 1, "ok", 100.0), CaseSample(8, 2, 0, 1, "ok", 0.0)
    pairs = [
        PromptPair(f"prompt-{n}", "group", 100.0, 0.0, (first, second if n < count - 1 else None))
        for n in range(count)
    ]
    whole = ComparedModels("small", "Small suite", False, False, ("a/one", "b/two"), tuple(pairs))
    return replace(whole, **changed)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> ExamResults:
    """A published series of two models that differ, and one model that never sat."""
    engine = fresh_sqlite(tmp_path_factory.mktemp("exam") / "assay.db")
    SatSeries(engine).add("spring", {"one": [3, 3, 3, 0], "two": [0, 0, 3, 0]})
    return read_results(engine, EXAM_JUDGE)


def test_a_line_has_first_place_and_the_day_of_the_last_run() -> None:
    """A tie is called a tie; a single winner is not."""
    text = boards_page([BOARD, replace(BOARD, name="won", leaders=("c/three",))], SITE)
    assert "<bdi>a/one</bdi>, <bdi>b/two</bdi>" in text
    assert text.count("tie (no significant difference)") == 1
    assert text.count(">2026-03-02</time>") == 2
    assert "Simulated" not in text
    assert "example bank" not in text


def test_simulated_models_and_example_questions_are_marked() -> None:
    """The banner stands on the page, and a mark at the line."""
    text = boards_page([replace(BOARD, kind="exam", simulated=True, example=True)], SITE)
    assert "<strong>Simulated.</strong>" in text
    assert 'href="/boards/exam/small"' in text
    assert "example bank" in text


def test_a_board_that_cannot_be_made_says_why() -> None:
    """The reason is text, the command in it is code, and there is no link."""
    text = boards_page(
        [BoardLine("bad", "bad", "judged", problem="<b>nothing</b>: run `assay run bad`")], SITE
    )
    assert "&lt;b&gt;nothing" in text
    assert "<code>assay run bad</code>" in text
    assert 'href="/boards/bad"' not in text


def test_frontiers_say_which_costs_are_known() -> None:
    """One model is no frontier; an unknown cost is said."""
    lines = [BOARD, replace(BOARD, name="part", priced=2), replace(BOARD, name="free", priced=0)]
    text = frontiers_page([*lines, replace(BOARD, name="alone", models=1)], SITE)
    assert ">known<" in text
    assert "complete for 2 of 3 models" in text
    assert "no model’s cost is complete" in text
    assert 'href="/frontier/alone"' not in text
    assert "assay run alone --model PROVIDER/MODEL" in text
    exams = frontiers_page([replace(BOARD, kind="exam")], SITE)
    assert "No frontier yet" in exams


def test_each_prompt_leads_to_both_answers() -> None:
    """A prompt that one of them has no sample of has no link."""
    text = compared_models_page(compared(), SITE)
    assert 'href="/compare/7.1/8.2"' in text
    assert text.count('href="/compare/') == 1
    assert 'href="/boards/small#differences"' in text


def test_a_private_suite_shows_no_prompt_without_the_role() -> None:
    """Names and links are left out, the scores stay."""
    private = compared(private=True)
    hidden = compared_models_page(private, SITE)
    assert "prompt-0" not in hidden
    assert 'href="/compare/' not in hidden
    assert "+100.0" in hidden
    shown = compared_models_page(private, replace(SITE, reveal=True))
    assert "prompt-0" in shown


def test_only_the_largest_differences_of_many_are_shown() -> None:
    """The page says how many prompts it leaves out."""
    text = compared_models_page(compared(1500), SITE)
    assert text.count("<tr data-row>") == 1000
    assert "500 smaller ones are not" in text


def test_an_exam_has_its_ranks_and_subjects(results: ExamResults) -> None:
    """S, R, rank ranges, one cell for each subject of a model, the pairs, and no question."""
    text = exam_board_page(results, results.series[0], SITE)
    assert "<bdi>lab/one</bdi>" in text
    assert "100.00" in text
    assert text.count('class="cell c') == 4
    assert ">Differences in S<" in text
    assert "Statement" not in text
    assert NONCE not in text
    assert "Simulated" not in text
    assert "Example bank" not in text


def test_an_exam_shows_its_banners(results: ExamResults) -> None:
    """A simulated judge, and questions from the public example bank."""
    warned = replace(results, judge_simulated=True, example_questions=60)
    text = exam_board_page(warned, results.series[0], SITE)
    assert "<strong>Simulated.</strong>" in text
    assert "60 questions of these sittings came from the public example bank" in text


def test_a_model_that_is_not_published_has_its_reason(results: ExamResults) -> None:
    """It is in no standings, and its subjects are still shown."""
    series = results.series[0]
    models = tuple(
        replace(model, missing=("2 of 3 finished sittings",), rank=None) for model in series.models
    )
    text = exam_board_page(results, replace(series, models=models, pairs=()), SITE)
    assert "No model meets every condition of publication yet." in text
    assert text.count("2 of 3 finished sittings") == 2


def test_hostile_names_stay_text(results: ExamResults) -> None:
    """Neither models nor prompts, suites or series can add markup or break out of an attribute."""
    series = results.series[0]
    models = tuple(replace(model, identity=Identity(HOSTILE, HOSTILE)) for model in series.models)
    named = replace(series, models=models, series=replace(series.series, name=HOSTILE))
    whole = compared(2, title=HOSTILE, suite=HOSTILE, models=(HOSTILE, "b/two"))
    pairs = tuple(pair._replace(item=HOSTILE, group=HOSTILE) for pair in whole.pairs)
    line = replace(BOARD, name=HOSTILE, title=HOSTILE, leaders=(HOSTILE, HOSTILE))
    pages = (
        boards_page([line, replace(line, kind="exam"), replace(line, problem=HOSTILE)], SITE),
        frontiers_page([line, replace(line, models=1)], SITE),
        compared_models_page(replace(whole, pairs=pairs), SITE),
        exam_board_page(replace(results, judge=HOSTILE), named, SITE),
    )
    for text in pages:
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
        assert text.count("</title>") == 1
        assert "\"'&\\" not in text


def test_static_pages_have_no_links_to_live_ones(tmp_path: Path) -> None:
    """Addresses are relative files whose names are safe."""
    text = boards_page([replace(BOARD, name="a b/c")], SiteFrame("boards", live=False))
    assert 'href="boards/x' in text
    assert "a b/c" not in text
