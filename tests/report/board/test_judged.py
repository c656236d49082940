"""The board's page as text: all figures, escaped; no secret, and no reference to another file."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from keyed_answers import simulated
from keyed_suite import keyed_suite
from stored_boards import alike, apart, halves, stored_board

from assay.core.errors import InvalidInput
from assay.ranking.board.judged import Board
from assay.ranking.board.keyed import rights_overall
from assay.ranking.board.measured import PromptKind, Status
from assay.report.board.judged import board_page, judges_view, write_board
from assay.report.bundle import vega_bundle
from assay.report.inline import content_policy
from assay.results.ranking import Excluded
from assay.runs.board.companion import Companion
from assay.runs.board.stored import StoredBoard

MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
HOSTILE = "a/<script>alert(1)</script>\"><img src=x onerror='alert(2)'>{{ 7 * 7 }}"
SECRETS = ("nonce-case-8b1f9e", "nonce-other-22cc71")


def page(stored: StoredBoard) -> str:
    """Return the page of a board."""
    return board_page(stored, made=MADE)


def markup(text: str) -> str:
    """Return the page without its scripts and styles."""
    return re.sub(r"<(script|style).*?</\1>", "", text, flags=re.S)


def body(text: str) -> str:
    """Return what a reader sees of the page, as one line of plain text."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup(text))).split())


def row(text: str, model: str) -> list[str]:
    """Return the cells of a model's line in the standings."""
    table = markup(text).partition('class="sortable standings"')[2].partition("</table>")[0]
    for line in table.split("<tr>")[1:]:
        cells = [
            " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, flags=re.S)
        ]
        if len(cells) > 1 and cells[1].replace(" ", "") == model:
            return cells
    raise AssertionError(model)


def test_the_header_describes_the_page() -> None:
    """Suite, version, digest, runs, prompts, judges and time."""
    stored = stored_board(alike())
    text = body(page(stored))
    for words in (
        "Judged judged 1",
        "3 models, 12 prompts",
        "n 36: 36 ok",
        "2 judges; G-Eval by j0",
        "2026-03-22 06:30 UTC",
        stored.suite.digest,
        "Runs 3, 4",
    ):
        assert words in text
    assert "imulated" not in text


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (("simulated/a", "simulated/b", "simulated/c"), "Everything here is simulated"),
        (("simulated/a", "real/b", "real/c"), "These models are not real: simulated/a."),
        (("real/a", "real/b", "real/c"), "At least one run behind this page"),
    ],
)
def test_the_notice_about_simulated_data_comes_first(models: tuple[str, ...], words: str) -> None:
    """It names only simulated models."""
    text = body(page(stored_board(alike(models=models), simulated=True)))
    assert 0 < text.index(words) < text.index("Standings")


def test_sections_are_in_order() -> None:
    """The headings are in a fixed order."""
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", markup(page(stored_board(alike()))))
    assert headings == [
        "Standings",
        "Significant differences",
        "Judges",
        "Results by kind of prompt",
        "Quality, tokens, cost and latency",
        "Missing data",
        "How to read this page",
    ]


def test_the_standings_are_those_of_the_board() -> None:
    """Rank range, composite with its interval, parts, counts and usage."""
    stored = stored_board(apart())
    standing = stored.board.standings[1]
    score, interval = standing.score, standing.interval
    adjusted, around = standing.adjusted, standing.adjusted.interval
    assert score.composite is not None and interval is not None
    assert adjusted.composite is not None and around is not None
    assert row(page(stored), "b") == [
        "2",
        "b",
        f"{100 * score.composite:.1f}",
        f"{100 * interval.low:.1f}–{100 * interval.high:.1f}",
        f"{100 * adjusted.composite:.1f} {100 * around.low:.1f}–{100 * around.high:.1f}",
        f"{score.judge_mean:.2f}",
        f"{score.geval_mean:.3f}",
        f"{standing.efficiency:.3f}",
        *("24", "24", "0", "0", "0", "0", "0", "0"),
        "2.0 s",
        "256",
        "$0.2400",
    ]


def test_unknown_usage_is_not_zero() -> None:
    """Cost, tokens and latency are shown as unknown."""
    made = alike()
    unknown = np.full(made.cost.shape, np.nan)
    cells = row(page(stored_board(replace(made, cost=unknown, tokens=unknown, latency=unknown))), "a")
    assert cells[-3:] == ["unknown"] * 3


def test_a_composite_of_one_half_is_marked() -> None:
    """The basis is beside the composite; a model without any half has no rank."""
    text = page(stored_board(halves()))
    assert row(text, "by-judges")[2].endswith("judges only")
    assert row(text, "by-geval")[2].endswith("G-Eval only")
    assert row(text, "neither")[:3] == ["–", "neither", "none"]
    assert "not comparable with the others" in body(text)
    assert "not comparable with the others" not in body(page(stored_board(alike())))


