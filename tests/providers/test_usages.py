"""Token counts and costs in every dialect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.money import LARGEST_COST, Prices, Usage
from assay.providers.usages import UNKNOWN_HOST, Bill, host_rule, read_bill, usage_data

PRICES = Prices(2.0, 10.0, cached=0.5, cache_write=2.5)
TABLE = yaml.safe_load(Path(__file__).with_name("usages.yaml").read_text(encoding="utf-8"))


def bill(usage: object, *, prices: Prices | None = PRICES) -> Bill:
    """Read a usage from a host of which nothing is known."""
    return read_bill({"usage": usage}, {}, prices)


@every_row("entry", TABLE, ids=[entry["name"] for entry in TABLE])
def test_each_dialect_is_read_at_its_documented_cost(entry: dict[str, Any]) -> None:
    """Counts come out with one meaning, whatever theirs is."""
    prices = PRICES if entry.get("priced", True) else None
    found = read_bill(entry["body"], entry.get("headers", {}), prices, host_rule(entry.get("host")))
    assert found.usage == Usage(*entry["counts"])
    assert found.cost == (entry["cost"] and pytest.approx(entry["cost"], rel=1e-12))
    assert (found.doubt is None) == (entry["cost"] is not None)


def test_the_table_names_a_source_for_every_fact() -> None:
    """At least twenty dialects, each with a page."""
    assert len(TABLE) >= 20
    assert all(entry["source"] and entry["fact"] for entry in TABLE)


@every_row(
    "usage, counts",
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 10**6}},
            Usage(10, 5, cached=10**6),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 15,
                "completion_tokens_details": {"reasoning_tokens": 60},
            },
            Usage(10, 5, reasoning=60),
        ),
        ({"prompt_tokens": -10, "completion_tokens": 5}, Usage(None, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 10**9}, Usage(10, 10**9)),
        ({"prompt_tokens": 10, "completion_tokens": 10**30}, Usage(10, None)),
        ({"prompt_tokens": 10, "completion_tokens": 5.5}, Usage(10, None)),
        ({"prompt_tokens": True, "completion_tokens": 5}, Usage(None, 5)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 400}, Usage(10, 5)),
    ],
)
def test_a_usage_that_cannot_be_right_is_kept_and_its_cost_is_unknown(
    usage: dict[str, Any], counts: Usage
) -> None:
    """The doubt quotes the received values word for word."""
    found = bill(usage)
    assert (found.usage, found.cost) == (counts, None)
    assert found.doubt is not None
    assert found.doubt.startswith("cost unknown: ")
    assert '"prompt_tokens":' in found.doubt


@every_row(
    "cost",
    [
        -0.9,
        "abc",
        "",
        "nan",
        float("nan"),
        float("inf"),
        1e308,
        LARGEST_COST * 2,
        True,
        [],
        {},
        "-1",
        10**400,
    ],
)
def test_a_reported_cost_that_cannot_be_right_is_unknown_and_never_replaced(cost: object) -> None:
    """Prices would give 70 millionths of a dollar, but the provider stated another cost."""
    found = bill({"prompt_tokens": 10, "completion_tokens": 5, "cost": cost})
    assert (found.usage, found.cost) == (Usage(10, 5), None)
    assert found.doubt is not None
    assert len(found.doubt) < 500


def test_a_reported_cost_stands_where_only_the_counts_are_wrong() -> None:
    """The doubt says that the counts are wrong."""
    found = bill({"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 11, "cost": 0.25})
    assert found.cost == 0.25
    assert found.doubt is not None
    assert found.doubt.startswith("token counts are wrong: ")


def test_cache_writes_without_a_price_have_no_known_cost() -> None:
    """They cost more than the prompt, by a factor that the provider sets."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cache_write_tokens": 4}}
    assert bill(usage, prices=Prices(1.0, 1.0)).cost is None
    assert bill(usage, prices=Prices(1.0, 1.0, cache_write=2.0)).cost == pytest.approx(19e-6)


