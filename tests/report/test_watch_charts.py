"""The watch page's chart specifications."""

import json

import pytest

from assay.report.watch_charts import scores_chart, sequential_chart

ROW = {
    "day": 0,
    "from": -43_200_000,
    "to": 43_200_000,
    "score": 60.0,
    "mean": 90.0,
    "low": 80.0,
    "high": 100.0,
    "state": "cooked",
    "fit": True,
    "level": 1.2,
    "alarm": True,
    "text": "a day",
}


@pytest.mark.parametrize("chart", [scores_chart, sequential_chart])
def test_a_chart_fetches_nothing_and_follows_the_page(chart) -> None:  # type: ignore[no-untyped-def]
    """Its data has a name, no address, and its colours are the page's variables."""
    text = json.dumps(chart())
    assert '"url"' not in text
    assert '"name": "days"' in text
    assert "var(--line)" in text
    assert "#" not in text.replace("schema#", "")


@pytest.mark.parametrize(("chart", "scale"), [(scores_chart, [0, 100]), (sequential_chart, [0.0001, 10])])
def test_scales_are_the_same_on_every_chart(chart, scale) -> None:  # type: ignore[no-untyped-def]
    """So that one use case can be compared with the next."""
    domains = [
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in chart()["layer"]
        if "scale" in layer["encoding"].get("y", {})
    ]
    assert domains == [scale]


def test_vega_lite_compiles_them() -> None:
    """vl-convert refuses a specification that Vega-Lite cannot read."""
    convert = pytest.importorskip("vl_convert")
    for spec in (scores_chart(), sequential_chart()):
        compiled = convert.vegalite_to_vega({**spec, "width": 300, "datasets": {"days": [ROW]}})
        assert {each["type"] for each in compiled["marks"]} >= {"line", "symbol", "rect"}