def test_invalid_answers_add_a_second_composite() -> None:
    """It has its own column, which is shown only if a composite differs."""
    made = alike()
    status, truncated = made.status.copy(), made.truncated.copy()
    status[0, :2], truncated[0, 0] = Status.INVALID, True
    stored = stored_board(replace(made, status=status, truncated=truncated))
    standing = next(standing for standing in stored.board.standings if standing.model == "a")
    assert standing.score.composite_invalid_zero is not None
    cells = row(page(stored), "a")
    assert cells[4] == f"{100 * standing.score.composite_invalid_zero:.1f}"
    assert cells[9:15] == ["12", "10", "2", "1", "0", "0"]
    assert "if invalid = 0" not in body(page(stored_board(made)))


def test_rank_ranges_are_written_as_ranges() -> None:
    """Models without significant differences have the same range."""
    text = page(stored_board(alike()))
    assert [row(text, model)[0] for model in "abc"] == ["1–3"] * 3
    assert "3 models tie for first place" in body(text)


def test_judges_are_shown_with_the_composites_without_them() -> None:
    """Leniency, adjusted means, and composites without each judge."""
    stored = stored_board(apart())
    text = body(page(stored))
    standing = stored.board.standings[0]
    assert f"{stored.board.judges[0].leniency:+.2f}".replace("-", "−") in text
    assert f"{standing.adjusted.judge_mean.value:.2f}" in text
    for left in standing.without:
        assert left.composite is not None
        assert f"{100 * left.composite:.1f}" in text


def test_names_are_escaped_everywhere() -> None:
    """Markup in names of models, judges and groups, in a title and in a reason is shown as text."""
    made = alike(models=(HOSTILE, "b", "c"), judges=(HOSTILE, "j1"), metrics=(HOSTILE,))
    prompts = tuple(PromptKind(prompt.id, HOSTILE, prompt.id + HOSTILE, HOSTILE) for prompt in made.prompts)
    text = page(
        stored_board(
            replace(made, prompts=prompts), title=HOSTILE, missing=(HOSTILE,), geval=HOSTILE, simulated=True
        )
    )
    assert "<script>alert" not in text
    assert "<img" not in markup(text)
    assert "49" not in row(text, HOSTILE.replace(" ", ""))[1]
    assert HOSTILE in body(text)


def test_the_policy_has_the_hashes_of_scripts_and_style() -> None:
    """The hashes are those of the page's scripts and style, byte for byte."""
    text = page(stored_board(alike()))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, flags=re.S)
    styles = re.findall(r"<style>(.*?)</style>", text, flags=re.S)
    assert scripts[0] == vega_bundle()
    assert policy is not None
    assert unescape(policy.group(1)) == content_policy(scripts, styles)