def test_a_gateways_cost_of_0_is_not_free() -> None:
    """LiteLLM sends 0 for what it has no price for."""
    usage = {"usage": {"prompt_tokens": 10, "completion_tokens": 5}}
    assert read_bill(usage, {"x-litellm-response-cost": "0.0"}, None).cost is None


FIELDS = [
    *("prompt_tokens", "completion_tokens", "total_tokens", "cached_tokens", "reasoning_tokens"),
    *("prompt_tokens_details", "completion_tokens_details", "cost", "total_cost", "cost_details", "is_byok"),
    *("upstream_inference_cost", "input_tokens", "output_tokens", "cache_read_input_tokens"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(JSON, st.sampled_from([UNKNOWN_HOST, host_rule("api.x.ai"), host_rule("aiplatform.googleapis.com")]))
def test_no_usage_gives_an_impossible_bill(usage: object, rule: Any) -> None:
    """The cost is None or between 0 and the largest; counts fit the ledger's columns."""
    found = read_bill({"usage": usage}, {}, PRICES, rule)
    assert found.cost is None or 0 <= found.cost <= 2 * LARGEST_COST
    counts = (found.usage.prompt, found.usage.completion, found.usage.reasoning, found.usage.cached)
    assert all(count is None or 0 <= count < 2**31 for count in counts)
    if found.usage.contradiction() is not None:
        assert found.doubt is not None


COUNTED = {"inside", "beside", "by total"}


@given(
    prompt=st.integers(-2, 30_000_000),
    completion=st.integers(-2, 30_000_000),
    total=st.none() | st.integers(-2, 60_000_000) | st.just("sum"),
    priced=st.booleans(),
)
def test_a_plain_usage_is_read_as_one_with_details_is(
    prompt: int, completion: int, total: int | str | None, priced: bool
) -> None:
    """The short way for plain counts gives what the rules give; empty details take the long way."""
    plain: dict[str, object] = {"prompt_tokens": prompt, "completion_tokens": completion}
    if total is not None:
        plain["total_tokens"] = prompt + completion if total == "sum" else total
    prices = PRICES if priced else None
    short, long = bill(plain, prices=prices), bill({**plain, "prompt_tokens_details": {}}, prices=prices)
    assert (short.cost, short.doubt is None) == (long.cost, long.doubt is None)
    assert (short.usage.prompt, short.usage.completion) == (long.usage.prompt, long.usage.completion)


def test_the_data_is_well_formed() -> None:
    """Every family, host and cost has the fields that the reader uses, and no others."""
    data = usage_data()
    assert set(data) == {"families", "hosts", "costs", "cost_header", "own_key", "fees"}
    for family in data["families"]:
        lists = {"reasoning", "cached", "written"}
        assert set(family) <= {"name", "why", "object", "prompt", "completion", "total"} | lists
        places = [place for name in lists for place in family.get(name, [])]
        assert all(set(place) == {"at", "counted"} and place["counted"] in COUNTED for place in places)
        assert all(place["at"].count(".") <= 1 for place in places)
    for host in data["hosts"]:
        assert set(host) <= {"host", "reasoning", "rest"}
        assert host.get("reasoning", "by total") in COUNTED
        assert host.get("rest", "reasoning") == "reasoning"
    for cost in data["costs"]:
        assert set(cost) <= {"at", "per_dollar"}
        assert cost.get("per_dollar", 1) > 0
    names = [family["name"] for family in data["families"]]
    assert len(names) == len(set(names))


def test_every_family_and_host_stands_in_the_table() -> None:
    """No rule without a documented usage that it reads."""
    hosts = {entry.get("host") for entry in TABLE}
    assert {"api.x.ai", "generativelanguage.googleapis.com"} <= hosts
    for family in usage_data()["families"]:
        first = family["prompt"].split(".")[0]
        assert any(first in entry["body"].get(family["object"], {}) for entry in TABLE), family["name"]
