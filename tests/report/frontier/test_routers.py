"""The chart of measured routers: hulls over cost, and quality with intervals where no costs are known."""

from __future__ import annotations

from typing import Any

from assay.report.frontier.routers import routers_chart
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Routed, Routing, RoutingOracle, SingleModel, Spot
from assay.stats.intervals import Interval


def measured(costed: bool) -> Routing:
    """Return a routing of two routers over three settings, the middle one below the hull."""
    points = ((0.4, 1.0), (0.42, 3.0), (0.6, 5.0))
    spots = tuple(Spot(quality, cost if costed else None) for quality, cost in points)
    known = Estimate(0.6, Interval(0.5, 0.7, 0.9))
    routers = tuple(
        Routed(name, "none", known, known, known, known, None, None, None, known, spots, {}, {})
        for name in ("best single", "chosen in training")
    )
    return Routing(
        0.9, 5, 3, 40, 40, "USD", RoutingOracle("mixture", known, known, known, known, known, spots),
        "best single", "chosen in training", routers, spots[0], (SingleModel("m", spots[0]),), (),
    )  # fmt: skip


def rows_of(chart: Any) -> list[dict[str, Any]]:
    """Return all rows of data in a chart."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_lines_are_hulls_even_in_cost() -> None:
    """Two corners a router, 50 % in the middle of their costs; the point below the hull is no corner."""
    rows = rows_of(routers_chart(measured(costed=True)))
    own = {(row["cost"], row["quality"]): row["corner"] for row in rows if row.get("router") == "best single"}
    assert [at for at, corner in own.items() if corner] == [(1, 40.0), (5, 60.0)]
    assert own[3.0, 50.0] is False
    assert {row["router"] for row in rows if "router" in row} == {
        "frontier",
        "best single",
        "chosen in training",
    }


def test_without_costs_every_router_is_a_point_with_its_interval() -> None:
    """Random below, the oracle last."""
    rows = rows_of(routers_chart(measured(costed=False)))
    names = list(dict.fromkeys(row["router"] for row in rows))
    assert names == ["random", "best single", "chosen in training", "oracle (mixture)"]
    assert {(row["low"], row["high"]) for row in rows[1:4]} == {(50.0, 70.0)}