def test_the_page_links_only_to_itself() -> None:
    """All addresses exist on the page, and it has no attribute that a strict policy refuses."""
    text = page(stored_board(alike()))
    assert set(re.findall(r'(?:href|src)="([^"#]*)', markup(text))) <= {"", "data:,"}
    assert not re.findall(r'\s(?:style|on\w+)="', markup(text))
    places = set(re.findall(r'href="#([^"]+)"', text))
    assert places <= set(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_no_case_is_named(visibility: str) -> None:
    """Neither in the text nor in the charts' data; the page of a private suite says that it is private."""
    made = alike()
    prompts = tuple(replace(prompt, id=f"{SECRETS[0]}-{place}") for place, prompt in enumerate(made.prompts))
    text = page(stored_board(replace(made, prompts=prompts), visibility=visibility))
    assert SECRETS[0] not in text
    assert ("The suite is private" in body(text)) == (visibility == "private")


@pytest.mark.slow
def test_the_same_board_makes_the_same_page() -> None:
    """Nothing in it depends on the clock or on chance."""
    assert page(stored_board(alike())) == page(stored_board(alike()))


def test_a_single_model_is_not_compared() -> None:
    """It has rank 1, and the page has no table of pairs and no charts."""
    text = page(stored_board(alike(1)))
    assert "There is only one model." in body(text)
    assert 'class="matrix"' not in text
    assert "data-chart" not in markup(text)
    assert row(text, "a")[0] == "1"


def test_a_board_without_judges_says_so() -> None:
    """G-Eval alone is enough for a board."""
    made = alike()
    text = body(page(stored_board(replace(made, judges=(), marks=made.marks[..., :0], own=made.own[:, :0]))))
    assert "No judge has marked anything." in text
    assert "0 judges; G-Eval by j0" in text


def test_a_single_judge_has_no_leniency() -> None:
    """The page says so instead of showing 0."""
    assert "There is one judge." in body(page(stored_board(alike(3, 12, 1))))


def test_several_answers_to_a_prompt_are_counted() -> None:
    """n is the number of answers, and prompts are counted once."""
    text = page(stored_board((alike(), alike())))
    assert "12 prompts, up to 2 answers each" in body(text)
    assert row(text, "a")[8:10] == ["24", "24"]


@pytest.mark.slow
def test_two_hundred_models_fit() -> None:
    """Each model has a line, 40 models have pairs, the page is below 4 MB, and its data is JSON."""
    names = tuple(f"provider/vendor/model-{number:03}" for number in range(200))
    made = alike(200, 20, models=names)
    text = page(stored_board(made, replicates=50))
    assert len(text.encode()) < 4_000_000
    assert row(text, names[150])[1].replace(" ", "") == names[150]
    assert "The first 40 of 200 models by composite are shown" in body(text)
    assert len(re.findall(r'<td class="(?:better|worse|same|none|self)"', text)) == 40 * 40
    data = re.search(r'id="data">(.*?)</script>', text, flags=re.S)
    assert data is not None
    assert len(json.loads(data.group(1))["ranks"]["rows"]) == 200


@pytest.mark.slow
def test_the_page_is_written_and_its_address_returned(tmp_path: Path) -> None:
    """It is a file address that a browser opens."""
    address = write_board(stored_board(alike()), tmp_path / "my board.html", made=MADE)
    assert address == (tmp_path / "my board.html").as_uri()
    assert (tmp_path / "my board.html").read_text(encoding="utf-8") == page(stored_board(alike()))


@pytest.mark.parametrize("place", ["missing/board.html", "."])
def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    """The message names the file, and no other file is left."""
    with pytest.raises(InvalidInput, match="cannot write a page"):
        write_board(stored_board(alike()), tmp_path / place, made=MADE)
    assert not list(tmp_path.iterdir())


def test_a_keyed_suite_has_its_own_section() -> None:
    """Accuracies with all counts, models excluded from either suite, and models not measured."""
    stored = stored_board(alike())
    made = simulated(np.random.default_rng(1), [0.6])
    line = rights_overall(made, 0)
    suite = replace(keyed_suite(), title="The causal suite")
    beside = Companion(suite, (7,), {"a": line}, {"b": "paid tier only"}, True)
    text = body(page(replace(stored, beside=beside, excluded=(Excluded("old", "retired API", (1,)),))))
    assert "The same models on The causal suite causal 1" in text
    assert f"a {100 * line.right / 100:.1f}" in text
    assert "100 100 0 0 0" in text
    assert "b excluded: paid tier only" in text
    assert "Not measured on this suite: 1 model of this board." in text
    assert "old retired API runs that do not count: 1" in text
    assert "Some of them are simulated." in text


@pytest.fixture
def panel() -> Board:
    """Three models; judge j0 is lenient, may not mark model a, and left out one answer of model b."""
    made = apart(3, 24, 3)
    marks = made.marks.copy()
    marks[..., 0] = np.minimum(5.0, marks[..., 0] + 1.0)
    marks[1, 0, 0] = np.nan
    own = made.own.copy()
    own[0, 0] = True
    return stored_board(replace(made, marks=marks, own=own)).board


def test_leniency_has_one_axis(panel: Board) -> None:
    """The lenient judge is right of 0, the others are left of it."""
    view = judges_view(panel)
    zero = view.axis.at(0.0)
    assert [judge.leniency for judge in view.judges] == [judge.leniency for judge in panel.judges]
    assert [judge.bar is not None and judge.bar > zero for judge in view.judges] == [True, False, False]


def test_own_and_partly_marked_models_are_shown(panel: Board) -> None:
    """The judge's own model, and the model that it marked incompletely, with the numbers."""
    judge = judges_view(panel).judges[0]
    assert judge.own == ("a",)
    assert [(model, mean.marked, mean.asked) for model, mean in judge.partial] == [("b", 23, 24)]
    assert judge.complete == 1


def test_the_change_without_a_judge_is_the_difference(panel: Board) -> None:
    """In points; leaving out a judge that does not count changes nothing."""
    for standing, cells in judges_view(panel).rows:
        for cell, left in zip(cells, standing.without, strict=True):
            assert standing.score.composite is not None and left.composite is not None
            assert cell.change == pytest.approx(100 * (left.composite - standing.score.composite))
            if not cell.mean.counts:
                assert cell.change == 0.0
