"""Charts of quality against tokens, cost and latency."""

import math
from dataclasses import replace

import numpy as np
import pytest
from stored_boards import alike, apart, halves, stored_board

from assay.ranking.board.judged import Board
from assay.report.board.charts import Scatter, ranks_chart, scale, scatters, spread


def by_key(board: Board) -> dict[str, Scatter]:
    """Return the scatters by their key."""
    return {scatter.key: scatter for scatter in scatters(board.standings)}


def test_no_model_dominates_a_model_on_the_front() -> None:
    """A model is off the front if another one is at most as expensive and at least as good."""
    made = alike(12)
    rng = np.random.default_rng(3)
    cost = np.repeat(rng.random((12, 1)), 12, axis=1)
    rows = by_key(stored_board(replace(made, cost=cost)).board)["cost"].rows
    for row in rows:
        beaten = any(other["x"] <= row["x"] and other["y"] >= row["y"] and other is not row for other in rows)
        assert row["front"] is not beaten
    assert any(not row["front"] for row in rows)


def test_only_the_front_has_labels() -> None:
    """Each label is on the side with room, and labels do not overlap."""
    rows = by_key(stored_board(apart(6)).board)["latency"].rows
    assert [row["left"] + row["right"] for row in rows if row["front"]] == ["a"]
    assert not any(row["left"] or row["right"] for row in rows if not row["front"])


def test_models_with_an_unknown_figure_are_left_out_and_counted() -> None:
    """The unknown cost of one answer is enough."""
    made = alike()
    cost = made.cost.copy()
    cost[1, 0] = np.nan
    charts = by_key(stored_board(replace(made, cost=cost)).board)
    assert (charts["cost"].drawn, charts["cost"].lacking) == (2, 1)
    assert (charts["latency"].drawn, charts["latency"].lacking) == (3, 0)


def test_a_chart_needs_two_models() -> None:
    """A figure that one model or none has is not drawn."""
    made = alike()
    cost = np.full(made.cost.shape, np.nan)
    cost[0] = 0.1
    assert by_key(stored_board(replace(made, cost=cost)).board)["cost"].spec is None
    assert all(scatter.spec is None for scatter in by_key(stored_board(alike(1)).board).values())


def test_models_without_judges_have_no_efficiency() -> None:
    """Tokens are drawn against judges' means, cost against composites."""
    charts = by_key(stored_board(halves()).board)
    assert (charts["tokens"].drawn, charts["cost"].drawn) == (3, 4)


def test_efficiency_is_constant_along_its_lines() -> None:
    """A point's height divided by log2 of its tokens is the line's name; each line has one label."""
    made = alike(6)
    tokens = np.repeat(np.array([40.0, 90, 200, 400, 900, 3000])[:, None], 12, axis=1)
    lines = by_key(stored_board(replace(made, tokens=tokens)).board)["tokens"].lines
    assert len({row["name"] for row in lines}) >= 2
    assert all(row["y"] / math.log2(row["x"]) == pytest.approx(float(row["name"])) for row in lines)
    assert sorted(row["end"] for row in lines if row["end"]) == sorted({row["name"] for row in lines})


@pytest.mark.parametrize(
    ("values", "kind"),
    [([1.0, 10.0], "log"), ([0.0, 10.0], "linear"), ([4.0, 10.0], "linear"), ([0.0], "linear")],
)
def test_a_scale_is_logarithmic_for_wide_positive_values(values: list[float], kind: str) -> None:
    """It is linear with a cost of 0, which has no logarithm; all values are on the scale."""
    horizontal = scale(values)
    assert horizontal.kind == kind
    assert horizontal.low <= min(values) <= max(values) <= horizontal.high
    assert horizontal.low < horizontal.high


@pytest.mark.parametrize("values", [[5.0], [4.9, 5.0], [1.0, 5.0], [1.0]])
def test_a_vertical_axis_stays_within_its_bounds(values: list[float]) -> None:
    """It includes all values, and it is never empty."""
    low, high = spread(values, 0.4, (1.0, 5.0))
    assert 1.0 <= low <= min(values) <= max(values) <= high <= 5.0
    assert high - low >= 0.2 - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("models", [2, 24, 200])
def test_vega_lite_compiles_the_charts(models: int) -> None:
    """vl-convert refuses a specification that Vega-Lite cannot read."""
    convert = pytest.importorskip("vl_convert")
    compiled = convert.vegalite_to_vega({**ranks_chart(models), "width": 300, "datasets": {"rows": []}})
    assert {mark["type"] for mark in compiled["marks"]} >= {"rect"}
    scatter = by_key(stored_board(alike()).board)["tokens"]
    assert scatter.spec is not None
    spec = {**scatter.spec, "width": 300, "datasets": {"rows": scatter.rows, "lines": scatter.lines}}
    assert {mark["type"] for mark in convert.vegalite_to_vega(spec)["marks"]} >= {"symbol", "text"}


@pytest.mark.slow
def test_the_charts_use_the_colours_and_data_of_the_page() -> None:
    """Colours are CSS variables, data has a name and no address; more models have thinner lines."""
    scatter = by_key(stored_board(alike()).board)["tokens"]
    text = str(ranks_chart(24)) + str(scatter.spec)
    assert "'url'" not in text
    assert "#" not in text.replace("schema#", "")
    assert [ranks_chart(models)["height"] for models in (10, 60, 200)] == [190, 780, 1200]
