"""Plans and their positions."""

from __future__ import annotations

from dataclasses import replace

import orjson
from hypothesis import given
from hypothesis import strategies as st
from small_suite import make_suite

from assay.core.model import Model
from assay.runs.plan import plan_run, stored_plan

MODELS = (Model("local", "one"), Model("local", "two"), Model("openai", "three"))


@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 4), st.integers(1, 20))
def test_positions_are_unique_and_can_be_located(use_cases: int, cases: int, epochs: int, limit: int) -> None:
    """There are as many as planned, and each belongs to one sample."""
    suite = make_suite(use_cases=use_cases, cases=cases)
    plan = plan_run(suite, MODELS, epochs=epochs, limit=limit)
    positions = list(plan.positions())
    assert len(positions) == plan.size == len(set(positions))
    assert [plan.position(plan.locate(position)) for position in positions] == positions


def test_positions_split_by_model_are_complete() -> None:
    """No position is missing or repeated."""
    plan = plan_run(make_suite(), MODELS, epochs=2)
    split = [*plan.positions({0, 1}), *plan.positions({2})]
    assert sorted(split) == sorted(plan.positions())


def test_top_ups_do_not_move_positions() -> None:
    """Earlier samples keep their positions when a use case is topped up."""
    plan = plan_run(make_suite(), MODELS)
    topped = replace(plan, topped=frozenset({(1, "use-0")}))
    before, after = set(plan.positions()), set(topped.positions())
    assert before < after
    added = [plan.locate(position) for position in after - before]
    assert {sample.model for sample in added} == {1}
    assert len(added) == 5 * (3 - 1)


def test_a_limit_is_spread_over_the_use_cases() -> None:
    """Four cases of two use cases with five each are two and two."""
    plan = plan_run(make_suite(), MODELS, limit=4)
    assert plan.chosen == (0, 1, 5, 6)


def test_a_plan_survives_the_database() -> None:
    """Described as JSON and read back it yields the same positions."""
    plan = replace(plan_run(make_suite(), MODELS, limit=3), topped=frozenset({(0, "use-1")}))
    described = orjson.loads(orjson.dumps(plan.described()))
    assert stored_plan(plan.suite, MODELS, described) == plan
